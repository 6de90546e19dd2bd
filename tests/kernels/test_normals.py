"""Normals, uniforms and signs in bulk: bits first, then laws, then refusals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from attnsim.kernels.lanes import LANES
from attnsim.kernels.normals import BLOCK, normals, random_words, signs, uniforms
from attnsim.kernels.rng import philox4x32, stream_key

KEY = stream_key(11, "bulk")
FILLS = [normals, uniforms, signs, random_words]


def test_raw_words_are_those_of_the_checked_generator():
    number = 2**33  # block: its counters need more than 32 bits
    counters = np.zeros((LANES, 4), np.uint32)
    place = np.arange(LANES, dtype=np.uint64) + np.uint64(number * LANES)
    counters[:, 0], counters[:, 1] = place & np.uint64(0xFFFFFFFF), place >> np.uint64(32)
    wanted = philox4x32(counters, KEY.astype(np.uint32))
    got = random_words(KEY, BLOCK, number * BLOCK).reshape(4, LANES).T
    np.testing.assert_array_equal(got, wanted)


def test_normals_are_the_transform_of_these_words():
    words = random_words(KEY, BLOCK).reshape(4, LANES).astype(np.float64)
    radius = np.sqrt(-2.0 * np.log((words[0] + 0.5) * 2.0**-32))
    angle = np.pi * words[1].astype(np.uint32).astype(np.int32) * 2.0**-32 + np.pi * (words[1] % 2)
    got = normals(KEY, BLOCK).reshape(4, LANES)
    np.testing.assert_allclose(got[0], radius * np.cos(angle), atol=3e-6)
    np.testing.assert_allclose(got[1], radius * np.sin(angle), atol=3e-6)


@pytest.mark.parametrize("fill", FILLS)
@settings(max_examples=25, deadline=None)
@given(first=st.integers(0, 2**61), count=st.integers(0, 3000), cut=st.integers(0, 3000))
def test_any_cut_of_the_stream_gives_the_same_bits(fill, first, count, cut):
    cut = min(cut, count)
    whole = fill(KEY, count, first)
    parts = np.concatenate([fill(KEY, cut, first), fill(KEY, count - cut, first + cut)])
    assert whole.tobytes() == parts.tobytes()


def test_seeds_and_streams_give_unrelated_numbers():
    count = 1 << 18
    x = normals(stream_key(1, "a"), count)
    for other in (normals(stream_key(2, "a"), count), normals(stream_key(1, "b"), count), normals(KEY, count, count)):
        assert abs(np.corrcoef(x, other)[0, 1]) < 5 / np.sqrt(count)


def test_normals_have_the_moments_and_the_law_of_normals():
    count = 1 << 22
    x = normals(KEY, count).astype(np.float64)
    for power, moment in ((1, 0.0), (2, 1.0), (3, 0.0), (4, 3.0), (6, 15.0)):
        error = np.sqrt(stats.norm.moment(2 * power) - moment**2) / np.sqrt(count)
        assert abs(np.mean(x**power) - moment) < 5 * error, power
    assert stats.kstest(x[: 1 << 18], "norm").pvalue > 1e-3
    for lag in (1, 2, LANES, 2 * LANES):
        assert abs(np.mean(x[:-lag] * x[lag:])) < 5 / np.sqrt(count)
    for sigma in (2.0, 3.0, 4.0):
        share = 2 * stats.norm.sf(sigma)
        assert abs(np.sum(np.abs(x) > sigma) - count * share) < 5 * np.sqrt(count * share)
    assert np.abs(x).max() < 6.77


def test_the_variance_over_seeds_scatters_as_it_should():
    count, seeds = 4096, 1500
    z = [
        (normals(stream_key(s, "scatter"), count).astype(float).var() - 1.0) / np.sqrt(2.0 / count)
        for s in range(seeds)
    ]
    assert abs(np.mean(z)) < 5 / np.sqrt(seeds)
    assert abs(np.var(z) - 1.0) < 5 * np.sqrt(2.0 / seeds)


def test_uniforms_lie_inside_and_are_uniform():
    x = uniforms(KEY, 1 << 20)
    assert x.min() > 0.0
    assert x.max() < 1.0
    assert stats.kstest(x[: 1 << 18].astype(float), "uniform").pvalue > 1e-3


def test_signs_are_plus_or_minus_one_with_equal_odds():
    x = signs(KEY, 1 << 20)
    assert set(np.unique(x)) == {-1.0, 1.0}
    assert abs(x.astype(float).mean()) < 5 / np.sqrt(x.size)


@pytest.mark.parametrize("fill", FILLS)
def test_refusals_name_the_argument(fill):
    with pytest.raises(ValueError, match=r"key needs dtype uint64 and shape \(2,\); got uint64 and \(3,\)"):
        fill(np.zeros(3, np.uint64), 4)
    with pytest.raises(ValueError, match="key needs dtype uint64"):
        fill(np.zeros(2), 4)
    with pytest.raises(ValueError, match="count must be 0 or more, not -1"):
        fill(KEY, -1)
    with pytest.raises(ValueError, match="first must lie in"):
        fill(KEY, 4, -1)
