"""Sums gathered block by block against numpy on the same scores."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from attnsim.kernels.compiled import compiled
from attnsim.kernels.lanes import LANES
from attnsim.kernels.rng import stream_key
from attnsim.kernels.score_exact import GaussianPair, exact_score_sums, exact_scores
from attnsim.kernels.score_sums import CHUNK, Grid, add_counts
from attnsim.kernels.threads import StoppedError

KEY = stream_key(3, "sums")


@settings(max_examples=20, deadline=None)
@given(count=st.integers(1, 5000), bins=st.integers(1, 300), reach=st.floats(0.01, 8.0))
def test_moments_and_counts_are_those_of_the_scores_themselves(count, bins, reach):
    pair = GaussianPair(dim=7, mean_q=0.4, rho=0.2)
    grid = Grid(pair.mean, pair.sd, pair.mean - reach * pair.sd, pair.mean + reach * pair.sd, bins)
    sums, scores = exact_score_sums(KEY, pair, count, grid), exact_scores(KEY, pair, count)
    assert sums.mean == pytest.approx(scores.mean(), rel=1e-11, abs=1e-11)
    if count > 1:
        assert sums.variance == pytest.approx(scores.var(ddof=1), rel=1e-10)
    if count > 4:
        assert sums.skewness == pytest.approx(stats.skew(scores), rel=1e-8, abs=1e-8)
        assert sums.excess_kurtosis == pytest.approx(stats.kurtosis(scores), rel=1e-8, abs=1e-8)
    assert sums.below + sums.counts.sum() + sums.above == count
    counts, _ = np.histogram(scores, grid.edges)
    assert np.abs(np.cumsum(sums.counts - counts)).max() <= 1  # a score within rounding of an edge


def test_one_score_has_no_variance():
    assert math.isnan(exact_score_sums(KEY, GaussianPair(dim=4), 1).variance)


@compiled
def _count(values, taken, numbers, tally):
    add_counts(values, taken, numbers, np.empty(LANES, np.int32), tally)


@pytest.mark.parametrize("taken", [LANES, LANES - 3])
def test_a_nan_counts_as_below_and_infinities_fall_on_their_side(taken):
    values = np.zeros(LANES)
    values[:4] = np.nan, -np.inf, np.inf, 1e300
    tally = np.zeros((4, 12), np.int64)
    _count(values, taken, Grid(0.0, 1.0, -1.0, 1.0, 10).numbers, tally)
    assert tally.sum(axis=0).tolist() == [2, 0, 0, 0, 0, 0, taken - 4, 0, 0, 0, 0, 2]


def test_scores_off_the_grid_are_counted_beside_it():
    assert exact_score_sums(KEY, GaussianPair(dim=4), 100, Grid(0.0, 1.0, 50.0, 51.0, 1)).below == 100


def test_gathering_stops_when_asked():
    with pytest.raises(StoppedError):
        exact_score_sums(KEY, GaussianPair(dim=4), 3 * CHUNK, stop=lambda: True)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"scale": 0.0}, "scale must be 1e-300 or more"),
        ({"center": math.nan}, "center finite"),
        ({"low": 2.0}, "low must lie 1e-300 or more below high"),
        ({"high": math.inf}, "low must lie 1e-300 or more below high"),
        ({"bins": 0}, "bins must lie in"),
    ],
)
def test_a_grid_refuses_what_it_cannot_count_in(fields, named):
    with pytest.raises(ValueError, match=named):
        Grid(**({"center": 0.0, "scale": 1.0, "low": -1.0, "high": 1.0} | fields))


def test_no_scores_are_refused():
    with pytest.raises(ValueError, match="count must be 1 or more, not 0"):
        exact_score_sums(KEY, GaussianPair(dim=4), 0)
