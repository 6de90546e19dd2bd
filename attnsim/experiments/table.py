"""The table over dimensions: what each scale rule makes of the scores and the weights."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from attnsim.choices.laws import LAWS
from attnsim.experiments.closed_forms import theory_at
from attnsim.experiments.ensemble import tail_of
from attnsim.experiments.estimates import RowSums
from attnsim.experiments.requests import request_for, work_of
from attnsim.scenario import Scenario

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
        largest_weight_median entropy_mean within_row_sd theory_sd theory_within_row_sd`. Mean and
        sd are of the scaled scores over all pairs, with a 95 % interval, and within a row; None
        where there is none. Entropy is in nats.
    """
    return [record for dim in dims for record in _records(scenario.but(dim=dim))]


def _records(scenario: Scenario) -> Iterable[dict[str, Any]]:
    from attnsim.kernels.weight_rows import weight_rows

    sums, chunks = None, []
    rules = scenario.rules
    for scores in _scores(scenario):
        sums = sums or _sums(scenario, scores)
        _add(sums, scores)
        chunks.append([weight_rows(scores, float(rule.multiplier(scenario.dim))) for rule in rules])
    assert sums is not None
    theory = theory_at(scenario, np.array([scenario.dim], dtype=np.int64))
    known = sums.estimates(tail_of(scenario), theory.excess_kurtosis)
    for place, rule in enumerate(rules):
        factor = float(rule.multiplier(scenario.dim))
        largest, entropy = (np.concatenate([chunk[place][part] for chunk in chunks]) for part in (0, 1))
        yield {
            "dim": scenario.dim,
            "keys": scenario.keys,
            "seed": scenario.seed,
            "rows": scenario.rows,
            "scaling": rule.name,
            "mean": factor * float(known["mean"].value[0]),
            "sd": factor * float(known["sd"].value[0]),
            "sd_low": _number(factor * known["sd"].low[0]),
            "sd_high": _number(factor * known["sd"].high[0]),
            "largest_weight_mean": float(largest.mean()),
            "largest_weight_median": float(np.median(largest)),
            "entropy_mean": float(entropy.mean()),
            "within_row_sd": _number(factor * known["within_sd"].value[0]),
            "theory_sd": _number(factor * theory.sd[0]),
            "theory_within_row_sd": _number(factor * theory.within_sd[0]),
        }


def _scores(scenario: Scenario) -> Iterable[np.ndarray]:
    """Yield the end points of the rows, a chunk at a time, each of shape (rows, keys)."""
    law = LAWS[scenario.law]
    steps = np.array([scenario.dim], dtype=np.int64)
    row, key = work_of(scenario, 1)
    chunk = max(1, min(scenario.rows, MOST_WORK // (row + scenario.keys * key)))
    for first in range(0, scenario.rows, chunk):
        rows = min(chunk, scenario.rows - first)
        request = request_for(scenario, "table", steps, rows=rows, first_row=first, keys=scenario.keys)
        yield np.ascontiguousarray(law.draw(request).walks[:, 0])


def _sums(scenario: Scenario, scores: np.ndarray) -> RowSums:
    theory = theory_at(scenario, np.array([scenario.dim], dtype=np.int64))
    center, scale = theory.mean.copy(), theory.sd.copy()
    if not (np.isfinite(scale[0]) and scale[0] > 0.0):
        center, scale = np.array([np.median(scores)]), np.array([max(float(np.std(scores)), 1e-300)])
    return RowSums(center, scale, scenario.keys)


def _add(sums: RowSums, scores: np.ndarray) -> None:
    x = (scores - sums.center[0]) / sums.scale[0]
    square = x * x
    powers = np.stack([part.mean(axis=1) for part in (x, square, square * x, square * square)], axis=1)
    sums.add(np.ascontiguousarray(powers[:, None, :]))


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
