"""Largest weight and entropy of each rule along the dimension or the number of keys."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.estimates import NORMAL_QUANTILE
from attnsim.experiments.expectations import expected_weights
from attnsim.experiments.records import Estimate
from attnsim.experiments.requests import work_of
from attnsim.experiments.scalings.records import Scan
from attnsim.experiments.table import fill_records
from attnsim.scenario import Scenario
from attnsim.words import _

Floats = NDArray[np.float64]

ROWS, FEWEST_ROWS = 1000, 8
POINT_WORK = 2_000_000  # variates that one point may take
CHUNK_WORK = 300_000  # variates between two yields
NAMES = ("largest_weight_mean", "largest_weight_median", "entropy_mean")


def powers_up_to(last: int, *also: int) -> tuple[int, ...]:
    """Return the powers of two up to a number, that number, and others, ascending."""
    return tuple(sorted({2**power for power in range(last.bit_length())} | {last, *also}))


def affordable(scenario: Scenario, most: int, work: int) -> int:
    """Return how many of the scenario's rows, at most `most`, take no more than some work; 0 if too few."""
    row, key = work_of(scenario, 1)
    rows = min(scenario.rows, most, work // (row + scenario.keys * key))
    return rows if rows >= min(FEWEST_ROWS, scenario.rows) else 0


def changed(
    scenario: Scenario, field: str, value: int, reasons: dict[str, str] | None = None
) -> tuple[list[int], Scenario | None]:
    """Return a scenario with another value of a field, with those of its rules that allow it.

    Parameters
    ----------
    scenario : Scenario
    field : {"dim", "keys"}
    value : int
    reasons : dict, optional
        Takes up, by rule, why it was refused first.

    Returns
    -------
    rules : list of int
        Places of the rules that are left.
    scenario : Scenario or None
        None where none is left: the law itself, or each of the rules, has no such value.
    """
    allowed = []
    for place, name in enumerate(scenario.scalings):
        try:
            scenario.but(**{field: value}, scalings=(name,))
        except ValueError as refusal:
            if reasons is not None:
                reasons.setdefault(name, str(refusal))
        else:
            allowed.append(place)
    names = tuple(scenario.scalings[place] for place in allowed)
    return allowed, scenario.but(**{field: value}, scalings=names) if names else None


class ScanDraw:
    """Measures a scenario with one field changed, a value at a time.

    Parameters
    ----------
    scenario : Scenario
    field : {"dim", "keys"}
    at, line_at : sequence of int
        Values that are measured, and values at which theory is asked.

    Attributes
    ----------
    measured, asked : float
        Shares of the work that are done.
    """

    def __init__(self, scenario: Scenario, field: str, at: Sequence[int], line_at: Sequence[int]) -> None:
        self._scenario, self._field = scenario, field
        self.measured = self.asked = 0.0
        self._at, self._line_at = (np.array(values, dtype=np.int64) for values in (at, line_at))
        rules = len(scenario.scalings)
        self._rows = np.zeros(self._at.size, dtype=np.int64)
        self._found = {name: np.full((4, rules, self._at.size), np.nan) for name in NAMES}
        self._lines = np.full((2, rules, self._line_at.size), np.nan)
        self._reasons: dict[str, str] = {}  # by rule, the first

    def measure(self) -> Iterator[None]:
        """Measure value after value."""
        for place, value in enumerate(self._at):
            rules, scenario = changed(self._scenario, self._field, int(value), self._reasons)
            rows = 0 if scenario is None else affordable(scenario, ROWS, POINT_WORK)
            if scenario is not None and rows:
                records: list[dict[str, Any]] = []
                stream = f"scalings/{scenario.dim}/{scenario.keys}"
                yield from fill_records(records, scenario.but(rows=rows), stream, CHUNK_WORK)
                self._rows[place] = rows
                for rule, record in zip(rules, records, strict=True):
                    for name in NAMES:
                        self._found[name][:, rule, place] = estimate_of(record, name)
            elif scenario is not None:
                self._reasons.setdefault("", _("too much work to draw component by component"))
            self.measured = (place + 1) / self._at.size
            yield

    def ask(self) -> Iterator[None]:
        """Ask theory at value after value."""
        for place, value in enumerate(self._line_at):
            rules, scenario = changed(self._scenario, self._field, int(value))
            if scenario is not None:
                self._lines[:, rules, place] = expected_at(scenario)
            self.asked = (place + 1) / self._line_at.size
            yield

    def result(self) -> Scan:
        """Return what is known so far."""
        largest, median, entropy = (Estimate(*self._found[name].copy()) for name in NAMES)
        return Scan(
            field=self._field,
            at=self._at,
            rows=self._rows.copy(),
            largest=largest,
            median=median,
            entropy=entropy,
            line_at=self._line_at,
            line_largest=self._lines[0].copy(),
            line_entropy=self._lines[1].copy(),
            reasons=tuple(dict.fromkeys(self._reasons.values())),
        )


def expected_at(scenario: Scenario) -> tuple[Floats, Floats]:
    """Return what theory expects of largest weight and entropy at a scenario's dimension, shape (rules,) each."""
    expected = expected_weights(scenario, [scenario.dim])
    return expected.largest_weight[:, 0], expected.entropy[:, 0]


def estimate_of(record: dict[str, Any], name: str) -> tuple[float, float, float, float]:
    """Return value, standard error and 95 % interval of a number of the table; nan for what is not known."""
    value, low, high = (np.nan if x is None else float(x) for x in (record[name], *_ends(record, name)))
    return value, (high - low) / (2.0 * NORMAL_QUANTILE), low, high


def _ends(record: dict[str, Any], name: str) -> tuple[float | None, float | None]:
    return record[f"{name}_low"], record[f"{name}_high"]
