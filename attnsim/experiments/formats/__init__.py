"""Number formats: where exponentials and scores overflow, and what rounding costs the weights."""

from collections.abc import Iterator

import numpy as np

from attnsim.choices.sections import section_of
from attnsim.experiments.closed_forms import rules_at
from attnsim.experiments.formats import exact
from attnsim.experiments.formats.draws import Sampler
from attnsim.experiments.formats.orders import DIMS, PARTS, OrderedSums
from attnsim.experiments.formats.record import NAMES, NARROW, Chances, Formats
from attnsim.experiments.formats.weights import MOST_ROWS, WeightErrors
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

ELEMENTS = 16_000  # scores whose weights are computed in all formats between two results
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
        self.sums = OrderedSums(scenario.seed)

    def steps(self) -> Iterator[float]:
        """Do a piece of the work at a time; yield the share that is done."""
        own = self.sampler.dims.size - 1
        self.sampler.grow(own)
        yield 0.05
        yield from self._weights(0.05, 0.3)
        for name in range(len(NAMES)):
            self.sums.add_flat(name)
        yield 0.32
        beyond = self.chances.beyond.copy()
        for place, dim in enumerate(self.chances.dims):
            beyond[place] = exact.beyond(self.scenario, float(dim))
            self._put(beyond)
            yield 0.32 + 0.13 * place / beyond.size
        for place in (own, *range(own)):
            while self.sampler.rows[place] < self.sampler.wanted[place]:
                self.sampler.grow(place)
                yield 0.45 + 0.3 * float(self.sampler.rows.sum()) / max(1, int(self.sampler.wanted.sum()))
        pieces = [
            (part, place, name) for part in range(PARTS) for place in range(DIMS.size) for name in range(len(NARROW))
        ]
        for done, (part, place, name) in enumerate(pieces):
            self.sums.add_products(place, name, part)
            yield 0.75 + 0.25 * done / len(pieces)

    def _weights(self, start: float, end: float) -> Iterator[float]:
        s = self.scenario
        wanted = min(MOST_ROWS, max(FEWEST_ROWS, MOST_ELEMENTS // s.keys), s.rows)
        sampler = Sampler(s)  # a stream of its own place: the same rows as the first of the own dimension
        own = sampler.dims.size - 1
        sums, _first = sampler.draw(own)
        wanted = min(wanted, len(sums.scores))
        logits = [rule.logits(sums) for rule in self.rules]
        chunk = max(1, ELEMENTS // s.keys)
        for first in range(0, wanted, chunk):
            part = slice(first, min(wanted, first + chunk))
            for place in range(len(self.rules)):
                self.weights.add(place, sums.scores[part], logits[place][part], float(self.factors[place]))
            self.weights.rows += part.stop - part.start
            yield start + (end - start) * part.stop / wanted

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
            rounding=self.weights.result() if self.weights.rows else None,
            sums=self.sums.result() if fraction >= 0.3 else None,
            note=exact.why_no_chance(self.scenario),
            fraction=fraction,
        )
