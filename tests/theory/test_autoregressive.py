"""Scores of autoregressive vectors: sums of geometric series against matrices written out."""

import numpy as np
import pytest

from attnsim.theory import autoregressive, exchangeable

SETS = [
    {"phi_q": 0.9, "phi_k": 0.9},
    {"phi_q": 0.6, "phi_k": -0.8},
    {"phi_q": 0.0, "phi_k": 0.5, "rho": 0.5},
    {"phi_q": 0.7, "phi_k": 0.49, "rho": -0.3, "mean_q": 0.4, "mean_k": -0.7, "sigma_q": 1.5, "sigma_k": 0.3},
    {"phi_q": 0.5, "phi_k": 0.25, "rho": 0.4, "mean_q": 1.0},  # phi_q phi_k = phi_k^2 / 2: series of near ratios
    {"phi_q": 0.4, "phi_k": 0.4, "rho": 0.9, "mean_q": -0.5},  # phi_q phi_k = phi_k^2: equal ratios
    {"phi_q": -0.5, "phi_k": -0.5, "rho": -1.0},
    {"phi_q": 0.8, "phi_k": 0.0, "rho": 0.6, "mean_q": 0.3},
]


def covariances(dim, phi_q, phi_k, rho=0.0, sigma_q=1.0, sigma_k=1.0, **means):
    i = np.arange(dim)
    lag = i[:, None] - i
    a, b = (s**2 * float(phi) ** np.abs(lag) for s, phi in ((sigma_q, phi_q), (sigma_k, phi_k)))
    c = sigma_q * sigma_k * rho * np.where(lag <= 0, float(phi_k) ** np.abs(lag), float(phi_q) ** np.abs(lag))
    return a, b, c


@pytest.mark.parametrize("place", range(len(SETS)))
@pytest.mark.parametrize("dim", [1, 2, 7, 40])
def test_moments_are_those_of_the_matrices_written_out(place, dim):
    given = SETS[place]
    a, b, c = covariances(dim, **given)
    mean_q, mean_k = (np.full(dim, given.get(name, 0.0)) for name in ("mean_q", "mean_k"))
    found = autoregressive.moments(dim, **given)
    assert found.mean == pytest.approx(np.trace(c) + mean_q @ mean_k)
    spread = np.trace(a @ b) + np.trace(c @ c) + mean_q @ b @ mean_q + mean_k @ a @ mean_k + 2 * mean_k @ c @ mean_q
    assert found.variance == pytest.approx(spread, rel=1e-11)
    left = b - c.T @ np.linalg.solve(a, c)
    inside = np.trace((a + np.outer(mean_q, mean_q)) @ left)
    assert found.within_row_variance == pytest.approx(inside, rel=1e-9, abs=1e-12)
    plain = "rho" not in given
    assert np.isnan(found.excess_kurtosis) != plain
    if plain:
        fourth = 6.0 * np.trace(a @ b @ a @ b)
        assert found.excess_kurtosis == pytest.approx(fourth / spread**2, rel=1e-11)


@pytest.mark.parametrize("place", range(len(SETS)))
def test_the_gap_between_an_aligned_and_an_independent_key_is_a_quadratic_form(place):
    given = SETS[place]
    dim = 9
    a, _b, c = covariances(dim, **given)
    slope = c.T @ np.linalg.inv(a)  # of k on q
    form = 0.5 * (slope + slope.T)  # M1 - M0 = q . slope (q - mean_q)
    pull = slope.T @ np.full(dim, given.get("mean_q", 0.0))
    expected = np.trace(form @ a) ** 2 + 2 * np.trace(form @ a @ form @ a) + pull @ a @ pull
    assert autoregressive.mean_gap_square(dim, **given) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_a_part_of_the_query_has_the_same_spread_within_rows_however_long_the_whole_is():
    a, b, c = covariances(12, 0.7, 0.4, 0.5)
    left = b - c.T @ np.linalg.solve(a, c)
    part = np.trace(a[:5, :5] @ left[:5, :5])
    assert autoregressive.moments(5, phi_q=0.7, phi_k=0.4, rho=0.5).within_row_variance == pytest.approx(part)


def test_without_neighbours_the_law_is_that_of_independent_components():
    given = {"rho": 0.4, "mean_q": 0.3, "mean_k": -0.5, "sigma_q": 1.2}
    dims = [1, 5, 64]
    found, exact = autoregressive.moments(dims, phi_q=0, phi_k=0, **given), exchangeable.moments(dims, **given)
    for name in ("mean", "variance", "within_row_variance"):
        np.testing.assert_allclose(getattr(found, name), getattr(exact, name), rtol=1e-12)


def test_the_variance_grows_like_d_in_the_end_and_like_its_square_before():
    rate = autoregressive.geometric([1e4, 2e4], 0.81)
    assert np.diff(rate)[0] / 1e4 == pytest.approx(1.81 / 0.19, rel=1e-9)
    early = autoregressive.geometric([1.0, 4.0], 0.999)
    assert early[1] / early[0] == pytest.approx(16.0, rel=0.01)


def test_the_trace_goes_on_in_a_line_where_the_recursion_has_come_to_rest():
    traces = autoregressive.trace_of_square([0, 1, 60_000, 60_001, 60_002], 0.9, -0.7)
    assert traces[:2].tolist() == [0.0, 1.0]
    assert traces[4] - traces[3] == pytest.approx(traces[3] - traces[2], rel=1e-9)
    a, b, _ = covariances(300, 0.9, -0.7)
    assert autoregressive.trace_of_square(300, 0.9, -0.7) == pytest.approx(np.trace(a @ b @ a @ b), rel=1e-11)


def test_a_correlation_that_innovations_cannot_give_is_refused():
    with pytest.raises(ValueError, match=r"rho must lie in -0\.2603\.\.0\.2603"):
        autoregressive.moments(8, phi_q=0.9, phi_k=-0.5, rho=0.5)
