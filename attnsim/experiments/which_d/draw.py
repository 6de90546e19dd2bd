"""Rows of raw scores, and what every variant makes of each of them."""

import math

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.laws import LAWS
from attnsim.choices.sections.which_d import VARIANTS
from attnsim.experiments.closed_forms import theory_at
from attnsim.experiments.ensemble import likely_kurtosis, tail_of
from attnsim.experiments.estimates import RowSums, nothing_known, student_quantile
from attnsim.experiments.records import Estimate
from attnsim.experiments.requests import request_for, work_of
from attnsim.scenario import Scenario

Floats = NDArray[np.float64]

MOST_CHECKPOINTS = 8
FIRST_WORK = 150_000  # variates before the first picture
CHUNK_WORK = 700_000  # variates at a time: some 40 ms
MOST_WORK = 30_000_000  # of all rows together
MOST_ROW = 600_000  # variates of one row; of a longer one the first keys are drawn
MOST_ROWS = 20_000
FEWEST_TELLING = 30.0  # rows in which weight is left to a second key, for a standard error to be worth its name


class SymptomDraw:
    """Draws rows chunk by chunk and keeps three numbers of each row and variant.

    Parameters
    ----------
    scenario : Scenario
    factors : float64 array, shape (variants,)
        At the head's dimension.
    """

    def __init__(self, scenario: Scenario, factors: Floats, steps: NDArray[np.int64]) -> None:
        self.scenario, self.steps, self._factors = scenario, steps, factors
        row, key = work_of(scenario, steps.size)
        self.keys = min(scenario.keys, max(2, MOST_ROW // key))
        self._per_row = row + self.keys * key
        self.wanted = max(1, min(scenario.rows, MOST_ROWS, MOST_WORK // self._per_row))
        self.rows = 0
        self._chunk = max(1, min(self.wanted, FIRST_WORK // self._per_row))
        self.theory = theory_at(scenario, steps)
        known = np.isfinite(self.theory.sd) & (self.theory.sd > 0.0)
        scale = np.where(known, self.theory.sd, 1.0)
        self._sums = RowSums(np.where(known, np.nan_to_num(self.theory.mean), 0.0), scale, self.keys)
        self._kept: list[Floats] = []

    @property
    def fraction(self) -> float:
        """Share of the rows that are drawn."""
        return self.rows / self.wanted

    def grow(self) -> None:
        """Draw the next chunk, twice as large as the last."""
        from attnsim.kernels.row_sums import row_sums

        rows = min(self._chunk, self.wanted - self.rows)
        share = self.keys / self.scenario.keys
        request = request_for(
            self.scenario, "which_d", self.steps, rows=rows, first_row=self.rows, keys=self.keys,
            aligned_share=share, norms=False,
        )  # fmt: skip
        walks = LAWS[self.scenario.law].draw(request).walks
        edges = np.stack((self._sums.center, self._sums.center + self._sums.scale), axis=1)
        counts = np.zeros((self.steps.size, 1), dtype=np.int64)
        self._sums.add(row_sums(walks, self._sums.center, self._sums.scale, edges, counts))
        if self.keys == self.scenario.keys:
            self._kept.append(self._weights(np.ascontiguousarray(walks[:, -1])))
        self.rows += rows
        self._chunk = max(1, min(2 * self._chunk, CHUNK_WORK // self._per_row))

    def _weights(self, scores: Floats) -> Floats:
        """Return entropy, largest weight and gradient of each variant and row, shape (3, variants, rows)."""
        from attnsim.kernels.softmax_statistics import softmax_statistics

        found = np.empty((3, len(VARIANTS), len(scores)))
        for place, factor in enumerate(self._factors):
            one = softmax_statistics(scores * factor)
            found[:, place] = one.entropy, one.largest, factor * one.jacobian_norm
        return found

    def raw(self) -> Estimate:
        """Return the spread of the raw scores within rows, at each checkpoint."""
        kurtosis = likely_kurtosis(self.scenario, self.steps, self.theory.excess_kurtosis)
        return self._sums.estimates(tail_of(self.scenario), kurtosis)["within_sd"]

    def weights(self) -> tuple[Estimate, Estimate, Estimate, Floats]:
        """Return entropy, largest weight, gradient and the gradient's median, each of shape (variants,)."""
        if not self._kept:
            unknown = np.full(len(VARIANTS), np.nan)
            return nothing_known(unknown), nothing_known(unknown.copy()), nothing_known(unknown.copy()), unknown.copy()
        whole = np.concatenate(self._kept, axis=2)
        self._kept = [whole]
        entropy, largest, gradient = whole
        rare = (1.0 - largest.mean(axis=1)) * self.rows < FEWEST_TELLING
        means, errors = _mean(gradient**2)
        root = np.sqrt(means)
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = np.where(root > 0.0, errors / (2.0 * root), np.nan)
        return (
            _estimate(*_mean(entropy), rare, self.rows),
            _estimate(*_mean(largest), rare, self.rows),
            _estimate(root, slope, rare, self.rows),
            np.median(gradient, axis=1),
        )


def _mean(values: Floats) -> tuple[Floats, Floats]:
    rows = values.shape[1]
    error = values.std(axis=1, ddof=1) / math.sqrt(rows) if rows > 1 else np.full(len(values), np.nan)
    return values.mean(axis=1), error


def _estimate(value: Floats, error: Floats, rare: NDArray[np.bool_], rows: int) -> Estimate:
    """Return an estimate without an interval where rare rows make most of it, or nothing varies."""
    known = np.where(rare | ~(error > 1e-12 * np.abs(value)), np.nan, error)
    reach = student_quantile(rows - 1) * known
    return Estimate(value, known, value - reach, value + reach)


def checkpoints(dim: int) -> NDArray[np.int64]:
    """Return up to eight dimensions, halving from the head's own down."""
    halved = {max(1, round(dim / 2**power)) for power in range(MOST_CHECKPOINTS)}
    return np.array(sorted(halved), dtype=np.int64)
