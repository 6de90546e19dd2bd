"""Shares of the scores beyond thresholds and in bins, with the errors that scores of one row force on them."""

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.ensemble import EnsembleDraw
from attnsim.experiments.estimates import NORMAL_QUANTILE
from attnsim.experiments.spread.records import Quantiles
from attnsim.scenario import Scenario

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

THRESHOLDS = 65
FARTHEST = 7.0  # of the thresholds before they are stretched, which puts the last at 14 standard deviations
STRETCH = 0.02
FINE, FINE_REACH = 8192, 40.0  # bins from which quantiles are read, and how many standard deviations they cover
FEWEST = 5  # independent scores that must be expected beyond a quantile
TINY = 1e-300


class RowShares:
    """Sums over rows of the share of a row's scores in each category, and of its square."""

    def __init__(self, categories: int) -> None:
        self.rows = 0
        self._sum, self._square = np.zeros(categories), np.zeros(categories)

    def add(self, places: Whole, cumulative: bool) -> None:
        """Add rows: the category of each score, shape (rows, keys); categories out of range are not counted."""
        rows, keys = places.shape
        size = self._sum.size
        kept = np.where((places < 0) | (places > size), size, places) + np.arange(rows)[:, None] * (size + 1)
        share = np.bincount(kept.ravel(), minlength=rows * (size + 1)).reshape(rows, size + 1)[:, :size] / keys
        if cumulative:
            share = np.cumsum(share, axis=1)
        self.rows += rows
        self._sum += share.sum(axis=0)
        self._square += (share * share).sum(axis=0)

    @property
    def mean(self) -> Floats:
        """Share of all scores."""
        return np.asarray(self._sum / self.rows)

    @property
    def variance(self) -> Floats:
        """Squared standard error of the mean, from what differs between rows; nan for one row."""
        if self.rows < 2:
            return np.full(self._sum.size, np.nan)
        spread = np.maximum(self._square / self.rows - self.mean**2, 0.0)
        return np.asarray(spread / (self.rows - 1))


