"""Whole paths: of signs, of normal steps, and of the products of real vectors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from attnsim.kernels.normals import normals
from attnsim.kernels.rng import stream_key
from attnsim.kernels.walk_ends import walk_ends
from attnsim.kernels.walk_paths import normal_paths, product_paths, sign_paths

KEY = stream_key(12, "paths")


@given(dim=st.integers(1, 600), walks=st.integers(0, 9), first=st.integers(0, 50))
@settings(max_examples=40, deadline=None)
def test_a_sign_path_takes_steps_of_1_and_ends_where_its_end_point_is(dim, walks, first):
    paths = sign_paths(KEY, dim, walks, first)
    assert paths.shape == (walks, dim)
    assert (np.abs(np.diff(paths, axis=1, prepend=0)) == 1).all()
    np.testing.assert_array_equal(paths[:, -1], walk_ends(KEY, dim, walks, first))


def test_a_longer_walk_begins_like_the_shorter_one():
    np.testing.assert_array_equal(sign_paths(KEY, 1000, 3)[:, :77], sign_paths(KEY, 77, 3))


def test_long_walks_are_counted_in_wider_numbers():
    assert sign_paths(KEY, 32_767, 1).dtype == np.int16
    long = sign_paths(KEY, 70_001, 2)
    assert long.dtype == np.int32
    np.testing.assert_array_equal(long[:, -1], walk_ends(KEY, 70_001, 2))
    np.testing.assert_array_equal(long[:, :32_767], sign_paths(KEY, 32_767, 2))


def test_steps_are_even_and_know_nothing_of_the_one_before():
    steps = np.diff(sign_paths(KEY, 1000, 1000), axis=1, prepend=0).astype(np.float64)
    five = 5.0 / np.sqrt(steps.size)
    assert abs(steps.mean()) < five
    assert np.abs(steps.mean(axis=0)).max() < 5.0 / np.sqrt(1000)
    assert abs((steps[:, 1:] * steps[:, :-1]).mean()) < five
    assert abs((steps[1:] * steps[:-1]).mean()) < five


@pytest.mark.parametrize("paths", [sign_paths, normal_paths])
@given(dim=st.integers(1, 300), walks=st.integers(0, 9), first=st.integers(0, 50), data=st.data())
@settings(max_examples=25, deadline=None)
def test_a_decimated_path_is_the_path_at_its_steps(paths, dim, walks, first, data):
    every = data.draw(st.integers(1, dim))
    whole = paths(KEY, dim, walks, first)
    np.testing.assert_array_equal(paths(KEY, dim, walks, first, every), whole[:, every - 1 :: every])


@pytest.mark.parametrize(("dim", "walks"), [(1, 5), (3, 2), (64, 130), (1500, 7)])
def test_normal_paths_are_running_sums_of_the_stream_of_normals(dim, walks):
    first = 3
    steps = normals(KEY, dim * walks, first * dim).reshape(walks, dim)
    paths = normal_paths(KEY, dim, walks, first)
    sums = np.cumsum(steps, axis=1, dtype=np.float64)
    np.testing.assert_allclose(paths, sums, rtol=0, atol=2e-6 * np.sqrt(dim) + 1e-6)
    np.testing.assert_array_equal(normal_paths(KEY, dim, walks + 4, first)[:walks], paths)


def test_normal_paths_end_normally():
    ends = normal_paths(KEY, 256, 20_000)[:, -1] / 16.0
    assert stats.kstest(ends, "norm").pvalue > 1e-4


@pytest.mark.parametrize("keys", [0, 1, 3, 4, 9])
@pytest.mark.parametrize("every", [1, 5])
def test_products_of_real_vectors_are_added_up(keys, every):
    generator = np.random.default_rng(keys)
    q, k = generator.standard_normal(33).astype(np.float32), generator.standard_normal((keys, 33)).astype(np.float32)
    before = k.copy()
    expected = np.cumsum(q.astype(np.float64) * k.astype(np.float64), axis=1)[:, every - 1 :: every]
    np.testing.assert_allclose(product_paths(q, k, every), expected, rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(k, before)


def test_what_cannot_be_walked_is_refused_by_name():
    for paths in (sign_paths, normal_paths):
        with pytest.raises(ValueError, match=r"every must lie in 1\.\.4, not 5"):
            paths(KEY, 4, 1, 0, 5)
        with pytest.raises(ValueError, match="dim must lie in"):
            paths(KEY, 0, 1)
    with pytest.raises(ValueError, match=r"query needs shape \(dim,\); got \(1, 2\)"):
        product_paths(np.ones((1, 2)), np.ones((1, 2)))
    with pytest.raises(ValueError, match=r"keys needs shape \(keys, 3\); got \(3,\)"):
        product_paths(np.ones(3), np.ones(3))
