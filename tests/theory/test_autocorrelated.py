import numpy as np
import pytest

from attnsim.theory import autocorrelated
from attnsim.theory.optimal_scale import general_score_moments


def matrices(dim, phi_q, phi_k, innovation):
    rho = autocorrelated.component_correlation(phi_q, phi_k, innovation)
    lag = np.arange(dim)[None, :] - np.arange(dim)[:, None]
    cross = rho * np.where(lag >= 0, float(phi_k) ** np.abs(lag), float(phi_q) ** np.abs(lag))
    return float(phi_q) ** np.abs(lag), float(phi_k) ** np.abs(lag), cross


@pytest.mark.parametrize("g", [-1.0, -0.7, 0.0, 0.6, 0.99995, 1.0])
def test_the_power_sum_is_the_double_sum(g):
    for dim in (1, 2, 17):
        lag = np.abs(np.arange(dim)[:, None] - np.arange(dim))
        assert autocorrelated.power_sum(dim, g) == pytest.approx((float(g) ** lag).sum(), rel=1e-9)


@pytest.mark.parametrize(("phi_q", "phi_k", "innovation"), [(0.5, 0.7, 0.0), (0.3, -0.6, 0.8), (0.9, 0.9, -0.4)])
def test_the_moments_are_those_of_the_covariance_matrices(phi_q, phi_k, innovation):
    dim, scale = 12, {"sigma_q": 1.3, "sigma_k": 0.8, "mean_q": 0.4, "mean_k": -0.3}
    s_q, s_k, cross = matrices(dim, phi_q, phi_k, innovation)
    mean, variance, inside = general_score_moments(
        1.3**2 * s_q, 0.8**2 * s_k, cross=1.04 * cross, mean_q=np.full(dim, 0.4), mean_k=np.full(dim, -0.3)
    )
    seen = autocorrelated.autocorrelated_moments(dim, phi_q=phi_q, phi_k=phi_k, innovation=innovation, **scale)
    assert float(seen.mean) == pytest.approx(mean, rel=1e-12)
    assert float(seen.variance) == pytest.approx(variance, rel=1e-12)
    if innovation == 0.0:
        assert float(seen.within_row_variance) == pytest.approx(inside, rel=1e-12)
    else:
        assert np.isnan(seen.within_row_variance)
        unit = general_score_moments(s_q, s_k, cross=cross)[2]
        assert autocorrelated.within_row_variance(dim, phi_q, phi_k, innovation) == pytest.approx(unit, rel=1e-10)


def test_simulated_processes_have_these_moments():
    rng, rows, dim, phi_q, phi_k, eta = np.random.default_rng(79), 60_000, 10, 0.6, 0.4, 0.5
    q, k = np.empty((2, rows, dim))
    rho = autocorrelated.component_correlation(phi_q, phi_k, eta)
    q[:, 0] = rng.standard_normal(rows)
    k[:, 0] = rho * q[:, 0] + np.sqrt(1 - rho**2) * rng.standard_normal(rows)
    for i in range(1, dim):
        e = rng.standard_normal(rows)
        f = eta * e + np.sqrt(1 - eta**2) * rng.standard_normal(rows)
        q[:, i] = phi_q * q[:, i - 1] + np.sqrt(1 - phi_q**2) * e
        k[:, i] = phi_k * k[:, i - 1] + np.sqrt(1 - phi_k**2) * f
    scores = (q * k).sum(axis=1)
    exact = autocorrelated.autocorrelated_moments(dim, phi_q=phi_q, phi_k=phi_k, innovation=eta)
    squares = (scores - float(exact.mean)) ** 2
    assert abs(scores.mean() - exact.mean) < 5 * scores.std() / np.sqrt(rows)
    assert abs(squares.mean() - exact.variance) < 5 * squares.std() / np.sqrt(rows)


def test_white_components_are_the_plain_case_and_short_memory_keeps_the_growth():
    plain = autocorrelated.autocorrelated_moments([4, 64])
    np.testing.assert_allclose(plain.variance, [4.0, 64.0])
    np.testing.assert_allclose(plain.excess_kurtosis, [1.5, 6 / 64])
    long = autocorrelated.autocorrelated_moments([10**5, 2 * 10**5], phi_q=0.9, phi_k=0.8)
    assert long.variance[1] / long.variance[0] == pytest.approx(2.0, rel=1e-4)
    assert long.variance[0] / 1e5 == pytest.approx(1.72 / 0.28, rel=1e-3)


def test_a_unit_root_is_refused():
    with pytest.raises(ValueError, match=r"phi_q must lie in \(-1, 1\), not 1"):
        autocorrelated.autocorrelated_moments(8, phi_q=1.0)
