"""The exact half of the phase diagram: means over the softmax along a line of one n, and a first sketch of all."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.closed_forms import score_moments
from attnsim.experiments.expectations import fewer_spreads, raw_spreads, why_none
from attnsim.experiments.phase.record import METRICS
from attnsim.scenario import Scenario
from attnsim.theory.random_energy import condensed, mean_maximum
from attnsim.theory.softmax_curve import interpolated_expectations
from attnsim.theory.softmax_expectations import Expectations, expectations
from attnsim.words import _

Floats = NDArray[np.float64]

SPREADS: Floats = np.exp2(np.arange(-12, 27) / 4.0)  # 1/8 .. 90
DIMS: Floats = np.unique(np.round(2.0 ** (np.arange(0, 33) / 2.0)))  # 1 .. 65,536
KEYS: Floats = np.exp2(np.arange(1, 17))  # 2 .. 65,536
SAMPLE_SPREADS: Floats = np.exp2(np.arange(-2, 7))  # 1/4 .. 64
SAMPLE_DIMS: Floats = np.exp2(2 * np.arange(0, 9))
SAMPLE_KEYS: Floats = np.exp2(2 * np.arange(1, 9))
SKETCH_SPREADS, SKETCH_KEYS = np.geomspace(0.3, 64.0, 10), np.array([2.0, 6.0, 32.0, 512.0, 65536.0])
LARGEST = 1e100  # of a typed formula's factor


def spreads_along(scenario: Scenario, dims: Floats, keys: float) -> Floats:
    """Return the spread within a row after each rule, shape (rules, dims); nan where a rule is no factor."""
    return np.asarray(np.abs(factors_along(scenario, dims, keys)) * _raw_spread(scenario, dims), dtype=np.float64)


def reach(scenario: Scenario, plane: str, x: Floats, keys: float) -> Floats:
    """Return how large a row's spread can be (at three deviations of the query's length) over s_c, shape (maps, x)."""
    threshold = math.sqrt(2.0 * math.log(max(keys, 2.0)))
    if plane == "spread":
        return np.asarray(x[None] / threshold, dtype=np.float64)
    return np.asarray(spreads_along(scenario, x, keys) * (1.0 + 3.0 / np.sqrt(2.0 * x)) / threshold)


def _raw_spread(scenario: Scenario, dims: Floats) -> Floats:
    return _raw_spreads(scenario, tuple(dims.tolist()))


@lru_cache(maxsize=16)
def _raw_spreads(scenario: Scenario, dims: tuple[float, ...]) -> Floats:
    variance = np.asarray(score_moments(scenario, np.array(dims)).within_row_variance, dtype=np.float64)
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)))


def factors_along(scenario: Scenario, dims: Floats, keys: float) -> Floats:
    """Return each rule's factor of the raw score at n keys, shape (rules, dims); nan where there is none."""
    try:
        there = scenario.but(keys=int(keys))
    except ValueError:  # a typed formula that makes no sense at this n
        return np.full((len(scenario.scalings), dims.size), np.nan)
    within = _raw_spread(scenario, dims)
    rules = there.rules_of(there.sight(there.keys - 1), steps=dims, spread=within)
    with np.errstate(all="ignore"):
        factors = np.array([rule.factor(dims) for rule in rules], dtype=np.float64)
    return np.where(np.abs(factors) < LARGEST, factors, np.nan)


def why_no_map(scenario: Scenario) -> str:
    """Return why the map over the dimension has no theory; empty where it has one."""
    if reason := why_none(scenario):
        return reason
    if scenario.law == "sign":
        return _("signs: exact sums at the points drawn and on the cut alone, where they are short")
    return ""


@lru_cache(maxsize=4)
def laws_of(scenario: Scenario, dims: tuple[int, ...]) -> tuple[tuple[Floats, Floats], ...]:
    """Return the raw spreads of a row and their chances at each dimension."""
    return tuple(fewer_spreads(*raw_spreads(scenario, dim, 1.0)) for dim in dims)


