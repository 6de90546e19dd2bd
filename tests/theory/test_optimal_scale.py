import numpy as np
import pytest

from attnsim.theory import optimal_scale
from attnsim.theory.exchangeable import moments


def covariances(dim, sigma_q, sigma_k, rho, r_q, r_k, c):
    ones, eye = np.ones((dim, dim)), np.eye(dim)
    return (
        sigma_q**2 * ((1 - r_q) * eye + r_q * ones),
        sigma_k**2 * ((1 - r_k) * eye + r_k * ones),
        sigma_q * sigma_k * ((rho - c) * eye + c * ones),
    )


@pytest.mark.parametrize("dim", [1, 5, 64])
def test_the_general_form_holds_the_exchangeable_one(dim):
    given = {"sigma_q": 1.3, "sigma_k": 0.8, "rho": 0.25, "r_q": 0.1, "r_k": 0.2, "c": 0.05}
    s_q, s_k, cross = covariances(dim, *given.values())
    means = {"mean_q": np.full(dim, 0.4), "mean_k": np.full(dim, -0.3)}
    exact = moments(dim, **given, mean_q=0.4, mean_k=-0.3)
    seen = optimal_scale.general_score_moments(s_q, s_k, cross=cross, **means)
    for value, name in zip(seen, ("mean", "variance", "within_row_variance"), strict=True):
        assert value == pytest.approx(float(getattr(exact, name)), rel=1e-11)


def test_a_random_covariance_has_the_simulated_variances():
    rng, dim, rows, keys = np.random.default_rng(61), 4, 40_000, 8
    root = rng.standard_normal((2 * dim, 2 * dim)) / 2
    joint = root @ root.T
    s_q, s_k, cross = joint[:dim, :dim], joint[dim:, dim:], joint[:dim, dim:]
    m_q, m_k = rng.standard_normal(dim), rng.standard_normal(dim)
    q = m_q + rng.standard_normal((rows, dim)) @ np.linalg.cholesky(s_q).T
    slope = cross.T @ np.linalg.inv(s_q)
    left = np.linalg.cholesky(s_k - slope @ cross)
    k = m_k + ((q - m_q) @ slope.T)[:, None, :] + rng.standard_normal((rows, keys, dim)) @ left.T
    scores = np.einsum("rd,rkd->rk", q, k)
    mean, variance, inside = optimal_scale.general_score_moments(s_q, s_k, cross=cross, mean_q=m_q, mean_k=m_k)
    own = scores.var(axis=1, ddof=1)
    first = scores[:, 0]
    for seen, exact in ((first, mean), ((first - mean) ** 2, variance), (own, inside)):
        assert abs(seen.mean() - exact) < 5 * seen.std() / np.sqrt(rows)


def test_the_optimum_gives_spread_one():
    inside = float(moments(64, rho=0.8).within_row_variance)
    assert inside == pytest.approx(64 * (1 - 0.64))
    assert optimal_scale.optimal_multiplier(inside) ** 2 * inside == pytest.approx(1.0)


@pytest.mark.parametrize("mean_k", [0.0, 2.0])
def test_a_mean_of_the_query_asks_for_a_smaller_multiplier_and_one_of_the_keys_does_not(mean_k):
    inside = moments(32, sigma_q=1.2, sigma_k=0.7, mean_q=0.9, mean_k=mean_k).within_row_variance
    direct = optimal_scale.centred_multiplier(32, sigma_q=1.2, sigma_k=0.7, mean_q=0.9)
    assert direct == pytest.approx(float(optimal_scale.optimal_multiplier(inside)), rel=1e-12)


def test_sparse_vectors_ask_for_a_larger_one():
    rng = np.random.default_rng(67)
    shape, share = (50_000, 32), 0.25
    q, k = (rng.standard_normal(shape) * (rng.random(shape) < share) for _ in range(2))
    squares = (float(optimal_scale.sparse_multiplier(32, share)) * (q * k).sum(axis=1)) ** 2
    assert abs(squares.mean() - 1.0) < 5 * squares.std() / np.sqrt(squares.size)


def test_impossible_covariances_are_refused():
    with pytest.raises(ValueError, match="no negative eigenvalue"):
        optimal_scale.general_score_moments(np.eye(2), np.eye(2), cross=1.1 * np.eye(2))
    with pytest.raises(ValueError, match=r"shape \(dim, dim\)"):
        optimal_scale.general_score_moments(np.eye(2), np.eye(3))
    with pytest.raises(ValueError, match=r"within_row_variance must lie in \(0, inf\], not 0"):
        optimal_scale.optimal_multiplier(0.0)
