"""Gradients of the one row on screen: the row of the lab "Walk to weights"."""

import numpy as np

from attnsim.choices.laws import LAWS
from attnsim.choices.scalings import Rule
from attnsim.experiments.attention import as_rows, attend
from attnsim.experiments.checkpoints import row_checkpoints
from attnsim.experiments.gradients.records import RowGradients
from attnsim.experiments.gradients.softmax_gradient import jacobian_norm
from attnsim.experiments.gradients.upstream import Upstream
from attnsim.experiments.records import Floats, Row
from attnsim.experiments.walk import RowDraw
from attnsim.scenario import Scenario

MOST_COMPONENTS = 1_000_000  # of the keys, up to which they are wanted one by one


class RowDraws:
    """Draws the row, and takes its gradients.

    Parameters
    ----------
    scenario : Scenario
    rules : tuple of Rule
        With the spread they know.
    """

    def __init__(self, scenario: Scenario, rules: tuple[Rule, ...]) -> None:
        self._scenario, self._rules = scenario, rules
        steps = row_checkpoints(scenario.dim, scenario.keys)
        self._whole = (
            LAWS[scenario.law].gives_norms
            and steps.size == scenario.dim
            and scenario.dim * scenario.keys <= MOST_COMPONENTS
        )
        self._draw = RowDraw(scenario, steps, norms=True if self._whole else None)
        self._upstream = Upstream(scenario, "row")

    @property
    def fraction(self) -> float:
        """Share of the keys that are drawn."""
        return self._draw.fraction

    def grow(self) -> RowGradients:
        """Draw keys, all of them where that takes milliseconds, and return the gradients of those there are."""
        self._draw.grow()
        row = self._draw.result()
        scenario, sums = self._scenario, row.sums(len(row.steps) - 1)
        count = len(self._rules), row.keys
        weights, passed, target = np.empty(count), np.empty(count), np.zeros(count[0], dtype=np.int64)
        norms = np.full((4, count[0]), np.nan)
        factors = np.array([float(rule.factor(scenario.dim)) for rule in self._rules])
        for place, rule in enumerate(self._rules):
            found = attend(rule, as_rows(sums), scenario.sight(scenario.keys - 1), scenario.mask, scenario.format)
            weights[place] = found.weights[0]
            gradient, targets = self._upstream.through(found.weights, first_row=0)
            passed[place], target[place] = gradient[0], targets[0]
            norms[0, place] = jacobian_norm(found.weights)[0]
        norms[1] = np.sqrt((passed**2).sum(axis=1))
        norms[3] = np.abs(factors) * norms[1] * row.query_norm[-1]
        query, keys = _components(row) if self._whole and row.keys == scenario.keys else (None, None)
        pulled = None if keys is None else factors[:, None] * (passed @ keys)
        if pulled is not None:
            norms[2] = np.sqrt((pulled**2).sum(axis=1))
        return RowGradients(row, factors, weights, passed, pulled, query, target, norms)


def _components(row: Row) -> tuple[Floats, Floats]:
    """Return q, shape (dim,), and K, shape (keys, dim), of a row that is known at every step."""
    assert row.query_sum is not None
    assert row.key_sums is not None
    return np.diff(row.query_sum), np.ascontiguousarray(np.diff(row.key_sums, axis=0).T, dtype=np.float64)
