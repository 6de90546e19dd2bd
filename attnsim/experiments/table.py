"""The table over dimensions: what each scale rule makes of the scores and the weights."""

import math
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from attnsim.choices.laws import LAWS
from attnsim.choices.scalings import Rule, Sums
from attnsim.experiments.attention import attend
from attnsim.experiments.closed_forms import theory_at
from attnsim.experiments.ensemble import likely_kurtosis, tail_of
from attnsim.experiments.estimates import NORMAL_QUANTILE, RowSums, student_quantile
from attnsim.experiments.records import Theory
from attnsim.experiments.requests import check_norms, request_for, work_of
from attnsim.scenario import Scenario

FEWEST_ROWS = 100  # for an interval of a mean of weights
LEAST_SLACK = 10.0  # weight that all rows together leave to other keys than the largest, for such an interval
MOST_WORK = 4_000_000  # variates drawn at a time: 32 MB


def table(scenario: Scenario, dims: Sequence[int]) -> list[dict[str, Any]]:
    """Return a record for each dimension and scale rule.

    Parameters
    ----------
    scenario : Scenario
        Its `dim` is replaced by each of `dims` in turn.
    dims : sequence of int

    Returns
    -------
    list of dict
        `dim keys seed rows scaling mean sd sd_low sd_high largest_weight_mean
        largest_weight_median entropy_mean within_row_sd theory_sd theory_within_row_sd`, and `_low` and `_high` of
        mean, weights and entropy. Mean and sd are of the scaled scores over all pairs, with a 95 % interval, and
        within a row; None where there is none. Entropy is in nats. Weights are None where the number format
        overflowed.
    """
    return [record for dim in dims for record in records_of(scenario.but(dim=dim))]


def records_of(scenario: Scenario, stream: str = "table") -> list[dict[str, Any]]:
    """Return the records of the scenario's own dimension, a rule each."""
    records: list[dict[str, Any]] = []
    deque(fill_records(records, scenario, stream), maxlen=0)
    return records


def fill_records(
    records: list[dict[str, Any]], scenario: Scenario, stream: str, most_work: int = MOST_WORK
) -> Iterator[None]:
    """Append the records of the scenario's own dimension to a list, and yield after each chunk of rows.

    Parameters
    ----------
    records : list
    scenario : Scenario
    stream : str
        Keeps draws of different purposes apart.
    most_work : int
        Variates of a chunk; no number depends on it beyond rounding.
    """
    steps = np.array([scenario.dim], dtype=np.int64)
    theory = theory_at(scenario, steps)
    sight = scenario.sight(scenario.keys - 1)
    rules = scenario.rules_of(sight, steps=steps.astype(np.float64), spread=theory.within_sd)
    tallies = [RuleTally(scenario, rule, theory) for rule in rules]
    raw = None
    for first, sums in _chunks(scenario, stream, most_work):
        raw = raw or _sums(scenario, sums.scores, theory.mean, theory.sd)
        _add(raw, sums.scores)
        for tally in tallies:
            tally.add(sums, first)
        yield
    assert raw is not None
    records += [tally.record(raw) for tally in tallies]


class RuleTally:
    """What one rule makes of the rows of a scenario, chunk by chunk."""

    def __init__(self, scenario: Scenario, rule: Rule, theory: Theory) -> None:
        self.scenario, self.rule, self._theory = scenario, rule, theory
        self._plain = rule.is_linear and not rule.scaling.sink and (scenario.mask, scenario.format) == ("none", "fp64")
        self._own: RowSums | None = None
        self._parts: list[tuple[np.ndarray, np.ndarray]] = []

    def add(self, sums: Sums, first_row: int) -> None:
        """Add rows."""
        if self._plain:
            from attnsim.kernels.weight_rows import weight_rows

            self._parts.append(weight_rows(sums.scores, float(self.rule.multiplier(sums.dim))))
            return
        scenario = self.scenario
        sight = scenario.sight(scenario.keys - 1, first_row)
        found = attend(self.rule, sums, sight, scenario.mask, scenario.format)
        self._parts.append((found.largest, found.entropy))
        if not self.rule.is_linear:
            logits = self.rule.logits(sums)
            if self._own is None:
                self._own = _sums(scenario, logits, np.full(1, np.nan), np.full(1, np.nan))
            _add(self._own, logits)

    def record(self, raw: RowSums) -> dict[str, Any]:
        """Return the numbers of the table; mean and sd are of the exact logits of all keys, hidden or not."""
        scenario, rule = self.scenario, self.rule
        factor = float(rule.multiplier(scenario.dim)) if rule.is_linear else 1.0
        # logits that are not factors of the score are bounded, so that all their moments exist
        known = (
            self._own.estimates(math.inf)
            if self._own is not None
            else raw.estimates(
                tail_of(scenario), likely_kurtosis(scenario, self._theory.steps, self._theory.excess_kurtosis)
            )
        )
        largest, entropy = (np.concatenate(parts) for parts in zip(*self._parts, strict=True))
        slack = 1.0 - float(largest.mean())
        return {
            "dim": scenario.dim,
            "keys": scenario.keys,
            "seed": scenario.seed,
            "rows": scenario.rows,
            "scaling": rule.name,
            "mean": factor * float(known["mean"].value[0]),
            "sd": factor * float(known["sd"].value[0]),
            "sd_low": _number(factor * known["sd"].low[0]),
            "sd_high": _number(factor * known["sd"].high[0]),
            "largest_weight_mean": _number(largest.mean()),
            "largest_weight_median": _number(np.median(largest)),
            "entropy_mean": _number(entropy.mean()),
            "within_row_sd": _number(factor * known["within_sd"].value[0]),
            "theory_sd": self._theory_of(factor * self._theory.sd[0]),
            "theory_within_row_sd": self._theory_of(factor * self._theory.within_sd[0]),
            "mean_low": _number(factor * known["mean"].low[0]),
            "mean_high": _number(factor * known["mean"].high[0]),
            **_over_rows("largest_weight_mean", largest, slack),
            **_middle("largest_weight_median", largest),
            **_over_rows("entropy_mean", entropy, slack),
            "largest_weight_min": _number(largest.min()),
        }

    def _theory_of(self, scaled: float) -> float | None:
        """Return a number of theory, which knows the factor of a score and no other logits."""
        return _number(scaled) if self.rule.is_linear else None


