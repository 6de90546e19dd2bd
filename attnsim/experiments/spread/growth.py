"""Spread along the dimension, case by case: measured on rows of their own at each dimension, beside the closed form."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.closed_forms import score_moments
from attnsim.experiments.ensemble import EnsembleDraw
from attnsim.experiments.records import Estimate
from attnsim.experiments.spread.cases import Case, measured_dims
from attnsim.experiments.spread.records import Growth
from attnsim.scenario import Scenario

Floats = NDArray[np.float64]

ROWS = 1000
FEWEST_ROWS = 8
POINT_WORK, MOST_POINT_WORK = 400_000, 6_000_000  # variates that a point should take, and that it may take
PLACES = 121  # of the closed forms' lines


class PointDraw(EnsembleDraw):
    """An ensemble of many rows of few keys: spreads over all pairs are as certain as the queries are many.

    Each case and dimension has random numbers of its own, so that points err independently.
    """

    most_keys = 8
    first_work = most_work = POINT_WORK

    def __init__(self, key: str, scenario: Scenario) -> None:
        super().__init__(scenario, np.array([scenario.dim], dtype=np.int64))
        self.stream = f"spread/{key}/{scenario.dim}"


class GrowthDraw:
    """Measures one case, a dimension at a time.

    Parameters
    ----------
    case : Case
        One that the law allows.
    scenario : Scenario
        Of the lab: it says which dimensions are looked at.
    """

    def __init__(self, case: Case, scenario: Scenario) -> None:
        assert case.scenario is not None
        self.case, self._scenario = case, case.scenario
        dims = list(measured_dims(scenario)) if case.everywhere else [scenario.dim]
        self.dims = np.array(dims, dtype=np.int64)
        self._rows = np.zeros(self.dims.size, dtype=np.int64)
        self._sd, self._within = (np.full((4, self.dims.size), np.nan) for _each in range(2))
        self._theory_sd, self._theory_within = _spreads(case.scenario, self.dims.astype(np.float64))
        self._line = np.geomspace(1.0, float(self.dims[-1]), PLACES)
        self._line_sd, self._line_within = _spreads(case.scenario, self._line)
        self._crossover = case.crossover

    def steps(self) -> Iterator[float]:
        """Measure point after point, and yield the share that is done."""
        for place, dim in enumerate(self.dims):
            at = self._rows_at(int(dim))
            if at is not None:
                draw = PointDraw(self.case.key, at)
                while draw.fraction < 1.0:
                    draw.grow()
                known = draw.estimates()
                self._rows[place] = draw.rows
                for kept, estimate in ((self._sd, known["sd"]), (self._within, known["within_sd"])):
                    kept[:, place] = [part[0] for part in (estimate.value, estimate.error, estimate.low, estimate.high)]
            yield (place + 1) / self.dims.size

    def _rows_at(self, dim: int) -> Scenario | None:
        """Return the case at a dimension, with as many rows as a short time allows; None where it allows too few."""
        at = self._scenario.but(dim=dim)
        work = PointDraw(self.case.key, at).work_per_row
        rows = max(FEWEST_ROWS, min(ROWS, POINT_WORK // work))
        return at.but(rows=rows) if rows * work <= MOST_POINT_WORK else None

    def result(self) -> Growth:
        """Return what is known so far."""
        return Growth(
            case=self.case,
            dims=self.dims,
            rows=self._rows.copy(),
            sd=Estimate(*self._sd.copy()),
            within_sd=Estimate(*self._within.copy()),
            theory_sd=self._theory_sd,
            theory_within_sd=self._theory_within,
            line_dims=self._line,
            line_sd=self._line_sd,
            line_within_sd=self._line_within,
            crossover=self._crossover,
        )


def _spreads(scenario: Scenario, dims: Floats) -> tuple[Floats, Floats]:
    """Return standard deviations over all pairs and within a row, of scores of whole vectors."""
    found = score_moments(scenario, dims)
    variance, within = (np.asarray(part, dtype=np.float64) for part in (found.variance, found.within_row_variance))
    return np.sqrt(np.maximum(variance, 0.0)), np.sqrt(np.maximum(within, 0.0))