def line(scenario: Scenario, plane: str, x: Floats, keys: float) -> Floats:
    """Return the exact means at one n, shape (maps, 3, x), within 1e-5 (see `softmax_curve`)."""
    if plane == "spread":
        return _metrics(_means(keys, x), keys)[None]
    factors = factors_along(scenario, x, keys)
    result = np.full((len(factors), len(METRICS), x.size), np.nan)
    if why_no_map(scenario):
        return result
    laws = laws_of(scenario, tuple(int(dim) for dim in x))
    ends = np.cumsum([spreads.size for spreads, _chances in laws])[:-1]
    for place, factor in enumerate(np.abs(factors)):
        known = np.isfinite(factor)
        scaled = [f * spreads for f, (spreads, _chances) in zip(np.where(known, factor, 0.0), laws, strict=True)]
        means = np.split(_metrics(_means(keys, np.concatenate(scaled)), keys), ends, axis=1)
        averaged = np.stack([part @ chances for part, (_s, chances) in zip(means, laws, strict=True)], axis=1)
        result[place] = np.where(known, averaged, np.nan)
    return result


def _means(keys: float, spreads: Floats) -> Expectations:
    if keys == 1.0:  # the same at every spread, and a quadrature for each would be waited for
        return expectations(np.ones(spreads.size), 0.0)
    return interpolated_expectations(keys, spreads)


def _metrics(means: Expectations, keys: float) -> Floats:
    """Return the three numbers, shape (3, spreads)."""
    share = means.entropy / math.log(keys) if keys > 1.0 else np.full(means.entropy.shape, np.nan)
    return np.stack([means.sum_p2, np.clip(share, 0.0, 1.0), means.largest_weight])


def sketch(scenario: Scenario, plane: str, x: Floats) -> Floats:
    """Return a first map, shape (maps, 3, keys, x): a few quadratures with straight lines between them."""
    few = _sketch_table()
    maps = 1 if plane == "spread" else len(scenario.scalings)
    result = np.full((maps, len(METRICS), KEYS.size, x.size), np.nan)
    if plane == "dimension" and why_no_map(scenario):
        return result
    for row, keys in enumerate(KEYS):
        spreads = x[None] if plane == "spread" else spreads_along(scenario, x, keys)
        inside = np.log(np.clip(np.nan_to_num(spreads, nan=1.0), SKETCH_SPREADS[0], SKETCH_SPREADS[-1]))
        at = [
            [np.interp(math.log(keys), np.log(SKETCH_KEYS), column) for column in few[metric]]
            for metric in range(len(METRICS))
        ]
        for metric in range(len(METRICS)):
            values = np.interp(inside, np.log(SKETCH_SPREADS), at[metric])
            result[:, metric, row] = np.where(np.isfinite(spreads), values, np.nan)
    return result


@lru_cache(maxsize=1)
def _sketch_table() -> Floats:
    """Return the three numbers, shape (3, spreads, keys)."""
    means = expectations(SKETCH_KEYS, SKETCH_SPREADS[:, None])
    return np.stack([means.sum_p2, means.entropy / np.log(SKETCH_KEYS), means.largest_weight])


def border(x: Floats, spreads: Floats, threshold: float) -> float:
    """Return where a spread first reaches a threshold along x, by a power law between neighbours; nan if it never does.

    Parameters
    ----------
    x, spreads : float64 array, shape (x,)
    threshold : float
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        above = np.log(spreads / threshold)
    crossing = np.flatnonzero(above[:-1] * above[1:] <= 0.0)
    if not crossing.size or not np.all(np.isfinite(above[crossing[0] : crossing[0] + 2])):
        return math.nan
    at = int(crossing[0])
    low, high = above[at], above[at + 1]
    if low == high:
        return math.nan  # the spread stands still at the threshold
    share = low / (low - high)
    return float(x[at] ** (1.0 - share) * x[at + 1] ** share)


def limits(x: Floats, keys: float) -> Floats:
    """Return the condensed phase's limit law at spreads, shape (3, spreads), e_n for its threshold; nan below it."""
    if keys <= 1.0:
        return np.full((len(METRICS), x.size), np.nan)
    law = condensed(keys, x)
    return np.stack([law.sum_p2, law.entropy / math.log(keys), law.largest_weight])


def thresholds(keys: Floats) -> Floats:
    """Return s_c and e_n, shape (2, keys)."""
    return np.stack([np.sqrt(2.0 * np.log(keys)), mean_maximum(keys)])
