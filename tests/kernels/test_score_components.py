"""Scores with every component drawn: moments of each law, threads, cuts, refusals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from attnsim.kernels.component_laws import LAWS
from attnsim.kernels.rng import stream_key
from attnsim.kernels.score_components import component_score_sums, component_scores
from attnsim.kernels.score_exact import GaussianPair
from attnsim.kernels.score_sums import CHUNK

KEY = stream_key(6, "components")
SHAPES = {"student_t": 20.0, "lognormal": 0.2, "sparse": 0.4}
W = np.exp(SHAPES["lognormal"] ** 2)
EXCESS = {
    "normal": 0.0,
    "uniform": -1.2,
    "laplace": 3.0,
    "sign": -2.0,
    "student_t": 6.0 / 16.0,
    "lognormal": W**4 + 2 * W**3 + 3 * W**2 - 6.0,
    "sparse": 3.0 / 0.4 - 3.0,
}


@pytest.mark.parametrize("law", list(LAWS))
@pytest.mark.parametrize("dim", [1, 2, 7, 64])
def test_independent_components_of_any_law_give_its_moments(law, dim):
    count = 1 << 18
    pair = GaussianPair(dim=dim, sigma_q=1.5, sigma_k=0.5)
    excess = ((EXCESS[law] + 3.0) ** 2 - 3.0) / dim  # independent sides
    sums = component_score_sums(KEY, pair, count, law=law, shape=SHAPES.get(law))
    assert abs(sums.mean) < 5 * pair.sd / np.sqrt(count)
    assert abs(sums.variance / pair.sd**2 - 1.0) < 5 * np.sqrt((excess + 2.0) / count) + 10.0 / count
    pieces = [
        component_score_sums(stream_key(i, "law"), pair, 1 << 15, law=law, shape=SHAPES.get(law)) for i in range(16)
    ]
    fourth = [piece.powers[3] / piece.count for piece in pieces]  # about the known mean: without bias
    assert abs(np.mean(fourth) - 3.0 - excess) < 5 * np.std(fourth, ddof=1) / 4.0 + 1e-12


@pytest.mark.parametrize("law", list(LAWS))
def test_means_enter_under_any_law(law):
    count = 1 << 18
    pair = GaussianPair(dim=9, mean_q=0.7, mean_k=-1.1, sigma_q=0.5)
    sums = component_score_sums(KEY, pair, count, law=law, shape=SHAPES.get(law))
    assert abs(sums.mean - pair.mean) < 5 * pair.sd / np.sqrt(count)
    assert sums.variance == pytest.approx(pair.sd**2, rel=5 * np.sqrt(4.0 / count))


def test_signs_give_whole_numbers_of_the_parity_of_the_dimension():
    scores = component_scores(KEY, GaussianPair(dim=7), 4000, law="sign")
    assert set(np.unique(scores)) <= set(range(-7, 8, 2))
    assert stats.ks_2samp(scores, 2.0 * np.random.default_rng(1).binomial(7, 0.5, 4000) - 7.0).pvalue > 1e-3


@pytest.mark.parametrize("dim", [2, 5])
def test_the_variance_over_seeds_scatters_as_it_should(dim):
    count, seeds = 2048, 1500
    pair = GaussianPair(dim=dim)
    variances = np.array([component_score_sums(stream_key(s, "scatter"), pair, count).variance for s in range(seeds)])
    z = (variances / dim - 1.0) / np.sqrt((6.0 / dim + 2.0) / count)
    assert abs(z.mean()) < 5 / np.sqrt(seeds)
    assert abs(z.var() - 1.0) < 5 * np.sqrt((stats.kurtosis(z) + 2.0) / seeds)


def test_one_thread_and_two_give_equal_bits():
    pair, count = GaussianPair(dim=3, rho=0.4, r_q=0.2, r_k=0.1), 2 * CHUNK + 99
    one, two = (component_score_sums(KEY, pair, count, threads=threads) for threads in (1, 2))
    assert one.powers.tobytes() == two.powers.tobytes()
    assert one.counts.tobytes() == two.counts.tobytes()


@settings(max_examples=25, deadline=None)
@given(
    dim=st.sampled_from([1, 2, 3, 33, 64]),
    law=st.sampled_from(list(LAWS)),
    first=st.integers(0, 2**60),
    count=st.integers(0, 700),
    cut=st.integers(0, 700),
)
def test_any_cut_of_the_stream_gives_the_same_bits(dim, law, first, count, cut):
    pair, cut = GaussianPair(dim=dim, mean_k=0.2), min(cut, count)
    shape = SHAPES.get(law)
    whole = component_scores(KEY, pair, count, first, law, shape)
    left = component_scores(KEY, pair, cut, first, law, shape)
    right = component_scores(KEY, pair, count - cut, first + cut, law, shape)
    assert whole.tobytes() == np.concatenate([left, right]).tobytes()


@pytest.mark.parametrize("sigma", [0.0, 1e-70, 1e70])
def test_tiny_and_huge_spreads_give_finite_scores(sigma):
    pair = GaussianPair(dim=100, sigma_q=sigma, sigma_k=sigma, mean_q=sigma)
    assert np.isfinite(component_scores(KEY, pair, 300)).all()
    assert np.isfinite(component_score_sums(KEY, pair, 300).powers).all()


def test_refusals_name_the_argument():
    with pytest.raises(ValueError, match=r"law must be one of normal, uniform, .*, not cauchy"):
        component_scores(KEY, GaussianPair(dim=4), 3, law="cauchy")
    with pytest.raises(ValueError, match="r_q and r_k must be 0 or more"):
        component_scores(KEY, GaussianPair(dim=4, r_q=-0.1), 3)
    with pytest.raises(ValueError, match="key needs dtype uint64"):
        component_scores(np.zeros(2), GaussianPair(dim=4), 3)
    with pytest.raises(ValueError, match="count must be 0 or more"):
        component_scores(KEY, GaussianPair(dim=4), -3)


@pytest.mark.parametrize("dim", [1, 33, 64])
def test_the_short_cut_without_correlation_is_the_product_of_the_same_normals(dim):
    short = component_scores(KEY, GaussianPair(dim=dim), 2000)
    long = component_scores(KEY, GaussianPair(dim=dim, rho=1e-9), 2000)
    np.testing.assert_allclose(short, long, atol=2e-5 * np.sqrt(dim))
