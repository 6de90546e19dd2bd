"""Gradients over many rows, at a ladder of dimensions of the same draw."""

import math

import numpy as np

from attnsim.choices.laws import LAWS, Draws, Request
from attnsim.choices.scalings import Rule, Sums
from attnsim.experiments.attention import attend
from attnsim.experiments.closed_forms import rules_at
from attnsim.experiments.gradients.expected import rms_by_theory
from attnsim.experiments.gradients.records import QUANTITIES, Spread
from attnsim.experiments.gradients.softmax_gradient import jacobian_norm
from attnsim.experiments.gradients.statistics import mean_with_interval, median_with_interval, rms_with_interval
from attnsim.experiments.gradients.upstream import Upstream
from attnsim.experiments.records import Floats, Whole
from attnsim.experiments.requests import reads_norms, request_for, work_of
from attnsim.scenario import Scenario

MANY_KEYS, FEWEST_ROWS = 4096, 8
LEAST_TOP = 1024  # up to which the ladder goes where that is cheap
FIRST_WORK, MOST_WORK = 60_000, 240_000  # weights of a chunk
TOTAL_WORK = 4_500_000  # weights of all rows
MOST_ROW = 4_000_000  # random numbers of one row
MOST_COMPONENTS = 65_536  # of a row's keys, up to which every component is drawn for the gradient by q


class SpreadDraws:
    """Draws rows, and keeps the norms of their gradients.

    Parameters
    ----------
    scenario : Scenario
        With the lab's section.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = _widened(scenario)
        self._law = LAWS[scenario.law]
        self.dims = _ladder(scenario.dim, self.scenario.dim, scenario.keys)
        self.place = int(np.searchsorted(self.dims, scenario.dim))
        self._apart = across_is_free(self.scenario)
        self._whole = not self._apart and self._law.gives_norms and self.scenario.dim * scenario.keys <= MOST_COMPONENTS
        self._steps = np.arange(1, self.scenario.dim + 1, dtype=np.int64) if self._whole else self.dims
        self._rules = rules_at(self.scenario, self.dims)
        row, key = work_of(self.scenario, self._steps.size)
        drawn = row + key * scenario.keys
        self.too_large = drawn > MOST_ROW
        per_row = max(drawn, self.dims.size * scenario.keys * len(self._rules))
        self.wanted = min(scenario.rows, max(FEWEST_ROWS, TOTAL_WORK // per_row))
        self._chunk, self._most = max(1, FIRST_WORK // per_row), max(1, MOST_WORK // per_row)
        self._upstream = Upstream(scenario, "ensemble")
        self._norms: list[Floats] = []
        self._theory = np.full((len(QUANTITIES), len(self._rules), self.dims.size), np.nan)
        self._expected = 0
        self.rows = 0

    @property
    def fraction(self) -> float:
        """Share of the rows that are drawn."""
        return 1.0 if self.too_large else self.rows / self.wanted

    @property
    def complete(self) -> bool:
        """Whether all rows are drawn, and theory was asked at every dimension."""
        return self.too_large or (self.rows >= self.wanted and self._expected >= self.dims.size)

    def grow(self) -> None:
        """Draw the next rows; theory is asked at one more dimension, the scenario's first."""
        if self.rows < self.wanted:
            rows = min(self._chunk, self.wanted - self.rows)
            self._norms.append(self._measured(rows))
            self.rows += rows
            self._chunk = min(2 * self._chunk, self._most)
        if self._norms and self._expected < self.dims.size:
            order = np.roll(np.arange(self.dims.size), -self.place)
            at = int(order[self._expected])
            self._theory[:, :, at] = rms_by_theory(self.scenario, self._rules, int(self.dims[at]))
            self._expected += 1

    def result(self) -> Spread:
        """Return what is known so far."""
        if len(self._norms) > 1:
            self._norms = [np.concatenate(self._norms, axis=-1)]
        norms = self._norms[0]
        return Spread(
            dims=self.dims,
            place=self.place,
            rows=self.rows,
            norms=norms[:, :, self.place].copy(),
            median=median_with_interval(norms),
            mean=mean_with_interval(norms),
            rms=rms_with_interval(norms),
            theory=self._theory.copy(),
        )

    def _measured(self, rows: int) -> Floats:
        """Return the norms of new rows, shape (quantities, rules, dims, rows)."""
        scenario = self.scenario
        request = request_for(
            scenario, "gradients", self._steps, rows=rows, first_row=self.rows, keys=scenario.keys,
            norms=True if self._whole else reads_norms(scenario),
        )  # fmt: skip
        drawn = self._law.draw(request)
        across = self._across(rows) if self._apart else None
        norms = np.full((len(QUANTITIES), len(self._rules), self.dims.size, rows), np.nan)
        for at, dim in enumerate(self.dims):
            place = int(np.searchsorted(self._steps, dim))
            sums = _sums(drawn, place, int(dim))
            keys = _components(drawn, place) if self._whole else None
            length = np.sqrt(drawn.square[:, place])
            for number, rule in enumerate(self._rules):
                found, passed = self._passed(rule, sums)
                size = np.sqrt((passed**2).sum(axis=1))
                factor = abs(float(rule.factor(dim)))
                norms[0, number, at], norms[1, number, at] = found, size
                norms[3, number, at] = factor * size * length
                if keys is not None:
                    pulled = np.einsum("rj,rmj->rm", passed, keys)
                    norms[2, number, at] = factor * np.sqrt((pulled**2).sum(axis=1))
                elif across is not None:
                    along = (passed * sums.scores).sum(axis=1) / length
                    norms[2, number, at] = factor * np.sqrt(along**2 + across[:, at] * size**2)
        return norms

    def _passed(self, rule: Rule, sums: Sums) -> tuple[Floats, Floats]:
        """Return the softmax's norm, shape (rows,), and the gradient by the logits, shape (rows, keys)."""
        scenario = self.scenario
        sight = scenario.sight(scenario.keys - 1, first_row=self.rows)
        found = attend(rule, sums, sight, scenario.mask, scenario.format)
        passed, _target = self._upstream.through(found.weights, self.rows)
        return jacobian_norm(found.weights), passed

    def _across(self, rows: int) -> Floats:
        """Return sums of d - 1 squares of what the keys are across the query, shape (rows, dims)."""
        scenario = self.scenario
        spread = scenario.sigma_k * math.sqrt(1.0 - scenario.rho**2)
        steps = self.dims[self.dims > 1] - 1
        across = np.zeros((rows, self.dims.size))
        if steps.size:
            request = Request(
                seed=scenario.seed, stream="gradients/across", steps=steps, rows=rows, first_row=self.rows
            )
            across[:, self.dims > 1] = LAWS["normal"].draw(request).square
        return np.asarray(spread**2 * across)


