"""Scaling rules side by side: on one row, along the dimension and the keys, and as the table of the first seed."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from attnsim.choices.sections.scalings import ScalingsOptions
from attnsim.experiments.checkpoints import row_checkpoints
from attnsim.experiments.closed_forms import theory_at
from attnsim.experiments.pace import paced
from attnsim.experiments.records import Walk
from attnsim.experiments.scalings.records import Scalings, SeedLine
from attnsim.experiments.scalings.scan import CHUNK_WORK, ScanDraw, affordable, changed, expected_at, powers_up_to
from attnsim.experiments.scalings.seed import PRINTED, fill_seed
from attnsim.experiments.table import fill_records
from attnsim.experiments.walk import RowDraw
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

TABLE_DIMS = tuple(sorted({line[0] for line in PRINTED}))  # those of the printed table
TABLE_WORK = 4_000_000  # variates that a dimension of the table may take
LINE_PLACES = 33  # dimensions at which theory is asked


def run(scenario: Scenario, vectors: Vectors | None = None) -> Iterator[Scalings]:
    """Yield what the scenario's rules do, ever better.

    Parameters
    ----------
    scenario : Scenario
        With the lab's options in its section, or those it begins with.
    vectors : None

    Yields
    ------
    Scalings
        The first holds the row, or its first keys; then come table, points and lines.
    """
    lab = ScalingsRun(scenario)
    lab.row.grow()
    yield lab.result()
    for _pause in paced(lab.work()):
        yield lab.result()
    yield lab.result()


def options_of(scenario: Scenario) -> ScalingsOptions:
    """Return the lab's options, as they begin where the scenario carries another lab's."""
    return scenario.section if isinstance(scenario.section, ScalingsOptions) else ScalingsOptions()


def line_places(last: int, *also: int) -> tuple[int, ...]:
    """Return whole numbers from 1 to `last`, evenly spread in their logarithm, and others."""
    places = np.unique(np.round(np.geomspace(1.0, last, LINE_PLACES)).astype(np.int64))
    return tuple(sorted({int(place) for place in places} | set(also)))


class ScalingsRun:
    """What is drawn and known of one scenario so far."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario, options = scenario, options_of(scenario)
        steps = row_checkpoints(scenario.dim, scenario.keys)
        self.row = RowDraw(scenario, steps)
        self._theory = theory_at(scenario, np.concatenate(([0], steps)))
        last_dim, last_keys = max(options.up_to_dim, scenario.dim), max(options.up_to_keys, scenario.keys)
        dims, keys = powers_up_to(last_dim, scenario.dim), powers_up_to(last_keys, scenario.keys)
        self._by_dim = ScanDraw(scenario, "dim", dims, line_places(last_dim, scenario.dim))
        self._by_keys = ScanDraw(scenario, "keys", keys, keys)
        self._table: list[dict[str, Any]] = []
        self._seed: list[SeedLine] = []
        self._walk: Walk | None = None

    def work(self) -> Iterator[None]:
        """Do all that is left, the most telling first."""
        yield from self._fill_table()
        yield from self._by_dim.ask()  # some ms for each dimension
        yield from self._by_dim.measure()
        yield from self._by_keys.measure()
        yield from fill_seed(self._seed, self.scenario, options_of(self.scenario).seed_keys)
        yield from self._by_keys.ask()  # some 60 for each number of keys, the first time
        while self.row.fraction < 1.0:
            self.row.grow()
            yield

    def _fill_table(self) -> Iterator[None]:
        """Fill in the table at the printed dimensions and the scenario's own."""
        for dim in sorted({*TABLE_DIMS, self.scenario.dim}):
            at = changed(self.scenario, "dim", dim)[1]
            rows = 0 if at is None else affordable(at, at.rows, TABLE_WORK)
            if at is not None and rows:
                records: list[dict[str, Any]] = []
                yield from fill_records(records, at.but(rows=rows), f"scalings/table/{dim}", CHUNK_WORK)
                self._table += [
                    record | {"theory_largest_weight": float(most), "theory_entropy": float(nats)}
                    for record, most, nats in zip(records, *expected_at(at), strict=True)
                ]
                yield

    @property
    def fraction(self) -> float:
        """Share of the work that is done."""
        lines = 0.5 * (self._by_dim.asked + self._by_keys.asked)
        parts = (
            self.row.fraction,
            self._by_dim.measured,
            self._by_keys.measured,
            lines,
            len(self._seed) / len(PRINTED),
        )
        return sum(parts) / len(parts)

    def result(self) -> Scalings:
        """Return what is known so far."""
        return Scalings(
            scenario=self.scenario,
            walk=self._walk_now(),
            by_dim=self._by_dim.result(),
            by_keys=self._by_keys.result(),
            table=tuple(self._table),
            seed=tuple(self._seed),
            fraction=self.fraction,
        )

    def _walk_now(self) -> Walk:
        """Return the row as a walk; the same one as long as it does not grow, so that figures can keep its weights."""
        row = self.row.result()
        if self._walk is None or self._walk.row is not row:
            self._walk = Walk(scenario=self.scenario, row=row, theory=self._theory, fraction=self.row.fraction)
        return self._walk
