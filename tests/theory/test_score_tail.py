import numpy as np
import pytest
from scipy.stats import norm

from attnsim.theory.exchangeable import moments
from attnsim.theory.number_formats import beyond_probability
from attnsim.theory.score_law import tail_probability
from attnsim.theory.score_tail import exchangeable_tail

PLACES = np.array([-50.0, -3.0, -0.1, 0.0, 0.5, 10.0, 60.0, 200.0])
MIXED = {"sigma_q": 1.3, "sigma_k": 0.8, "mean_q": 0.4, "mean_k": -0.3, "rho": 0.25, "r_q": 0.1, "r_k": 0.2, "c": 0.05}


@pytest.mark.parametrize(("dim", "rho"), [(2, 0.0), (2, 0.5), (4, -0.3), (64, 0.3), (512, 0.0), (512, 0.2)])
def test_even_dimensions_have_the_finite_sum(dim, rho):
    np.testing.assert_allclose(exchangeable_tail(PLACES, dim, rho=rho), tail_probability(PLACES, dim, rho), rtol=1e-11)


def test_odd_dimensions_have_the_average_of_normal_tails():
    x = np.array([0.5, 10.0, 60.0])
    for dim in (1, 3, 65):
        np.testing.assert_allclose(exchangeable_tail(x, dim), beyond_probability(x, dim), rtol=1e-9)


@pytest.mark.parametrize("dim", [1, 6, 64])
def test_simulated_scores_of_mixed_vectors_pass_as_often(dim):
    rng, rows = np.random.default_rng(163), 100_000
    eye, ones = np.eye(dim), np.ones((dim, dim))
    cross = 1.04 * ((0.25 - 0.05) * eye + 0.05 * ones)
    blocks = [[1.69 * (0.9 * eye + 0.1 * ones), cross], [cross, 0.64 * (0.8 * eye + 0.2 * ones)]]
    both = rng.standard_normal((rows, 2 * dim)) @ np.linalg.cholesky(np.block(blocks)).T
    scores = ((both[:, :dim] + 0.4) * (both[:, dim:] - 0.3)).sum(axis=1)
    exact = moments(dim, **MIXED)
    x = float(exact.mean) + float(np.sqrt(exact.variance)) * np.array([-1.0, 0.0, 1.0, 2.0, 3.0])
    chances = exchangeable_tail(x, dim, **MIXED)
    seen = (scores[:, None] > x).mean(axis=0)
    assert np.all(np.abs(seen - chances) < 5 * np.sqrt(chances * (1 - chances) / rows))


def test_the_tail_falls_and_both_sides_add_up():
    x = np.linspace(-80.0, 80.0, 33)
    right = exchangeable_tail(x, 16, **MIXED)
    mirrored = exchangeable_tail(-x, 16, **{**MIXED, "mean_q": -0.4, "rho": -0.25, "c": -0.05})
    assert np.all(np.diff(right) <= 0.0)
    np.testing.assert_allclose(right + mirrored, 1.0, rtol=1e-11)


def test_impossible_correlations_are_refused():
    with pytest.raises(ValueError, match="rho"):
        exchangeable_tail(0.0, 8, rho=0.9, r_q=0.5, r_k=0.5)


@pytest.mark.parametrize("dim", [1, 20, 4096])
@pytest.mark.parametrize(
    ("sigma_q", "mean_q", "mean_k"), [(1.0, -18.0, 0.0), (0.001, 100.0, 100.0), (0.1, 2.0, -100.0)]
)
def test_means_that_are_far_larger_than_the_spread_give_the_normal_law_of_their_size(dim, sigma_q, mean_q, mean_k):
    given = {"sigma_q": sigma_q, "mean_q": mean_q, "mean_k": mean_k, "sigma_k": sigma_q}
    exact = moments(dim, **given)
    z = np.array([-30.0, -2.0, -0.3, 0.0, 1.0, 3.0])
    chances = exchangeable_tail(float(exact.mean) + float(np.sqrt(exact.variance)) * z, dim, **given)
    np.testing.assert_allclose(chances, norm.sf(z), atol=0.01)
    sides = exchangeable_tail([-100.0, 0.0, 100.0], dim, **given)
    assert np.all((sides >= -1e-9) & (sides <= 1.0 + 1e-9))
    assert np.all(np.diff(sides) <= 1e-9)
