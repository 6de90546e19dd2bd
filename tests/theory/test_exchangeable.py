import json
import math
from pathlib import Path

import numpy as np
import pytest

from attnsim.theory import exchangeable
from attnsim.theory.mixture import pooled

GOLDEN = Path(__file__).parents[3] / "shared" / "reference" / "golden.json"
FULL = {
    "sigma_q": 1.3, "sigma_k": 0.8, "mean_q": 0.4, "mean_k": -0.3, "rho": 0.25, "r_q": 0.1, "r_k": 0.2, "c": 0.05,
}  # fmt: skip


def covariance(dim, sigma_q=1.0, sigma_k=1.0, mean_q=0.0, mean_k=0.0, rho=0.0, r_q=0.0, r_k=0.0, c=0.0):
    """Return mean and covariance of the 2 dim components of (q, k), written out."""
    one, eye = np.ones((dim, dim)), np.eye(dim)
    query = sigma_q**2 * ((1 - r_q) * eye + r_q * one)
    key = sigma_k**2 * ((1 - r_k) * eye + r_k * one)
    cross = sigma_q * sigma_k * ((rho - c) * eye + c * one)
    return np.r_[np.full(dim, mean_q), np.full(dim, mean_k)], np.block([[query, cross], [cross.T, key]])


def cumulants(dim, **components):
    """Return the first four cumulants of q . k from traces over the full covariance."""
    mean, full = covariance(dim, **components)
    swap = np.kron(np.array([[0, 1], [1, 0]]), np.eye(dim))
    pv = swap @ full
    found = []
    for n in range(1, 5):
        trace = 0.5 * math.factorial(n - 1) * np.trace(np.linalg.matrix_power(pv, n))
        shift = 0.5 * math.factorial(n) * mean @ np.linalg.matrix_power(pv, n - 1) @ swap @ mean
        found.append(trace + shift)
    return found


def rows(random, count, summed, dim, keys, aligned=None, **components):
    """Return scores of shape (count, keys): keys independent given q, by regression on all of q."""
    mean, full = covariance(dim, **components)
    a, b, cross = full[:dim, :dim], full[dim:, dim:], full[dim:, :dim]
    slope = cross @ np.linalg.pinv(a)
    query = random.multivariate_normal(mean[:dim], a, count, method="svd")
    result = np.empty((count, keys))
    for j in range(keys):
        own = slope if aligned is None or j == aligned else 0.0 * slope
        rest = random.multivariate_normal(np.zeros(dim), b - own @ a @ own.T, count, method="svd")
        key = mean[dim:] + (query - mean[:dim]) @ own.T + rest
        result[:, j] = (query * key)[:, :summed].sum(axis=1)
    return result


def within_errors(sample, expected):
    """Return how many standard errors lie between the mean within-row variance and theory."""
    inside = sample.var(axis=1, ddof=1)
    return abs(inside.mean() - expected) / (inside.std() / math.sqrt(inside.size))


@pytest.mark.skipif(not GOLDEN.exists(), reason="the reference values are not beside the checkout")
@pytest.mark.parametrize(
    ("name", "field"), [("G09", "variance"), ("G10", "excess_kurtosis"), ("G11", "within_row_variance")]
)
def test_the_reference_moments_are_met(name, field):
    item = next(item for item in json.loads(GOLDEN.read_text()) if item["id"] == name)
    found = getattr(exchangeable.moments(64, **FULL), field)
    assert abs(float(found) - item["value"]) <= item["tolerance"]


def test_unit_vectors_have_a_variance_of_d_and_an_excess_kurtosis_of_six_over_d():
    dims = np.array([1, 2, 64, 65536])
    found = exchangeable.moments(dims)
    np.testing.assert_allclose(found.variance, dims, rtol=1e-14)
    np.testing.assert_allclose(found.excess_kurtosis, 6.0 / dims, rtol=1e-12)
    np.testing.assert_allclose(found.within_row_variance, dims, rtol=1e-14)
    np.testing.assert_array_equal(found.between_row_variance, 0.0)


