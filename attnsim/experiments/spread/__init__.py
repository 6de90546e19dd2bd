"""Score spread: the law of the score at one dimension, and how its spread grows in four cases."""

from collections.abc import Iterator

import numpy as np

from attnsim.experiments.closed_forms import theory_at
from attnsim.experiments.pace import paced
from attnsim.experiments.records import Ensemble, Theory
from attnsim.experiments.spread.cases import Case, cases_of
from attnsim.experiments.spread.growth import GrowthDraw
from attnsim.experiments.spread.law import exact_chances, normal_chances
from attnsim.experiments.spread.records import Growth, Quantiles, Spread
from attnsim.experiments.spread.shares import Floats, ShapeDraw
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

SHAPE = 0.5  # share of the work that the ensemble at the scenario's dimension counts for


def run(scenario: Scenario, vectors: Vectors | None = None) -> Iterator[Spread]:
    """Yield the spread of a scenario's scores, ever better.

    Parameters
    ----------
    scenario : Scenario
        With the lab's options in its section, or those it begins with.
    vectors : None

    Yields
    ------
    Spread
        The first holds some rows at the scenario's dimension and the closed forms; then come the exact chances, the
        points along d and more rows.
    """
    lab = SpreadRun(scenario)
    lab.shape.grow()
    yield lab.result()
    lab.find_law()
    yield lab.result()
    for _pause in paced(lab.work()):
        yield lab.result()
    yield lab.result()


class SpreadRun:
    """What is drawn and known of one scenario so far."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        cases = cases_of(scenario)
        self.shape = ShapeDraw(scenario)
        self.growths = [GrowthDraw(case, scenario) for case in cases if case.scenario is not None]
        self.refused: tuple[Case, ...] = tuple(case for case in cases if case.scenario is None)
        self.theory: Theory = theory_at(scenario, np.array([scenario.dim], dtype=np.int64))
        self._law: tuple[Floats, Floats] | None = None
        self._known: list[Growth] = [draw.result() for draw in self.growths]
        self._done = [0.0] * len(self.growths)
        self._limit: Floats | None = None

    def find_law(self) -> None:
        """Find the exact chances of the scores at which quantiles are compared; some 60 ms."""
        self._law = exact_chances(self.shape)

    def work(self) -> Iterator[None]:
        """Do all that is left: the points of each case, then more rows."""
        for place, draw in enumerate(self.growths):
            for done in draw.steps():
                self._known[place], self._done[place] = draw.result(), done
                yield
        while self.shape.fraction < 1.0:
            self.shape.grow()
            yield

    def result(self) -> Spread:
        """Return what is known so far."""
        ensemble = self.shape.result(whole_density=True)
        low, high = self.shape.share_interval()
        growths = sum(self._done) / max(1, len(self._done))
        return Spread(
            scenario=self.scenario,
            theory=self.theory,
            ensemble=ensemble,
            share_low=low,
            share_high=high,
            limit=self._normal_limit(ensemble),
            quantiles=self._quantiles(),
            cases=tuple(self._known),
            refused=self.refused,
            fraction=SHAPE * self.shape.fraction + (1.0 - SHAPE) * growths,
        )

    def _quantiles(self) -> Quantiles:
        exact = self._law is not None
        chances, normal = self._law if self._law is not None else normal_chances(self.shape)
        return self.shape.quantiles(chances, normal, exact)

    def _normal_limit(self, ensemble: Ensemble) -> Floats:
        from attnsim.theory.score_density import normal_bins

        if self._limit is None:
            self._limit = normal_bins(ensemble.edges[0], float(self.theory.mean[0]), float(self.theory.sd[0]))
        return self._limit