def across_is_free(scenario: Scenario) -> bool:
    """Whether the keys' components across the query are independent normals of one spread.

    Notes
    -----
    The gradient by the query is a sum of keys whose coefficients add up to 0, so that what all keys share, their
    mean and their lean on the query, drops out. The coefficients depend on the scores alone. What is left across
    the query is then |dx| times a vector of d - 1 independent normals: exact, and drawn without components.
    """
    alike = scenario.aligned == "all" or scenario.keys == 1 or scenario.rho == 0.0
    return scenario.law == "normal" and scenario.r_q == scenario.r_k == 0.0 and alike


def _widened(scenario: Scenario) -> Scenario:
    """Return the scenario with a dimension up to which the ladder goes, beyond its own where that costs nothing."""
    if scenario.dim >= LEAST_TOP or scenario.keys > MANY_KEYS or not across_is_free(scenario):
        return scenario
    try:
        return scenario.but(dim=LEAST_TOP)
    except ValueError:  # a typed formula that makes no sense there
        return scenario


def _ladder(dim: int, top: int, keys: int) -> Whole:
    """Return powers of two, of sixteen for a large row, up to the widest dimension, and the scenario's own."""
    every = 1 if keys <= MANY_KEYS else 4
    powers = np.int64(1) << np.arange(0, top.bit_length(), every, dtype=np.int64)
    return np.union1d(powers[powers <= top], np.array([dim, top], dtype=np.int64))


def _sums(drawn: Draws, place: int, dim: int) -> Sums:
    walks = drawn.walks[:, place]
    if drawn.query_sum is None or drawn.key_sums is None or drawn.key_squares is None:
        return Sums(scores=walks, dim=dim)
    return Sums(
        scores=walks,
        dim=dim,
        query_sum=drawn.query_sum[:, place, None],
        query_square=drawn.square[:, place, None],
        key_sums=drawn.key_sums[:, place],
        key_squares=drawn.key_squares[:, place],
    )


def _components(drawn: Draws, place: int) -> Floats:
    """Return the first components of the keys, shape (rows, place + 1, keys)."""
    assert drawn.key_sums is not None
    return np.diff(drawn.key_sums[:, : place + 1], axis=1, prepend=0.0)