@pytest.mark.parametrize(
    "components",
    [
        FULL,
        {},
        {"rho": 0.7},
        {"rho": -1.0},
        {"r_q": 0.4, "r_k": 0.3, "rho": -0.2},
        {"r_q": 1.0, "mean_k": 2.0},
        {"mean_q": 3.0, "mean_k": -2.0, "rho": 0.5, "sigma_q": 0.1},
        {"r_q": -0.1, "r_k": 0.2, "c": 0.03},
    ],
)
@pytest.mark.parametrize("dim", [1, 2, 9])
def test_cumulants_are_the_traces_over_the_written_out_covariance(dim, components):
    k1, k2, k3, k4 = cumulants(dim, **components)
    found = exchangeable.moments(dim, **components)
    np.testing.assert_allclose(found.mean, k1, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(found.variance, k2, rtol=1e-11)
    np.testing.assert_allclose(found.skewness, k3 / k2**1.5, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(found.excess_kurtosis, k4 / k2**2, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("dim", [2, 7, 64])
def test_the_whole_query_gives_the_law_of_total_variance(dim):
    a = exchangeable.axes(dim, **FULL)
    formula = (
        a.ones_q * a.ones_k - a.ones_cross**2
        + (dim - 1) * (a.across_q * a.across_k - a.across_cross**2)
        + a.mean_q**2 * (a.ones_k - a.ones_cross**2 / a.ones_q)
    )  # fmt: skip
    for of_dim in (None, dim):
        found = exchangeable.moments(dim, **FULL, of_dim=of_dim)
        np.testing.assert_allclose(found.within_row_variance, formula, rtol=1e-12)
        np.testing.assert_allclose(found.within_row_variance + found.between_row_variance, found.variance, rtol=1e-12)


@pytest.mark.parametrize("components", [{"rho": 0.4, "r_k": 0.3, "mean_q": 0.5}, {"r_q": 0.4, "r_k": 0.3, "mean_q": 1}])
def test_components_not_summed_say_nothing_unless_both_rho_and_r_q_are_there(components):
    short = exchangeable.moments([1, 4, 10], **components)
    seen = exchangeable.moments([1, 4, 10], **components, of_dim=40)
    np.testing.assert_allclose(seen.within_row_variance, short.within_row_variance, rtol=1e-12)


def test_components_not_summed_lower_the_within_row_variance_when_rho_and_r_q_are_there():
    components = {"rho": 0.5, "r_q": 0.3}
    short = exchangeable.moments(3, **components)
    seen = exchangeable.moments(3, **components, of_dim=40)
    assert seen.within_row_variance < 0.99 * short.within_row_variance
    assert seen.variance == short.variance


@pytest.mark.parametrize("summed", [2, 7, 12])
def test_simulated_rows_have_the_within_row_variance_of_the_whole_query(summed):
    components = {"rho": 0.6, "r_q": 0.35, "r_k": 0.2, "mean_q": 0.7, "mean_k": 0.4, "sigma_q": 1.2, "sigma_k": 0.9}
    sample = rows(np.random.default_rng(4), 20_000, summed, 12, 4, **components)
    theory = exchangeable.moments(summed, **components, of_dim=12)
    assert within_errors(sample, theory.within_row_variance) < 5.0
    means = sample.mean(axis=1)
    assert abs(means.mean() - theory.mean) < 5.0 * means.std() / math.sqrt(means.size)
    one = sample[:, 0]
    spread = (one - theory.mean) ** 2
    assert abs(spread.mean() - theory.variance) < 5.0 * spread.std() / math.sqrt(spread.size)


@pytest.mark.parametrize(
    "components",
    [
        {"rho": 0.6},
        {"rho": 0.6, "mean_q": 1.0, "mean_k": -0.5, "sigma_k": 2.0},
        {"rho": 0.6, "r_q": 0.35, "r_k": 0.2, "mean_q": 0.7, "sigma_q": 1.2, "sigma_k": 0.9},
    ],
)
@pytest.mark.parametrize("summed", [3, 12])
def test_simulated_rows_with_one_aligned_key_meet_the_mixture(summed, components):
    keys = 3
    sample = rows(np.random.default_rng(5), 20_000, summed, 12, keys, aligned=0, **components)
    others = components | {"rho": 0.0}
    gap = exchangeable.mean_gap_square(summed, **components, of_dim=12)
    theory = pooled(
        keys,
        exchangeable.moments(summed, **components, of_dim=12),
        exchangeable.moments(summed, **others, of_dim=12),
        gap,
    )
    assert within_errors(sample, theory.within_row_variance) < 5.0
    for power, expected in central(theory):
        rowwise = ((sample - theory.mean) ** power).mean(axis=1)
        assert abs(rowwise.mean() - expected) < 5.0 * rowwise.std() / math.sqrt(rowwise.size)


def central(theory):
    """Return the central moments 1..4 of the record."""
    v = theory.variance
    return [(1, 0.0), (2, v), (3, theory.skewness * v**1.5), (4, (theory.excess_kurtosis + 3.0) * v**2)]


def test_the_growth_exponent_is_the_slope_of_the_logarithms():
    components = {key: value for key, value in FULL.items() if key != "c"}
    dims, nudge = np.array([1.0, 10.0, 1000.0]), 1e-5
    low, high = (exchangeable.moments(dims * np.exp(side), **components).variance for side in (-nudge, nudge))
    np.testing.assert_allclose(exchangeable.growth(dims, **components), np.log(high / low) / (4 * nudge), rtol=1e-8)


def test_growth_is_a_root_without_common_factors_and_three_quarters_at_the_crossover():
    np.testing.assert_array_equal(exchangeable.growth([1, 100, 65536], rho=0.5), 0.5)
    assert exchangeable.crossover(rho=0.5, mean_q=3.0) == math.inf
    at = exchangeable.crossover(r_q=0.1, r_k=0.1)
    assert at == pytest.approx(99.0, rel=1e-12)
    assert exchangeable.growth(at, r_q=0.1, r_k=0.1) == pytest.approx(0.75, rel=1e-12)
    assert exchangeable.growth(1e9, r_q=0.1, r_k=0.1) == pytest.approx(1.0, abs=1e-6)


def test_impossible_correlations_are_refused_by_name():
    with pytest.raises(ValueError, match=r"rho = 0\.8, r_q = 0\.5"):
        exchangeable.moments(8, rho=0.8, r_q=0.5)


def test_the_record_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        exchangeable.moments([1, 2]).variance[0] = 3.0
