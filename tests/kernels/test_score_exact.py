"""Exact O(1) scores against scores drawn component by component, and against exact moments."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from attnsim.kernels.rng import stream_key
from attnsim.kernels.score_components import component_scores
from attnsim.kernels.score_exact import GaussianPair, exact_score_sums, exact_scores
from attnsim.kernels.score_sums import CHUNK
from attnsim.theory.exchangeable import moments

KEY = stream_key(5, "exact")
FIELDS = ("sigma_q", "sigma_k", "mean_q", "mean_k", "rho", "r_q", "r_k")


def random_pair(seed):
    """A pair whose every field differs from its default, dimension 1..40."""
    g = np.random.default_rng(seed)
    r_q, r_k = g.uniform(0.0, 0.6, 2)
    reach = np.sqrt((1.0 - r_q) * (1.0 - r_k))
    return GaussianPair(
        dim=int(g.integers(1, 41)),
        sigma_q=float(g.uniform(0.2, 3.0)),
        sigma_k=float(g.uniform(0.2, 3.0)),
        mean_q=float(g.normal()),
        mean_k=float(g.normal()),
        rho=float(reach * g.uniform(-1.0, 1.0)),
        r_q=float(r_q),
        r_k=float(r_k),
    )


def theory(pair):
    return moments(pair.dim, **{name: getattr(pair, name) for name in FIELDS})


PAIRS = [random_pair(seed) for seed in range(14)] + [
    GaussianPair(dim=1),
    GaussianPair(dim=2),
    GaussianPair(dim=3, rho=0.8),
    GaussianPair(dim=2, mean_k=1.0),
    GaussianPair(dim=66, rho=-0.5),
    GaussianPair(dim=16, rho=1.0),
    GaussianPair(dim=100, r_q=0.3, r_k=0.4),
]


@pytest.mark.parametrize("place", range(len(PAIRS)))
def test_exact_scores_have_the_law_of_scores_drawn_by_component(place):
    pair, count = PAIRS[place], 40_000
    exact = exact_scores(stream_key(place, "exact"), pair, count)
    drawn = component_scores(stream_key(place, "components"), pair, count)
    assert stats.ks_2samp(exact, drawn).pvalue > 0.05 / len(PAIRS)


def brute_scores(pair, count, seed):
    """Scores from the joint covariance of query and key, by numpy alone."""
    g, d = np.random.default_rng(seed), pair.dim
    eye, ones = np.eye(d), np.ones((d, d))
    block_q = pair.sigma_q**2 * ((1 - pair.r_q) * eye + pair.r_q * ones)
    block_k = pair.sigma_k**2 * ((1 - pair.r_k) * eye + pair.r_k * ones)
    cross = pair.rho * pair.sigma_q * pair.sigma_k * eye
    values, vectors = np.linalg.eigh(np.block([[block_q, cross], [cross, block_k]]))
    both = g.standard_normal((count, 2 * d)) @ (vectors * np.sqrt(np.maximum(values, 0.0))).T
    return np.einsum("ij,ij->i", both[:, :d] + pair.mean_q, both[:, d:] + pair.mean_k)


@pytest.mark.parametrize(
    "pair",
    [
        GaussianPair(dim=5, r_q=-0.2, r_k=0.3, mean_q=0.5, mean_k=-0.7),
        GaussianPair(dim=5, r_q=-0.25, r_k=0.3, mean_q=0.5),
        GaussianPair(dim=6, r_q=0.5, r_k=0.5, rho=0.5, mean_q=0.5, mean_k=0.7, sigma_q=2.0),
        GaussianPair(dim=4, r_q=1.0, r_k=0.2, mean_k=0.3),
        GaussianPair(dim=8, rho=-0.6, sigma_k=0.3),
    ],
)
def test_exact_scores_have_the_law_of_the_joint_covariance(pair):
    exact, brute = exact_scores(KEY, pair, 40_000), brute_scores(pair, 40_000, 8)
    assert stats.ks_2samp(exact, brute).pvalue > 0.01


@pytest.mark.parametrize("pair", [*PAIRS[:16], GaussianPair(dim=64), GaussianPair(dim=512, r_k=0.1, mean_q=0.1)])
def test_moments_are_those_of_the_closed_form(pair):
    count = 1 << 21
    sums, exact = exact_score_sums(stream_key(9, "moments"), pair, count), theory(pair)
    skewness, excess = float(exact.skewness), float(exact.excess_kurtosis)
    assert pair.mean == pytest.approx(float(exact.mean), rel=1e-12)
    assert pair.sd**2 == pytest.approx(float(exact.variance), rel=1e-12)
    assert abs(sums.mean - pair.mean) < 5 * pair.sd / np.sqrt(count)
    assert abs(sums.variance / pair.sd**2 - 1.0) < 5 * np.sqrt((excess + 2.0) / count)
    pieces = [exact_score_sums(stream_key(9, f"piece {i}"), pair, 1 << 17) for i in range(16)]
    for name, value in (("skewness", skewness), ("excess_kurtosis", excess)):
        estimates = [getattr(piece, name) for piece in pieces]
        error = np.std(estimates, ddof=1) / np.sqrt(len(estimates))
        assert abs(getattr(sums, name) - value) < 5 * error, name


def test_the_excess_kurtosis_is_six_over_the_dimension():
    for dim in (2, 16, 64, 4096):
        pieces = [exact_score_sums(stream_key(i, "six"), GaussianPair(dim=dim), CHUNK) for i in range(24)]
        estimates = np.array([piece.excess_kurtosis for piece in pieces])
        assert abs(estimates.mean() - 6.0 / dim) < 5 * estimates.std(ddof=1) / np.sqrt(estimates.size)


@pytest.mark.parametrize("dim", [2, 64])
def test_the_variance_over_seeds_scatters_as_it_should(dim):
    count, seeds = 4096, 1500
    pair = GaussianPair(dim=dim)
    variances = np.array([exact_score_sums(stream_key(s, "scatter"), pair, count).variance for s in range(seeds)])
    z = (variances / dim - 1.0) / np.sqrt((6.0 / dim + 2.0) / count)
    assert abs(z.mean()) < 5 / np.sqrt(seeds)
    assert abs(z.var() - 1.0) < 5 * np.sqrt((stats.kurtosis(z) + 2.0) / seeds)
    assert abs(np.corrcoef(z[:-1], z[1:])[0, 1]) < 5 / np.sqrt(seeds)


@pytest.mark.parametrize("pair", [PAIRS[0], GaussianPair(dim=64)])
def test_one_thread_and_two_give_equal_bits(pair):
    count = 3 * CHUNK + 777
    one, two = (exact_score_sums(KEY, pair, count, threads=threads) for threads in (1, 2))
    assert one.powers.tobytes() == two.powers.tobytes()
    assert one.counts.tobytes() == two.counts.tobytes()


@settings(max_examples=30, deadline=None)
@given(
    dim=st.sampled_from([1, 2, 3, 63, 64, 65, 65_536]),
    mean=st.sampled_from([0.0, 0.3]),
    first=st.integers(0, 2**60),
    count=st.integers(0, 1000),
    cut=st.integers(0, 1000),
)
def test_any_cut_of_the_stream_gives_the_same_bits(dim, mean, first, count, cut):
    pair, cut = GaussianPair(dim=dim, mean_q=mean), min(cut, count)
    whole = exact_scores(KEY, pair, count, first)
    parts = [exact_scores(KEY, pair, cut, first), exact_scores(KEY, pair, count - cut, first + cut)]
    assert whole.tobytes() == np.concatenate(parts).tobytes()


@settings(max_examples=40, deadline=None)
@given(
    dim=st.sampled_from([1, 2, 64, 65_536]),
    sigma_q=st.sampled_from([0.0, 1e-300, 1e-70, 1.0, 1e70]),
    sigma_k=st.sampled_from([0.0, 1e-70, 1.0, 1e70]),
    mean=st.sampled_from([0.0, 1e-70, -1.0, 1e70]),
    rho=st.sampled_from([-1.0, 0.0, 0.5, 1.0]),
)
def test_tiny_and_huge_spreads_give_finite_scores(dim, sigma_q, sigma_k, mean, rho):
    pair = GaussianPair(dim=dim, sigma_q=sigma_q, sigma_k=sigma_k, mean_q=mean, mean_k=mean, rho=rho)
    sums = exact_score_sums(KEY, pair, 300)
    assert np.isfinite(exact_scores(KEY, pair, 300)).all()
    assert np.isfinite(sums.powers).all()
    assert sums.count == sums.below + sums.above + sums.counts.sum()


def test_scores_scale_with_the_spreads_exactly():
    plain = exact_scores(KEY, GaussianPair(dim=64, rho=0.25), 1000)
    scaled = exact_scores(KEY, GaussianPair(dim=64, rho=0.25, sigma_q=2.0**60, sigma_k=2.0**-3), 1000)
    np.testing.assert_array_equal(scaled, plain * 2.0**57)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"dim": 0}, "dim must be a whole number, 1 or more, not 0"),
        ({"sigma_q": -1.0}, "sigma_q must lie in"),
        ({"mean_k": np.inf}, "mean_k must lie in"),
        ({"r_q": -0.5}, "r_q must lie in -0.3"),
        ({"r_k": 1.1}, "r_k must lie in"),
        ({"rho": 1.1}, "rho must lie in"),
        ({"rho": 0.8, "r_q": 0.5, "r_k": 0.5}, "rho must lie in -0.5"),
        ({"rho": np.nan}, "rho must lie in"),
    ],
)
def test_what_no_pair_of_vectors_has_is_refused(fields, named):
    with pytest.raises(ValueError, match=named):
        GaussianPair(**({"dim": 4} | fields))


def test_refusals_name_the_argument():
    pair = GaussianPair(dim=4)
    with pytest.raises(ValueError, match=r"key needs dtype uint64 and shape \(2,\)"):
        exact_scores(np.zeros(4, np.uint64), pair, 3)
    with pytest.raises(ValueError, match="count must be 0 or more"):
        exact_scores(KEY, pair, -3)


def test_memory_does_not_grow_with_the_number_of_scores():
    pages = Path("/proc/self/statm")
    if not pages.exists():
        pytest.skip("the system does not list a process's memory in /proc")

    def resident():
        return int(pages.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    pair = GaussianPair(dim=64)
    exact_score_sums(KEY, pair, CHUNK, threads=2)
    before = resident()
    exact_score_sums(KEY, pair, 60 * CHUNK, threads=2)
    assert resident() - before < 20e6


@pytest.mark.soak
def test_a_billion_scores_have_the_exact_moments():
    pair, count = GaussianPair(dim=64), 10**9
    sums, exact = exact_score_sums(KEY, pair, count), theory(pair)
    excess = float(exact.excess_kurtosis)
    assert abs(sums.mean) < 5 * pair.sd / np.sqrt(count)
    assert abs(sums.variance / pair.sd**2 - 1.0) < 5 * np.sqrt((excess + 2.0) / count)
    assert abs(sums.skewness) < 5 * np.sqrt(6.9 / count)  # 6.9, 30: variances of one score's share at this kurtosis
    assert abs(sums.excess_kurtosis - excess) < 5 * np.sqrt(30.0 / count)
