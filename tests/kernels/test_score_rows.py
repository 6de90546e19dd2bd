"""Softmax statistics of rows that share a query, against rows drawn from vectors and against exact values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from attnsim.kernels.normals import normals
from attnsim.kernels.rng import stream_key
from attnsim.kernels.score_exact import GaussianPair
from attnsim.kernels.score_rows import row_statistics

KEY = stream_key(8, "rows")
STATISTICS = ("spread", "largest", "entropy", "participation")


def brute_rows(pair, keys, rows, factor, seed):
    """Statistics of rows drawn as vectors, one query and its keys at a time, by numpy alone."""
    g, d = np.random.default_rng(seed), pair.dim
    eye, ones = np.eye(d), np.ones((d, d))
    cov_q, cov_k = ((1 - r) * eye + r * ones for r in (pair.r_q, pair.r_k))
    slope = pair.rho * np.linalg.inv(cov_q)
    a = g.standard_normal((rows, d)) @ np.linalg.cholesky(cov_q).T
    left = np.linalg.cholesky(cov_k - pair.rho * slope + 1e-13 * eye)
    b = (a @ slope.T)[:, None, :] + g.standard_normal((rows, keys, d)) @ left.T
    scores = factor * np.einsum("bi,bji->bj", pair.mean_q + pair.sigma_q * a, pair.mean_k + pair.sigma_k * b)
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    entropy = -np.sum(p * np.log(np.maximum(p, 1e-300)), axis=1)
    return {"largest": p.max(axis=1), "entropy": entropy, "participation": 1.0 / np.sum(p * p, axis=1)}


@pytest.mark.parametrize(
    ("pair", "keys", "factor"),
    [
        (GaussianPair(dim=16), 12, 0.25),
        (GaussianPair(dim=16), 12, 1.0),
        (GaussianPair(dim=8, rho=0.6), 20, 0.4),
        (GaussianPair(dim=8, mean_q=0.5, mean_k=0.8), 20, 0.4),
        (GaussianPair(dim=6, r_q=0.4, r_k=0.3, rho=0.2, mean_q=-0.3, sigma_k=0.7), 9, 0.5),
        (GaussianPair(dim=1, mean_q=0.2), 5, 1.0),
        (GaussianPair(dim=2, r_q=0.5), 5, -1.0),
    ],
)
def test_rows_have_the_law_of_rows_drawn_as_vectors(pair, keys, factor):
    ours, brute = row_statistics(KEY, pair, keys, 20_000, factor), brute_rows(pair, keys, 20_000, factor, 4)
    for name, values in brute.items():
        assert stats.ks_2samp(getattr(ours, name), values).pvalue > 0.05 / 21, name


@pytest.mark.parametrize("keys", [1, 2, 63, 64, 1023, 1025, 5000])
@pytest.mark.parametrize("factor", [0.0, 0.125, 1.0, 8.0])
def test_statistics_are_those_of_a_float64_softmax_of_the_same_normals(keys, factor):
    rows = 40
    ours = row_statistics(KEY, GaussianPair(dim=64), keys, rows, factor)
    x = ours.spread[:, None] * normals(KEY, rows * keys).astype(np.float64).reshape(rows, keys)
    x -= x.max(axis=1, keepdims=True)
    e = np.exp(x)
    z = e.sum(axis=1)
    entropy = np.log(z) - (e * x).sum(axis=1) / z
    np.testing.assert_allclose(ours.largest, 1.0 / z, rtol=3e-5)
    np.testing.assert_allclose(ours.entropy, entropy, rtol=3e-5, atol=1e-6)
    np.testing.assert_allclose(ours.participation, z**2 / (e * e).sum(axis=1), rtol=3e-5)


def test_the_mean_squared_spread_is_the_within_row_variance():
    rows, pair = 1 << 18, GaussianPair(dim=12, rho=0.5, sigma_q=2.0)
    square = row_statistics(KEY, pair, 1, rows).spread ** 2
    wanted = 4.0 * 12 * (1 - 0.25)
    assert abs(square.mean() - wanted) < 5 * square.std() / np.sqrt(rows)


@pytest.mark.parametrize("spread", [1e20, 1e70])
def test_huge_spreads_are_one_hot(spread):
    ours = row_statistics(KEY, GaussianPair(dim=64, sigma_q=spread, sigma_k=spread), 100, 300)
    assert all(np.isfinite(getattr(ours, name)).all() for name in STATISTICS)
    assert np.all(ours.largest == 1.0)
    assert np.all(ours.entropy == 0.0)
    assert np.all(ours.participation == 1.0)


def test_equal_scores_are_even_weights():
    ours = row_statistics(KEY, GaussianPair(dim=64, sigma_q=0.0), 37, 5)
    np.testing.assert_allclose(ours.largest, 1 / 37, rtol=1e-14)
    np.testing.assert_allclose(ours.entropy, np.log(37), rtol=1e-14)
    np.testing.assert_allclose(ours.participation, 37, rtol=1e-14)


@settings(max_examples=40, deadline=None)
@given(
    keys=st.integers(1, 3000),
    rows=st.integers(1, 600),
    dim=st.sampled_from([1, 2, 3, 64]),
    factor=st.floats(-50, 50),
    first=st.integers(0, 2**40),
    cut=st.integers(1, 600),
)
def test_statistics_stay_in_their_bounds_and_any_cut_gives_the_same_bits(keys, rows, dim, factor, first, cut):
    rows, cut = min(rows, 1 + 60_000 // keys), min(cut, rows)
    pair = GaussianPair(dim=dim, mean_k=0.5, rho=0.1)
    whole = row_statistics(KEY, pair, keys, rows, factor, first)
    assert np.all(whole.largest <= 1.0)
    assert np.all(whole.largest >= (1.0 - 1e-5) / keys)
    assert np.all(whole.entropy >= 0.0)
    assert np.all(whole.entropy <= np.log(keys) + 1e-5)
    assert np.all(whole.participation >= 1.0)
    assert np.all(whole.participation <= keys * (1.0 + 1e-5))
    start = row_statistics(KEY, pair, keys, min(cut, rows), factor, first)
    for name in STATISTICS:
        assert getattr(start, name).tobytes() == getattr(whole, name)[: min(cut, rows)].tobytes()
    if cut < rows:
        end = row_statistics(KEY, pair, keys, rows - cut, factor, first + cut)
        for name in STATISTICS:
            assert getattr(end, name).tobytes() == getattr(whole, name)[cut:].tobytes()


def test_one_thread_and_two_give_equal_bits():
    one, two = (row_statistics(KEY, GaussianPair(dim=64), 512, 6000, 0.125, threads=t) for t in (1, 2))
    for name in STATISTICS:
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()


def test_refusals_name_the_argument():
    pair = GaussianPair(dim=4)
    with pytest.raises(ValueError, match="keys and rows must be 1 or more; got 0 and 3"):
        row_statistics(KEY, pair, 0, 3)
    with pytest.raises(ValueError, match="factor must be finite"):
        row_statistics(KEY, pair, 3, 3, np.inf)
    with pytest.raises(ValueError, match="first must lie in"):
        row_statistics(KEY, pair, 3, 3, first=-1)
    with pytest.raises(ValueError, match="key needs dtype uint64"):
        row_statistics(np.zeros(2), pair, 3, 3)
