"""Drawn rows: how often exponentials, scores and claims are beyond what a format holds."""

import numpy as np

from attnsim.choices.laws import LAWS
from attnsim.choices.scalings import Sums as RowSums
from attnsim.experiments.closed_forms import rules_at
from attnsim.experiments.formats.exact import SIGMAS
from attnsim.experiments.formats.record import NAMES, Drawn, Floats
from attnsim.experiments.requests import check_norms, request_for, work_of
from attnsim.scenario import Scenario
from attnsim.theory.number_formats import format_limits

SAMPLE_DIMS: Floats = np.exp2(2 * np.arange(0, 9))
MOST_WORK = 2_000_000  # variates at a dimension
CHUNK = 400_000


class Sampler:
    """Draws rows at several dimensions, chunk by chunk."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.dims = np.append(SAMPLE_DIMS, float(scenario.dim))
        self.scenarios = [_at(scenario, int(dim)) for dim in self.dims]
        shape = len(scenario.scalings), len(NAMES), self.dims.size
        self._hits = np.zeros(shape)
        self._beyond, self._beyond_squares = np.zeros((2, self.dims.size))
        self._product, self._product_squares = np.zeros((2, len(NAMES), SIGMAS.size))
        self.rows = np.zeros(self.dims.size, dtype=np.int64)
        self.wanted = np.array([0 if one is None else _affordable(one) for one in self.scenarios])
        self._overflow = np.array([format_limits(name).overflow_score for name in NAMES])
        self._largest = np.array([format_limits(name).largest for name in NAMES])

    def draw(self, place: int) -> tuple[RowSums, int]:
        """Return the raw scores of the next rows at one of the dimensions, and their first row."""
        s = self.scenarios[place]
        assert s is not None
        row, key = work_of(s, 1)
        first = int(self.rows[place])
        rows = max(1, min(int(self.wanted[place]) - first, CHUNK // (row + s.keys * key)))
        stream = f"formats dimension {s.dim}" if place < len(SAMPLE_DIMS) else "formats own"
        steps = np.array([s.dim], dtype=np.int64)
        drawn = LAWS[s.law].draw(request_for(s, stream, steps, rows=rows, first_row=first, keys=s.keys))
        check_norms(s, drawn)
        return RowSums(
            scores=np.ascontiguousarray(drawn.walks[:, 0]),
            dim=s.dim,
            query_sum=drawn.query_sum,
            query_square=drawn.square,
            key_sums=None if drawn.key_sums is None else drawn.key_sums[:, 0],
            key_squares=None if drawn.key_squares is None else drawn.key_squares[:, 0],
        ), first

    def grow(self, place: int) -> None:
        """Draw the next chunk at one of the dimensions."""
        sums, _first = self.draw(place)
        s = self.scenarios[place]
        assert s is not None
        for number, rule in enumerate(rules_at(s, np.array([s.dim]))):
            highest = rule.logits(sums).max(axis=1)
            self._hits[number, :, place] += (highest[:, None] > self._overflow).sum(axis=0)
        sizes = np.abs(sums.scores)
        share = (sizes > float(s.section.claim_score)).mean(axis=1)
        self._beyond[place] += share.sum()
        self._beyond_squares[place] += (share**2).sum()
        if place == self.dims.size - 1:
            self._add_products(sizes / (s.sigma_q * s.sigma_k))
        self.rows[place] += len(sizes)

    def _add_products(self, sizes: Floats) -> None:
        ranked = np.sort(sizes, axis=1)
        for name, largest in enumerate(self._largest):
            for place, limit in enumerate(largest / SIGMAS):
                if limit < ranked[:, -1].max():
                    share = (ranked > limit).mean(axis=1)
                    self._product[name, place] += share.sum()
                    self._product_squares[name, place] += (share**2).sum()

    def result(self) -> Drawn:
        """Return what is known so far."""
        rows, own = self.rows.astype(np.float64), float(self.rows[-1])
        with np.errstate(divide="ignore", invalid="ignore"):
            share = self._hits / rows
            error = np.sqrt(share * (1.0 - share) / rows)
            beyond, product = self._beyond / rows, self._product / own
            beyond_error = np.sqrt((self._beyond_squares / rows - beyond**2) / rows)
            product_error = np.sqrt((self._product_squares / own - product**2) / own)
        return Drawn(
            dims=self.dims.copy(),
            rows=self.rows.copy(),
            row_overflow=share,
            row_error=error,
            beyond=beyond,
            beyond_error=beyond_error,
            product=product,
            product_error=product_error,
        )


def _at(scenario: Scenario, dim: int) -> Scenario | None:
    try:
        return scenario.but(dim=dim)
    except ValueError:  # what this law or a typed formula refuses at this dimension
        return None


def _affordable(scenario: Scenario) -> int:
    row, key = work_of(scenario, 1)
    return min(scenario.rows, MOST_WORK // (row + scenario.keys * key))