class ShapeDraw(EnsembleDraw):
    """An ensemble at one dimension of which the shape is kept in full: shares with errors, and quantiles."""

    first_work, most_work = 30_000, 1_000_000

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario, np.array([scenario.dim], dtype=np.int64))
        self._below = RowShares(THRESHOLDS)
        self._bins = RowShares(self._counts.shape[1])
        self._fine = np.zeros(FINE + 2, dtype=np.int64)  # beyond both ends too
        self.thresholds = np.empty(0)

    @property
    def center(self) -> float:
        """Mean of the normal limit, or the middle of the first scores where there is none."""
        return float(self._center[0])

    @property
    def scale(self) -> float:
        """Standard deviation of the normal limit, or a width of the first scores."""
        return float(self._scale[0])

    @property
    def lattice(self) -> float:
        """Distance of the values a walk of +-1 can take; 0 for scores without a lattice."""
        return 2.0 * self.scenario.sigma_q * self.scenario.sigma_k if self._lattice else 0.0

    def look(self, walks: Floats) -> None:
        """Count a chunk's scores."""
        scores = walks[:, 0]
        if not self.thresholds.size:
            self.thresholds = self._places()
        # a score at a threshold counts as below it, whatever rounding did to it
        room = 1e-9 * self.scale
        self._below.add(np.searchsorted(self.thresholds + room, scores.ravel()).reshape(scores.shape), True)
        edges = self._edges[0]
        width = edges[1] - edges[0]
        self._bins.add(np.floor((scores - edges[0]) / width).astype(np.int64), False)
        fine = np.floor((scores - self.center) / self.scale * (0.5 * FINE / FINE_REACH)) + 0.5 * FINE + 1.0
        self._fine += np.bincount(np.clip(fine, 0, FINE + 1).astype(np.int64).ravel(), minlength=FINE + 2)

    def _places(self) -> Floats:
        """Return scores at which quantiles are compared: dense in the middle, on the lattice where there is one."""
        u = np.linspace(-FARTHEST, FARTHEST, THRESHOLDS)
        places = self.center + self.scale * (u + STRETCH * u**3)
        if not self.lattice:
            return places
        return self._on_lattice(places)

    def _on_lattice(self, scores: Floats) -> Floats:
        """Return the values nearest to scores that a walk of +-1 can take."""
        unit, origin = self.lattice, 0.5 * self.lattice * self.scenario.dim  # the farthest the walk can be
        return np.asarray(origin + unit * np.round((scores - origin) / unit))

    def share_interval(self) -> tuple[Floats, Floats]:
        """Return the 95 % interval of the share of scores in each bin."""
        share = self._bins.mean
        return wilson(share, self._deviation(share, self._bins.variance))

    def quantiles(self, chances: Floats, normal: Floats, exact: bool) -> Quantiles:
        """Return the sample's quantiles at the chances that a law gives to the thresholds.

        Parameters
        ----------
        chances, normal : float64 array, shape (thresholds,)
            P(S <= threshold), and where the standard normal law has this chance.
        exact : bool
            Whether they are those of the exact law.
        """
        variance = self._deviation(chances, self._below.variance)
        middle = int(np.argmin(np.abs(chances - 0.5)))
        # far out a row or two say nothing of how alike the scores of a row are: there they are no less so than here
        trials = float(chances[middle] * (1.0 - chances[middle]) / max(variance[middle], TINY))
        variance = np.maximum(variance, chances * (1.0 - chances) / max(trials, 1.0))
        enough = np.minimum(chances, 1.0 - chances) * trials >= FEWEST
        apart = np.concatenate(([True], np.diff(chances) > 0.0))  # thresholds may coincide on a lattice
        shown = np.where(enough & apart, chances, np.nan)
        low, high = wilson(shown, variance)
        return Quantiles(
            scores=self.thresholds,
            chances=chances,
            normal=normal,
            value=self._quantile(shown),
            low=self._quantile(low),
            high=self._quantile(high),
            center=self.center,
            scale=self.scale,
            exact=exact,
        )

    def _deviation(self, share: Floats, variance: Floats) -> Floats:
        """Return the squared error of a share: of rows that differ, but no less than that of independent scores."""
        return np.maximum(variance, share * (1.0 - share) / (self.rows * self.keys))

    def _quantile(self, chances: Floats) -> Floats:
        """Return the sample's quantiles; nan beyond the fine bins."""
        cumulative = np.cumsum(self._fine) / (self.rows * self.keys)
        known = np.where(np.isfinite(chances), chances, 0.0)
        place = np.searchsorted(cumulative, known)
        before = np.where(place > 0, cumulative[np.maximum(place - 1, 0)], 0.0)
        inside = self._fine[np.minimum(place, FINE + 1)] / (self.rows * self.keys)
        within = np.divide(known - before, inside, out=np.full(known.shape, 0.5), where=inside > 0.0)
        value = self.center + self.scale * (place - 1 + within - 0.5 * FINE) * (2.0 * FINE_REACH / FINE)
        if self.lattice:
            value = self._on_lattice(value)
        missing = ~np.isfinite(chances) | (place < 1) | (place > FINE)
        return np.where(missing, np.nan, value)


def wilson(share: Floats, variance: Floats) -> tuple[Floats, Floats]:
    """Return the 95 % interval of a share by Wilson's score, with as many independent trials as its variance has.

    References
    ----------
    E. B. Wilson, J. Am. Stat. Assoc. 22, 1927.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        trials = share * (1.0 - share) / variance
        z = NORMAL_QUANTILE**2 / trials
        middle = (share + 0.5 * z) / (1.0 + z)
        reach = np.sqrt(np.maximum(z * share * (1.0 - share) + 0.25 * z * z, 0.0)) / (1.0 + z)
    return np.asarray(middle - reach), np.asarray(middle + reach)
