"""Many rows of scores, drawn in ever larger chunks: what scores do over draws."""

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.laws import LAWS
from attnsim.experiments.checkpoints import ensemble_checkpoints
from attnsim.experiments.closed_forms import binned_density, theory_at
from attnsim.experiments.estimates import RowSums
from attnsim.experiments.records import Ensemble, Estimate
from attnsim.experiments.requests import request_for, work_of
from attnsim.scenario import Scenario

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

MOST_KEYS = 64  # of a row: more share the same query and say little more
FIRST_WORK = 200_000  # variates of the first chunk: some milliseconds
MOST_WORK = 4_000_000  # variates of any chunk: 32 MB
BINS = 80
REACH = 5.0  # standard deviations on both sides of the histogram's middle


class EnsembleDraw:
    """Draws the rows of a scenario's ensemble, chunk by chunk.

    Parameters
    ----------
    scenario : Scenario
    row_steps : int64 array
        The row's checkpoints, from 1 to the dimension.
    """

    stream = "ensemble"
    most_keys = MOST_KEYS
    first_work, most_work = FIRST_WORK, MOST_WORK  # of the first chunk, and of any

    def __init__(self, scenario: Scenario, row_steps: Whole) -> None:
        self.scenario = scenario
        self.law = LAWS[scenario.law]
        self.steps = ensemble_checkpoints(row_steps)
        self.keys = self._keys_per_row()
        self.rows = 0
        self._chunk = max(1, min(scenario.rows, self.first_work // self.work_per_row))
        theory = theory_at(scenario, self.steps)
        self._center, self._scale = theory.mean.copy(), theory.sd.copy()
        self._kurtosis = likely_kurtosis(scenario, self.steps, theory.excess_kurtosis)
        self._lattice = scenario.law == "sign" and scenario.mean_q == scenario.mean_k == 0.0
        self._sums: RowSums | None = None
        self._edges: Floats = np.empty(0)
        self._counts: Whole = np.zeros((self.steps.size, BINS), dtype=np.int64)
        self._density: Floats | None = None
        self._exact = False

    def _keys_per_row(self) -> int:
        _row, key = work_of(self.scenario, self.steps.size)
        affordable = MOST_WORK // (16 * key)
        return min(self.scenario.keys, self.most_keys, max(2, affordable))

    @property
    def work_per_row(self) -> int:
        """Random numbers and products that a row takes."""
        row, key = work_of(self.scenario, self.steps.size)
        return row + self.keys * key

    @property
    def fraction(self) -> float:
        """Share of the rows that are drawn."""
        return self.rows / self.scenario.rows

    def grow(self) -> None:
        """Draw the next chunk, twice as large as the last."""
        from attnsim.kernels.row_sums import row_sums

        rows = min(self._chunk, self.scenario.rows - self.rows)
        request = request_for(
            self.scenario,
            self.stream,
            self.steps,
            rows=rows,
            first_row=self.rows,
            keys=self.keys,
            aligned_share=self.keys / self.scenario.keys,
            norms=False,
        )
        walks = self.law.draw(request).walks
        if self._sums is None:
            self._place_bins(walks)
            self._sums = RowSums(self._center, self._scale, self.keys)
        self._sums.add(row_sums(walks, self._center, self._scale, self._edges, self._counts))
        self.look(walks)
        self.rows += rows
        self._chunk = max(1, min(2 * self._chunk, self.most_work // self.work_per_row))

    def look(self, walks: Floats) -> None:
        """Look at a chunk's scores, shape (rows, checkpoints, keys), before they are forgotten; nothing here."""

    def estimates(self) -> dict[str, Estimate]:
        """Return what is known so far of mean, sd, within_sd, skewness and excess_kurtosis."""
        if self._sums is None:
            raise RuntimeError("grow() comes before estimates()")
        return self._sums.estimates(tail_of(self.scenario), self._kurtosis)

    def _place_bins(self, walks: Floats) -> None:
        """Choose the histogram's bins: by theory, or by quantiles where there is no variance."""
        if not np.all(np.isfinite(self._scale) & (self._scale > 0.0)):
            flat = np.moveaxis(walks, 1, 0).reshape(self.steps.size, -1)
            low, middle, high = np.quantile(flat, [0.25, 0.5, 0.75], axis=1)
            guess = np.maximum((high - low) / 1.349, np.finfo(np.float64).tiny)
            unknown = ~(np.isfinite(self._scale) & (self._scale > 0.0))
            self._scale = np.where(unknown, np.maximum(guess, 1e-9 * (1.0 + np.abs(middle))), self._scale)
            self._center = np.where(np.isfinite(self._center) & ~unknown, self._center, middle)
        if self._lattice:
            self._edges = self._lattice_edges()
            return
        reach = np.linspace(-REACH, REACH, BINS + 1)
        self._edges = self._center[:, None] + self._scale[:, None] * reach

    def _lattice_edges(self) -> Floats:
        """Return bins that hold equally many of the values a walk of +-1 can take."""
        scenario = self.scenario
        spacing = 2.0 * scenario.sigma_q * scenario.sigma_k
        per_bin = np.maximum(1.0, np.ceil(2.0 * REACH * self._scale / (BINS * spacing)))
        width = per_bin * spacing
        value = 0.5 * spacing * self.steps.astype(np.float64)  # the farthest the walk can be
        first = value - spacing * np.round((value - self._center) / spacing)  # the lattice point at the middle
        start = first - 0.5 * spacing - width * (BINS // 2)
        return np.asarray(start[:, None] + width[:, None] * np.arange(BINS + 1))

    def result(self, whole_density: bool) -> Ensemble:
        """Return what is known so far.

        Parameters
        ----------
        whole_density : bool
            Whether theory's density is wanted at every checkpoint; else at the last alone, which is
            what a first picture shows.
        """
        if self._sums is None:
            raise RuntimeError("grow() comes before result()")
        if whole_density:
            if self._density is None:
                self._density, self._exact = binned_density(self.scenario, self.steps, self._edges)
            density, exact = self._density, self._exact
        else:
            density = np.full((self.steps.size, BINS), np.nan)
            last, exact = binned_density(self.scenario, self.steps[-1:], self._edges[-1:])
            density[-1:] = last
        return Ensemble(
            steps=self.steps,
            rows=self.rows,
            keys_per_row=self.keys,
            counts=self._counts.copy(),
            edges=self._edges.copy(),
            density=density.copy(),
            exact=exact,
            **self.estimates(),
        )


def likely_kurtosis(scenario: Scenario, steps: Whole, theory: Floats) -> Floats:
    """Return the excess kurtosis of scores: theory's, or where it has none that of the law's own products.

    Notes
    -----
    A sum of d independent products a b has (E a^4 E b^4 - 3)/d, or with b = a, the heaviest that
    correlation can make it, (E a^8 / (E a^4)^2 - 3)/d. This only tells whether an interval can be trusted.
    """
    moments = LAWS[scenario.law].moments
    if moments is None:
        return theory
    raw = moments(scenario)
    if not np.isfinite(raw[8]):
        return theory  # where moments end, `tail_of` has the word
    product = raw[8] / raw[4] ** 2 if scenario.rho else raw[4] ** 2
    return np.where(np.isnan(theory), np.maximum(product, raw[4] ** 2) / np.maximum(steps, 1), theory)


def tail_of(scenario: Scenario) -> float:
    """Return the order from which on moments of a score do not exist, inf where all do.

    Notes
    -----
    A product of independent components has the moments of its factors; where k leans on q, the
    product holds the square of q's component and has half of them.
    """
    order = LAWS[scenario.law].tail(scenario)
    return order / 2.0 if scenario.rho else order
