"""Scaling rules side by side: on one row, along the dimension and the keys, and as the table of the first seed."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from attnsim.choices.sections.scalings import ScalingsOptions
from attnsim.experiments.checkpoints import row_checkpoints
from attnsim.experiments.closed_forms import theory_at
from attnsim.experiments.records import Walk
from attnsim.experiments.scalings.records import Scalings, SeedLine
from attnsim.experiments.scalings.scan import ScanDraw, affordable, changed, expected_at, powers_up_to
from attnsim.experiments.scalings.seed import PRINTED, seed_lines
from attnsim.experiments.table import records_of
from attnsim.experiments.walk import RowDraw
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

TABLE_DIMS = tuple(sorted({line[0] for line in PRINTED}))  # those of the printed table
TABLE_WORK = 4_000_000  # variates that a dimension of the table may take
LINE_PLACES = 33  # dimensions at which theory is asked
PARTS = 5.0  # of the work: row, scan over d, scan over n, theory, tables


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
    for work in (lab.fill_table, lab.scan_dims, lab.scan_keys, lab.fill_seed, lab.ask):
        for _each in work():
            yield lab.result()
    while lab.row.fraction < 1.0:
        lab.row.grow()
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
        self._scans = self._by_dim.result(), self._by_keys.result()
        self._table: list[dict[str, Any]] = []
        self._seed: list[SeedLine] = []
        self._done = dict.fromkeys(("dims", "keys", "lines", "tables"), 0.0)
        self._walk: Walk | None = None

    def fill_table(self) -> Iterator[None]:
        """Fill in the table at the printed dimensions and the scenario's own."""
        for dim in sorted({*TABLE_DIMS, self.scenario.dim}):
            at = changed(self.scenario, "dim", dim)[1]
            rows = 0 if at is None else affordable(at, at.rows, TABLE_WORK)
            if at is not None and rows:
                largest, entropy = expected_at(at)
                known = zip(records_of(at.but(rows=rows), "scalings/table"), largest, entropy, strict=True)
                self._table += [
                    record | {"theory_largest_weight": float(most), "theory_entropy": float(nats)}
                    for record, most, nats in known
                ]
                yield

    def scan_dims(self) -> Iterator[None]:
        """Measure along the dimension."""
        for done in self._by_dim.measure():
            self._note("dims", done)
            yield

    def scan_keys(self) -> Iterator[None]:
        """Measure along the number of keys."""
        for done in self._by_keys.measure():
            self._note("keys", done)
            yield

    def fill_seed(self) -> Iterator[None]:
        """Compare the printed table, line by line."""
        for line in seed_lines(self.scenario, options_of(self.scenario).seed_keys):
            self._seed.append(line)
            self._note("tables", len(self._seed) / len(PRINTED))
            yield

    def ask(self) -> Iterator[None]:
        """Ask theory: some ms for each dimension, some 60 for each number of keys the first time."""
        for scan, share in ((self._by_dim, 0.0), (self._by_keys, 0.5)):
            for done in scan.ask():
                self._note("lines", share + 0.5 * done)
                yield

    def _note(self, part: str, done: float) -> None:
        self._done[part] = done
        self._scans = self._by_dim.result(), self._by_keys.result()

    def result(self) -> Scalings:
        """Return what is known so far."""
        by_dim, by_keys = self._scans
        return Scalings(
            scenario=self.scenario,
            walk=self._walk_now(),
            by_dim=by_dim,
            by_keys=by_keys,
            table=tuple(self._table),
            seed=tuple(self._seed),
            fraction=(self.row.fraction + sum(self._done.values())) / PARTS,
        )

    def _walk_now(self) -> Walk:
        """Return the row as a walk; the same one as long as it does not grow, so that figures can keep its weights."""
        row = self.row.result()
        if self._walk is None or self._walk.row is not row:
            self._walk = Walk(scenario=self.scenario, row=row, theory=self._theory, fraction=self.row.fraction)
        return self._walk
