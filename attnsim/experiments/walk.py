"""Walk to weights: one draw through walk, scores and softmax, and the ensemble it belongs to."""

from collections.abc import Iterator

import numpy as np

from attnsim.choices.laws import LAWS, Draws
from attnsim.experiments import real_walk
from attnsim.experiments.checkpoints import Whole, row_checkpoints
from attnsim.experiments.closed_forms import theory_at
from attnsim.experiments.ensemble import EnsembleDraw
from attnsim.experiments.expectations import expected_weights
from attnsim.experiments.records import Floats, Row, Walk
from attnsim.experiments.requests import check_norms, request_for, work_of
from attnsim.experiments.walk_queries import queries_of
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

FIRST_COMPONENTS = 1_000_000  # of a law that is drawn component by component, before the first picture
MOST_COMPONENTS = 16_000_000  # at a time, later
DOUBLE_SCORES = 2_000_000  # scores over all checkpoints up to which they are kept in float64


def run(scenario: Scenario, vectors: Vectors | None = None) -> Iterator[Walk]:
    """Yield the walk of a scenario, or of real vectors, ever better.

    Parameters
    ----------
    scenario : Scenario
    vectors : Vectors, optional
        Real q and K: the row is theirs, and the scenario gives the scale rules alone.

    Yields
    ------
    Walk
        The first holds the whole row where that takes milliseconds, else its first keys. The row
        of later ones has more keys, never others.
    """
    if vectors is not None:
        yield from real_walk.run(scenario, vectors)
        return
    steps = row_checkpoints(scenario.dim, scenario.keys)
    theory = theory_at(scenario, np.concatenate(([0], steps)))
    row = RowDraw(scenario, steps)
    ensemble = EnsembleDraw(scenario, steps)
    row.grow()
    ensemble.grow()
    first, expected, queries = True, None, None
    while True:
        fraction = 0.5 * (row.fraction + ensemble.fraction)
        complete = fraction >= 1.0 and not first
        yield Walk(
            scenario=scenario,
            row=row.result(),
            theory=theory,
            ensemble=ensemble.result(whole_density=not first),
            fraction=1.0 if complete else min(fraction, 0.999),
            expected=expected,
            queries=queries,
        )
        if complete:
            return
        if first:  # behind the first picture: its quadratures take some 30 ms
            expected = expected_weights(scenario, ensemble.steps)
            queries = queries_of(scenario, ensemble.steps)
        first = False
        if row.fraction < 1.0:
            row.grow()
        if ensemble.fraction < 1.0:
            ensemble.grow()


class RowDraw:
    """Draws the keys of the one row on the screen, all at once or a part at a time.

    Parameters
    ----------
    scenario : Scenario
    steps : int64 array
        Checkpoints, from 1 to the dimension.
    norms : bool, optional
        Whether the sums behind the lengths of the keys are wanted; where a rule reads them when left out.
    """

    def __init__(self, scenario: Scenario, steps: Whole, norms: bool | None = None) -> None:
        self.scenario, self.steps = scenario, steps
        self._wanted = {} if norms is None else {"norms": norms}
        self._law = LAWS[scenario.law]
        self._parts: list[list[np.ndarray]] = []
        self._drawn = 0
        self._given: Draws | None = None
        self._result: Row | None = None

    @property
    def fraction(self) -> float:
        """Share of the keys that are drawn."""
        return self._drawn / self.scenario.keys

    def grow(self) -> None:
        """Draw more keys of the same row."""
        left = self.scenario.keys - self._drawn
        if self._law.exact_blocks:
            keys = left
        else:
            _row, key = work_of(self.scenario, self.steps.size)
            affordable = FIRST_COMPONENTS if not self._drawn else min(MOST_COMPONENTS, self._drawn * key)
            keys = min(left, max(2, affordable // key // 2 * 2))
        request = request_for(self.scenario, "row", self.steps, keys=keys, first_key=self._drawn, **self._wanted)
        self._given = self._law.draw(request)
        check_norms(self.scenario, self._given)
        given = self._given
        drawn = (given.walks, given.key_sums, given.key_squares)
        self._parts.append([self._kept(part) for part in drawn if part is not None])
        self._drawn += keys
        self._result = None

    def _kept(self, part: np.ndarray) -> np.ndarray:
        """Return the one row's running sums with the start, where all are 0, before them."""
        kind = np.float64 if self.scenario.keys * self.steps.size <= DOUBLE_SCORES else np.float32
        kept = np.zeros((self.steps.size + 1, part.shape[2]), dtype=kind)
        kept[1:] = part[0]
        return kept

    def result(self) -> Row:
        """Return the row as far as it is drawn."""
        if self._given is None:
            raise RuntimeError("grow() comes before result()")
        if self._result is None:
            if len(self._parts) > 1:
                self._parts = [[np.concatenate(parts, axis=1) for parts in zip(*self._parts, strict=True)]]
            walks, *norms = self._parts[0]
            given = self._given
            self._result = Row(
                steps=np.concatenate(([0], self.steps)),
                walks=walks,
                mean=_from_zero(given.mean),
                sd=_from_zero(given.sd),
                aligned_mean=_from_zero(given.aligned_mean),
                aligned_sd=_from_zero(given.aligned_sd),
                query_norm=np.sqrt(_from_zero(given.square)),
                kurtosis=_from_zero(given.kurtosis),
                keys_total=self.scenario.keys,
                aligned_key=0 if self.scenario.aligned == "one" else None,
                query_sum=None if given.query_sum is None else _from_zero(given.query_sum),
                key_sums=norms[0] if norms else None,
                key_squares=norms[1] if norms else None,
            )
        return self._result


def _from_zero(values: Floats) -> Floats:
    """Put the start, where every sum is 0, before the one row's values."""
    return np.concatenate(([0.0], values[0]))


def last(scenario: Scenario, vectors: Vectors | None = None) -> Walk:
    """Return the best result."""
    result = None
    for result in run(scenario, vectors):  # noqa: B007
        pass
    assert result is not None
    return result
