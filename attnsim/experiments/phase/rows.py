"""The measured half of the phase diagram: rows drawn at the points of a coarse grid."""

import math

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.laws import LAWS
from attnsim.choices.scalings import Sums
from attnsim.experiments.attention import attend
from attnsim.experiments.closed_forms import rules_at
from attnsim.experiments.phase.record import METRICS, Measured
from attnsim.experiments.requests import check_norms, request_for, work_of
from attnsim.scenario import Scenario

Floats = NDArray[np.float64]

MOST_WORK = 3_000_000  # variates of a point
CHUNK = 200_000  # variates drawn at a time
FEWEST_ROWS = 8  # a point of which fewer can be afforded is left out
FEWEST_RARE = 20.0  # rows away from the end of 0..1, from which a mean made of them has an error to speak of
SCATTERED = 0.5  # standard deviation over distance from that end, beyond which few rows make the mean
RARE_RULE = 0.5  # of s_c, from which they do (THEORY of the random energy model: E sum p^2 is no longer e^(s^2)/n)


class Point:
    """Draws rows at one place of the plane, chunk by chunk.

    Parameters
    ----------
    scenario : Scenario
    plane : {"spread", "dimension"}
    x : float
        Spread or dimension.
    keys : int
    maps : int
        How many rules are measured: 1 for the spread.
    """

    def __init__(self, scenario: Scenario, plane: str, x: float, keys: int, maps: int) -> None:
        self.plane, self.x, self.keys, self.rows = plane, x, keys, 0
        self.scenario = scenario
        self.wanted, self._per_row = scenario.rows, keys
        if plane == "dimension":
            try:
                self.scenario = scenario.but(dim=int(x), keys=keys)
                row, key = work_of(self.scenario, 1)
                self._per_row = row + keys * key
            except ValueError:  # what this law or a typed formula refuses at this dimension
                self.wanted = 0
        affordable = MOST_WORK // self._per_row
        self.wanted = min(self.wanted, affordable) if affordable >= FEWEST_ROWS else 0
        self._sum, self._squares = np.zeros((2, maps, len(METRICS)))

    @property
    def work(self) -> int:
        """Variates that are still to be drawn."""
        return (self.wanted - self.rows) * self._per_row

    def grow(self) -> int:
        """Draw the next chunk and return how many variates that took."""
        rows = max(1, min(self.wanted - self.rows, CHUNK // self._per_row))
        values = self._of_spread(rows) if self.plane == "spread" else self._of_dimension(rows)
        self._sum += values.sum(axis=-1)
        self._squares += (values**2).sum(axis=-1)
        self.rows += rows
        return rows * self._per_row

    def _of_spread(self, rows: int) -> Floats:
        """Return the three numbers of independent normal scores, shape (1, 3, rows)."""
        from attnsim.kernels.normals import normals
        from attnsim.kernels.rng import stream_key

        key = stream_key(self.scenario.seed, f"phase spread {self.x:.6g} keys {self.keys}")
        scores = normals(key, rows * self.keys, self.rows * self.keys).reshape(rows, self.keys)
        return _numbers(scores.astype(np.float64) * self.x, self.keys)[None]

    def _of_dimension(self, rows: int) -> Floats:
        """Return the three numbers under each rule, shape (rules, 3, rows)."""
        s, steps = self.scenario, np.array([int(self.x)], dtype=np.int64)
        stream = f"phase dimension {s.dim} keys {s.keys}"
        drawn = LAWS[s.law].draw(request_for(s, stream, steps, rows=rows, first_row=self.rows, keys=s.keys))
        check_norms(s, drawn)
        sums = Sums(
            scores=np.ascontiguousarray(drawn.walks[:, 0]),
            dim=s.dim,
            query_sum=drawn.query_sum,
            query_square=drawn.square,
            key_sums=None if drawn.key_sums is None else drawn.key_sums[:, 0],
            key_squares=None if drawn.key_squares is None else drawn.key_squares[:, 0],
        )
        sight, plain = s.sight(s.keys - 1, self.rows), (s.mask, s.format) == ("none", "fp64")
        found = []
        for rule in rules_at(s, steps):
            if plain and rule.is_linear and not rule.scaling.sink:
                found.append(_numbers(sums.scores * float(rule.multiplier(s.dim)), self.keys))
                continue
            seen = attend(rule, sums, sight, s.mask, s.format)
            share = seen.entropy / math.log(self.keys) if self.keys > 1 else np.full(rows, np.nan)
            found.append(np.stack([(seen.weights**2).sum(axis=1), share, seen.largest]))
        return np.array(found)

    def means(self) -> tuple[Floats, Floats]:
        """Return means and standard errors, shape (maps, 3) each."""
        if not self.rows:
            nothing = np.full(self._sum.shape, np.nan)
            return nothing, nothing.copy()
        mean = self._sum / self.rows
        spare = np.maximum(self._squares / self.rows - mean**2, 0.0)
        error = np.sqrt(spare / (self.rows - 1)) if self.rows > 1 else np.full(mean.shape, np.nan)
        return mean, error


def _numbers(logits: Floats, keys: int) -> Floats:
    """Return sum p^2, entropy over ln n and the largest weight of each row, shape (3, rows)."""
    from attnsim.kernels.softmax_statistics import softmax_statistics

    found = softmax_statistics(logits)
    share = found.entropy / math.log(keys) if keys > 1 else np.full(len(logits), np.nan)
    return np.stack([1.0 / found.participation, share, found.largest])


def gathered(points: list[list[Point]], theory: Floats, reach: Floats) -> Measured:
    """Return what a grid of points has measured.

    Parameters
    ----------
    points : list of list of Point
        Rows of one n each.
    theory : float64 array, shape (maps, 3, keys, x)
    reach : float64 array, shape (maps, keys, x)
        How large a row's spread can be, over s_c; nan where that is not known.

    Notes
    -----
    From s_c/2 on a mean is made by the few rows that are unlike the others (below the threshold by those that happen
    to condense, far beyond it by those that do not), and a sample that missed them would name an error far too small.
    With m the mean's distance from the nearer end of 0..1 at least rows * m of them are to be expected; no error is
    named where that is below `FEWEST_RARE`.
    """
    means = np.array([[point.means() for point in row] for row in points])  # (keys, x, 2, maps, 3)
    mean, error = np.moveaxis(means, (2, 3, 4), (0, 1, 2))
    rows = np.array([[point.rows for point in row] for row in points], dtype=np.int64)
    likely = np.where(np.isnan(theory), mean, theory)
    distance = np.minimum(likely, 1.0 - likely)
    scattered = (error * np.sqrt(rows) > SCATTERED * distance) | (reach > RARE_RULE)[:, None]
    error = np.where(scattered & (rows * distance < FEWEST_RARE), np.nan, error)
    return Measured(mean.copy(), error, theory.copy(), rows)
