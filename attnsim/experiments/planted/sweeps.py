"""The planted key along dimension, keys and correlation: measured point by point, beside theory."""

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.scalings import Rule, Sums
from attnsim.experiments.attention import attend
from attnsim.experiments.drawn_sums import draw_sums
from attnsim.experiments.estimates import NORMAL_QUANTILE, student_quantile
from attnsim.experiments.planted.records import Sweep
from attnsim.experiments.planted.theory import found_chances, mean_weights, rules_for
from attnsim.experiments.requests import work_of
from attnsim.scenario import Scenario

Floats = NDArray[np.float64]

FIRST_WORK = 12_000  # variates of a point before the first picture
MOST_WORK = 1_000_000  # variates of a point, in the end
CHUNK = 250_000  # variates drawn at a time
FEWEST_ROWS = 16
LARGEST_ROW = 20_000_000  # variates of one row, beyond which the point is left out


class Point:
    """Draws rows of one scenario, and adds up what its rules give the planted key."""

    def __init__(self, scenario: Scenario, stream: str) -> None:
        self.scenario, self.stream, self.rules = scenario, stream, rules_for(scenario)
        row, key = work_of(scenario, 1)
        self.work = row + key * scenario.keys
        affordable = max(FEWEST_ROWS, MOST_WORK // self.work)
        self.wanted = 0 if self.work > LARGEST_ROW else min(scenario.rows, affordable)
        self.rows, self.found = 0, 0
        self._sums, self._squares = np.zeros(len(self.rules)), np.zeros(len(self.rules))
        self.expected, self.found_expected = np.full(len(self.rules), np.nan), math.nan

    @property
    def chunk(self) -> int:
        """Rows drawn at a time."""
        return max(1, CHUNK // self.work)

    def grow(self, most: int) -> None:
        """Draw more rows, at most so many in all."""
        rows = min(most, self.wanted) - self.rows
        if rows <= 0:
            return
        sums = draw_sums(self.scenario, self.stream, self.rows, rows)
        for place, rule in enumerate(self.rules):
            weights = _first_weights(rule, sums, self.scenario)
            self._sums[place] += weights.sum()
            self._squares[place] += weights @ weights
        if self.scenario.keys > 1:
            self.found += int((sums.scores[:, 0] > sums.scores[:, 1:].max(axis=1)).sum())
        else:
            self.found += rows
        self.rows += rows

    def ask_theory(self) -> None:
        """Take the closed forms."""
        self.expected = mean_weights(self.scenario)
        self.found_expected = float(found_chances(self.scenario, [self.scenario.keys])[0])

    def weights(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Return mean, standard error and ends of the 95 % interval for each rule, shape (rules,)."""
        nothing = np.full(len(self.rules), np.nan)
        if not self.rows:
            return nothing, nothing, nothing, nothing
        mean = self._sums / self.rows
        if self.rows < 2:
            return mean, nothing, nothing, nothing
        variance = np.maximum(self._squares / self.rows - mean**2, 0.0) * self.rows / (self.rows - 1)
        error = np.sqrt(variance / self.rows)
        reach = student_quantile(self.rows - 1) * error
        return mean, error, np.maximum(mean - reach, 0.0), np.minimum(mean + reach, 1.0)

    def share(self) -> tuple[float, float, float]:
        """Return the share of rows in which the key was found, and Wilson's 95 % interval."""
        if not self.rows:
            return math.nan, math.nan, math.nan
        n, share, z = self.rows, self.found / self.rows, NORMAL_QUANTILE
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        reach = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return share, max(0.0, middle - reach), min(1.0, middle + reach)


class Along:
    """One sweep: the scenario with one field at several values."""

    def __init__(self, scenario: Scenario, axis: str, values: list[float]) -> None:
        self.axis, self.at = axis, np.array(values, dtype=np.float64)
        self.rules = len(scenario.scalings)
        self.points = [_point(scenario, axis, value) for value in values]

    def first(self) -> Iterator[Callable[[], None]]:
        """Yield the work of a first look."""
        for point in self.points:
            if point is not None:
                few = max(1, FIRST_WORK // point.work)
                if few * point.work <= 2 * FIRST_WORK:
                    yield lambda point=point, few=few: point.grow(few)  # type: ignore[misc]

    def theory(self) -> Iterator[Callable[[], None]]:
        """Yield the closed forms."""
        yield from (point.ask_theory for point in self.points if point is not None)

    def rest(self) -> Iterator[Callable[[], None]]:
        """Yield the rest of the rows."""
        for point in self.points:
            if point is not None:
                for most in range(point.chunk, point.wanted + point.chunk, point.chunk):
                    yield lambda point=point, most=most: point.grow(most)  # type: ignore[misc]

    def result(self) -> Sweep:
        """Return what is known so far."""
        nothing = np.full(self.rules, np.nan)
        known = [(nothing,) * 4 if point is None else point.weights() for point in self.points]
        weight, error, low, high = (np.stack(part, axis=1) for part in zip(*known, strict=True))
        shares = [(math.nan,) * 3 if point is None else point.share() for point in self.points]
        found, found_low, found_high = (np.array(part) for part in zip(*shares, strict=True))
        expected = np.stack([nothing if point is None else point.expected for point in self.points], axis=1)
        chances = np.array([math.nan if point is None else point.found_expected for point in self.points])
        rows = np.array([0 if point is None else point.rows for point in self.points], dtype=np.int64)
        return Sweep(
            self.axis, self.at.copy(), rows, weight, error, low, high, expected, found, found_low, found_high, chances
        )


def _point(scenario: Scenario, axis: str, value: float) -> Point | None:
    """Return the point, or None where the scenario cannot be drawn there."""
    try:
        there = scenario.but(**{axis: int(value) if axis != "rho" else value})
        return Point(there, f"planted/{axis}/{value:g}")
    except ValueError:
        return None


def _first_weights(rule: Rule, sums: Sums, scenario: Scenario) -> Floats:
    """Return the weight of key 0 in each row."""
    if rule.is_linear and not rule.scaling.sink:
        lead = sums.scores - sums.scores[:, :1]
        lead *= float(rule.multiplier(sums.dim))
        with np.errstate(over="ignore"):
            return np.asarray(1.0 / np.exp(lead, out=lead).sum(axis=1))
    sight = scenario.sight(scenario.keys - 1)
    return attend(rule, sums, sight, scenario.mask, scenario.format).weights[:, 0].copy()