def _chunks(scenario: Scenario, stream: str, most_work: int) -> Iterator[tuple[int, Sums]]:
    """Yield the end points of the rows, a chunk at a time: the first row, and sums of shape (rows, keys)."""
    law = LAWS[scenario.law]
    steps = np.array([scenario.dim], dtype=np.int64)
    row, key = work_of(scenario, 1)
    chunk = max(1, min(scenario.rows, most_work // (row + scenario.keys * key)))
    for first in range(0, scenario.rows, chunk):
        rows = min(chunk, scenario.rows - first)
        drawn = law.draw(request_for(scenario, stream, steps, rows=rows, first_row=first, keys=scenario.keys))
        check_norms(scenario, drawn)
        yield (
            first,
            Sums(
                scores=np.ascontiguousarray(drawn.walks[:, 0]),
                dim=scenario.dim,
                query_sum=drawn.query_sum,
                query_square=drawn.square,
                key_sums=None if drawn.key_sums is None else drawn.key_sums[:, 0],
                key_squares=None if drawn.key_squares is None else drawn.key_squares[:, 0],
            ),
        )


def _sums(scenario: Scenario, scores: np.ndarray, mean: np.ndarray, sd: np.ndarray) -> RowSums:
    center, scale = mean.copy(), sd.copy()
    if not (np.isfinite(scale[0]) and scale[0] > 0.0):
        center, scale = np.array([np.median(scores)]), np.array([max(float(np.std(scores)), 1e-300)])
    return RowSums(center, scale, scenario.keys)


def _add(sums: RowSums, scores: np.ndarray) -> None:
    x = (scores - sums.center[0]) / sums.scale[0]
    square = x * x
    powers = np.stack([part.mean(axis=1) for part in (x, square, square * x, square * square)], axis=1)
    sums.add(np.ascontiguousarray(powers[:, None, :]))


def _over_rows(name: str, values: np.ndarray, slack: float) -> dict[str, float | None]:
    """Return the 95 % interval of the mean over rows, which few rows cannot give: weights are far from normal.

    Where nearly all rows are saturated, a sample may well hold no other, and would claim to know the mean: the `slack`
    is the mean weight that is left to all keys but the largest.
    """
    mean, reach = float(values.mean()), math.nan
    if values.size >= FEWEST_ROWS and slack * values.size >= LEAST_SLACK:
        reach = student_quantile(values.size - 1) * float(values.std(ddof=1)) / math.sqrt(values.size)
    return {f"{name}_low": _number(mean - reach), f"{name}_high": _number(mean + reach)}


def _middle(name: str, values: np.ndarray) -> dict[str, float | None]:
    """Return a 95 % interval of the median over rows between two of the sorted values, which no law is needed for.

    References
    ----------
    H. A. David and H. N. Nagaraja, "Order Statistics", 3rd ed., 2003, Sec. 7.1.
    """
    size = values.size
    ordered = np.sort(values)
    first = math.floor(0.5 * (size - NORMAL_QUANTILE * math.sqrt(size)))  # so many of the values lie below the interval
    low, high = (ordered[first], ordered[size - 1 - first]) if first >= 0 else (math.nan, math.nan)
    return {f"{name}_low": _number(low), f"{name}_high": _number(high)}


def _number(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None
