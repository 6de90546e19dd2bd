"""Number formats: where exponentials and scores overflow, and what rounding costs the weights."""

from collections.abc import Iterator

import numpy as np

from attnsim.choices.scalings import Sums as RowSums
from attnsim.choices.sections import section_of
from attnsim.experiments.closed_forms import rules_at
from attnsim.experiments.formats import exact
from attnsim.experiments.formats.draws import Sampler
from attnsim.experiments.formats.orders import ordered_sums
from attnsim.experiments.formats.record import Chances, Formats
from attnsim.experiments.formats.weights import MOST_ROWS, WeightErrors
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

ELEMENTS = 8000  # scores whose weights are computed in all formats between two results
FEWEST_ROWS = 4
MOST_ELEMENTS = 600_000


def run(scenario: Scenario, vectors: Vectors | None = None) -> Iterator[Formats]:
    """Yield limits and chances of rows first, then drawn rows, errors of weights, sums, and the claim's chances.

    Parameters
    ----------
    scenario : Scenario
        `section.claim_score` is the score that is said to be reached easily. Its `format` and `mask` are not applied:
        all formats are, to all keys.
    vectors : None
    """
    if scenario.section is None:
        scenario = scenario.but(section=section_of("formats"))
    work = _Work(scenario)
    yield work.result(0.0)
    for fraction in work.steps():
        yield work.result(fraction)
    yield work.result(1.0)


class _Work:
    """What is known so far."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        own = np.array([scenario.dim])
        self.rules = rules_at(scenario, own)
        self.factors = np.array([float(rule.factor(scenario.dim)) for rule in self.rules])
        self.limits = exact.limits()
        self.own_overflow = exact.row_overflow(scenario, self.rules, own.astype(np.float64))[:, :, 0]
        self.own_beyond = exact.beyond(scenario, float(scenario.dim))
        self.chances: Chances = exact.start(scenario, self.rules)
        self.sampler, self.weights = Sampler(scenario), WeightErrors(scenario)
        self.sums = ordered_sums(scenario.seed)

    def steps(self) -> Iterator[float]:
        """Do a piece of the work at a time; yield the share that is done."""
        own = self.sampler.dims.size - 1
        first_rows, _first = self.sampler.draw(own)
        self.sampler.grow(own)
        yield 0.05
        for share in self._weights(first_rows):
            yield 0.05 + 0.25 * share
        beyond = self.chances.beyond.copy()
        for place, dim in enumerate(self.chances.dims):
            beyond[place] = exact.beyond(self.scenario, float(dim))
            self._put(beyond)
            yield 0.3 + 0.15 * place / beyond.size
        for place in (own, *range(own)):
            while self.sampler.rows[place] < self.sampler.wanted[place]:
                self.sampler.grow(place)
                yield 0.45 + 0.3 * float(self.sampler.rows.sum()) / max(1, int(self.sampler.wanted.sum()))
        while self.sums.fraction < 1.0:
            self.sums.grow()
            yield 0.75 + 0.25 * self.sums.fraction

    def _weights(self, sums: RowSums) -> Iterator[float]:
        """Compute the weights of some of the rows drawn in every format and way; yield the share that is done."""
        keys = self.scenario.keys
        wanted = min(MOST_ROWS, max(FEWEST_ROWS, MOST_ELEMENTS // keys), len(sums.scores))
        logits = [rule.logits(sums) for rule in self.rules]
        chunk = max(1, ELEMENTS // keys)
        for first in range(0, wanted, chunk):
            part = slice(first, min(wanted, first + chunk))
            for place in range(len(self.rules)):
                self.weights.add(place, sums.scores[part], logits[place][part])
                if keys > ELEMENTS:
                    yield first / wanted
            yield part.stop / wanted

    def _put(self, beyond: np.ndarray) -> None:
        known = self.chances
        self.chances = Chances(known.dims, known.row_overflow, beyond.copy(), known.border, known.sigmas, known.product)

    def result(self, fraction: float) -> Formats:
        """Return a frozen result."""
        return Formats(
            scenario=self.scenario,
            rules=self.rules,
            factors=self.factors.copy(),
            limits=self.limits,
            own_overflow=self.own_overflow.copy(),
            own_beyond=self.own_beyond,
            chances=self.chances,
            drawn=self.sampler.result() if self.sampler.rows.any() else None,
            rounding=self.weights.result() if self.weights.rows.all() else None,
            sums=self.sums.result() if self.sums.fraction else None,
            note=exact.why_no_chance(self.scenario),
            fraction=fraction,
        )
