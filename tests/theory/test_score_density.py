import math
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from attnsim.theory import exchangeable
from attnsim.theory.score_density import (
    binned_density,
    exchangeable_characteristic,
    normal_bins,
    sign_bins,
    uniform_characteristic,
)
from attnsim.theory.score_law import score_pdf, tail_probability


def bins_around(dim, count=80, offset=0.0, **components):
    law = exchangeable.moments(dim, **components)
    sd = float(np.sqrt(law.variance))
    return np.linspace(law.mean - 4.5 * sd, law.mean + 4.5 * sd, count + 1) + offset * sd


def density(edges, dim, **components):
    return binned_density(edges, partial(exchangeable_characteristic, dim=dim, **components))


def bessel_bins(edges, dim, rho):
    if dim % 2 == 0:
        return -np.diff(tail_probability(edges, dim, rho)) / np.diff(edges)
    return np.array(
        [
            integrate.quad(
                lambda x: float(score_pdf(x, dim, rho)), low, high, points=[0] if low < 0 < high else None,
                epsabs=1e-12, epsrel=1e-11, limit=200,
            )[0] / (high - low)
            for low, high in pairwise(edges)
        ]
    )  # fmt: skip


def bins_given_query(edges, dim, **components):
    """Return the mean densities from the normal law of the score given the query's two coordinates."""
    a = exchangeable.axes(dim, **components)
    along, across = a.slopes
    z = (np.arange(6000) + 0.5) / 6000 * 18 - 9
    weight = np.exp(-z * z / 2)
    u = (np.arange(200) + 0.5) / 200
    low, high = stats.chi2.ppf(1e-12, dim - 1), stats.chi2.isf(1e-12, dim - 1)
    square = low + (high - low) * u * u * (3 - 2 * u)
    of_square = stats.chi2.pdf(square, dim - 1) * u * (1 - u)
    query = (a.mean_q + np.sqrt(a.ones_q) * z)[:, None]
    rest = a.across_q * square[None, :]
    chance = np.outer(weight / weight.sum(), of_square / of_square.sum())
    mean = query * (a.mean_k + along * (query - a.mean_q)) + across * rest
    spread = query**2 * (a.ones_k - along * a.ones_cross) + rest * (a.across_k - across * a.across_cross)
    below = [float((chance * stats.norm.cdf(edge, mean, np.sqrt(spread))).sum()) for edge in edges]
    return np.diff(below) / np.diff(edges)


def assert_close(found, expected, tolerance=1e-6):
    assert np.abs(found - expected).max() <= tolerance * expected.max()


@pytest.mark.parametrize("rho", [0.0, 0.3, -0.9])
@pytest.mark.parametrize("dim", [1, 2, 3, 4, 5, 8, 64, 512, 4096])
def test_the_density_is_the_bessel_form_in_every_bin(dim, rho):
    for offset in (0.0, 0.013):
        edges = bins_around(dim, rho=rho, offset=offset)
        assert_close(density(edges, dim, rho=rho), bessel_bins(edges, dim, rho))


@pytest.mark.parametrize("offset", [0.0, 0.0037, 0.3])
@pytest.mark.parametrize("dim", [1, 2, 3, 5, 64])
def test_full_alignment_is_a_chi_square_down_to_its_singular_point(dim, offset):
    edges = np.linspace(-5.0, dim + 6.0 * math.sqrt(2.0 * dim), 81) + offset
    assert_close(density(edges, dim, rho=1.0), np.diff(stats.chi2.cdf(edges, dim)) / np.diff(edges))


@pytest.mark.parametrize("dim", [1, 2, 6])
def test_full_alignment_with_means_is_a_shifted_noncentral_chi_square(dim):
    mean_q, mean_k = 0.7, -0.4
    half = 0.5 * (mean_k - mean_q)  # q k = (q + half)^2 - half^2 when k = q + 2 half
    edges = np.linspace(-3.0 * dim, 8.0 * dim + 10.0, 81)
    below = stats.ncx2.cdf(np.maximum(edges + dim * half**2, 0.0), dim, dim * (mean_q + half) ** 2)
    assert_close(density(edges, dim, rho=1.0, mean_q=mean_q, mean_k=mean_k), np.diff(below) / np.diff(edges))


@pytest.mark.parametrize(
    ("dim", "components"),
    [
        (64, {"sigma_q": 1.3, "sigma_k": 0.8, "mean_q": 0.4, "mean_k": -0.3, "rho": 0.25, "r_q": 0.1, "r_k": 0.2,
              "c": 0.05}),
        (8, {"r_q": 0.3, "r_k": 0.3}),
        (12, {"mean_q": 3.0, "mean_k": 2.0, "rho": 0.5}),
        (256, {"r_q": 0.5, "r_k": 0.5, "mean_k": 0.2}),
        (3, {"mean_q": 30.0, "mean_k": -20.0, "rho": 0.5}),
        (64, {"r_q": 0.9, "rho": 0.2, "sigma_k": 1000.0}),
        (64, {"mean_q": 100.0, "mean_k": 100.0, "sigma_q": 0.001, "sigma_k": 0.001}),
        (65536, {"mean_q": 1.0, "rho": 0.5}),
    ],
)  # fmt: skip
def test_the_density_is_the_average_over_queries_of_the_normal_law_given_the_query(dim, components):
    edges = bins_around(dim, count=16, **components)
    assert_close(density(edges, dim, **components), bins_given_query(edges, dim, **components), 3e-6)


def test_a_window_inside_the_law_and_bins_far_wider_than_it_are_right_too():
    near, wide = np.linspace(10.0, 10.5, 21), np.linspace(-1000.0, 1000.0, 12)
    assert_close(density(near, 64, rho=0.3), bessel_bins(near, 64, 0.3))
    assert_close(density(wide, 64, rho=0.3), bessel_bins(wide, 64, 0.3))


@pytest.mark.parametrize("dim", [1, 2, 8, 64, 1024, 65536])
@pytest.mark.parametrize("components", [{}, {"r_q": 0.3, "r_k": 0.3, "rho": 0.2, "mean_q": 0.5}])
def test_the_bins_hold_all_of_the_mass_and_its_mean(dim, components):
    law = exchangeable.moments(dim, **components)
    sd = float(np.sqrt(law.variance))
    edges = np.linspace(law.mean - 30 * sd, law.mean + 30 * sd, 401)
    mass = density(edges, dim, **components) * np.diff(edges)
    assert mass.sum() == pytest.approx(1.0, abs=1e-5)
    if dim > 1:  # the logarithmic peak of dimension 1 sits askew in its bin
        assert mass @ (edges[:-1] + edges[1:]) / 2 == pytest.approx(float(law.mean), abs=1e-3 * sd)


@pytest.mark.parametrize("components", [{"rho": 0.4, "r_q": 0.2, "r_k": 0.3, "mean_q": 0.5, "mean_k": -0.4}, {}])
def test_drawn_scores_fill_the_bins_as_predicted(components):
    dim, count = 6, 400_000
    random = np.random.default_rng(12)
    one, eye = np.ones((dim, dim)), np.eye(dim)
    r_q, r_k, rho = (components.get(name, 0.0) for name in ("r_q", "r_k", "rho"))
    full = np.block([[(1 - r_q) * eye + r_q * one, rho * eye], [rho * eye, (1 - r_k) * eye + r_k * one]])
    means = np.r_[np.full(dim, components.get("mean_q", 0.0)), np.full(dim, components.get("mean_k", 0.0))]
    pairs = random.multivariate_normal(means, full, count, method="cholesky")
    edges = bins_around(dim, count=40, **components)
    counts = np.histogram((pairs[:, :dim] * pairs[:, dim:]).sum(axis=1), edges)[0]
    expected = count * density(edges, dim, **components) * np.diff(edges)
    assert np.all(np.abs(counts - expected) < 5.0 * np.sqrt(np.maximum(expected, 5.0)))
    used = expected > 20
    assert stats.chi2.sf(((counts - expected)[used] ** 2 / expected[used]).sum(), used.sum()) > 1e-4


def test_products_of_two_uniforms_follow_a_logarithm():
    for count in (80, 81):  # with and without an edge on the singular point
        edges = np.linspace(-3.3, 3.3, count)
        size = np.minimum(np.abs(edges), 3.0)
        below = np.sign(edges) * size / 6.0 * (1.0 - np.log(np.where(size == 0.0, 1.0, size) / 3.0))
        found = binned_density(edges, partial(uniform_characteristic, dim=1))
        assert_close(found, np.diff(below) / np.diff(edges))


def test_drawn_uniform_scores_fill_the_bins_as_predicted():
    random, dim, count, root = np.random.default_rng(13), 3, 400_000, math.sqrt(3.0)
    q, k = (random.uniform(-root * s, root * s, (count, dim)) for s in (2.0, 0.5))
    edges = np.linspace(-6.0, 6.0, 41)
    counts = np.histogram((q * k).sum(axis=1), edges)[0]
    density_found = binned_density(edges, partial(uniform_characteristic, dim=dim, sigma_q=2.0, sigma_k=0.5))
    expected = count * density_found * np.diff(edges)
    assert np.all(np.abs(counts - expected) < 5.0 * np.sqrt(np.maximum(expected, 5.0)))


@pytest.mark.parametrize(("dim", "rho"), [(1, 0.0), (9, 0.3), (64, -0.5), (64, 1.0), (4096, 0.1)])
def test_sign_bins_hold_the_binomial_mass(dim, rho):
    scale = 1.5
    edges = scale * (np.arange(-dim - 2, dim + 4, 4) + 0.5)
    ups = np.arange(dim + 1)
    mass = np.histogram(scale * (2 * ups - dim), edges, weights=stats.binom.pmf(ups, dim, 0.5 * (1 + rho)))[0]
    np.testing.assert_allclose(sign_bins(edges, dim, scale, rho) * np.diff(edges), mass, rtol=1e-8, atol=1e-14)


def test_sign_bins_outside_the_reach_of_the_walk_are_empty():
    assert sign_bins(np.array([10.0, 11.0, 12.0]), 4).tolist() == [0.0, 0.0]
    assert sign_bins(np.array([-12.0, -11.0]), 4).tolist() == [0.0]


def test_normal_bins_hold_the_normal_mass_far_out_too():
    edges = np.array([-40.0, -3.0, 0.5, 1.0, 4.0, 22.0, 23.0])
    expected = np.diff(stats.norm.cdf(edges, 1.0, 2.0))
    expected[-1] = stats.norm.sf(10.5) - stats.norm.sf(11.0)
    np.testing.assert_allclose(normal_bins(edges, 1.0, 2.0) * np.diff(edges), expected, rtol=1e-12)
    assert np.isnan(normal_bins(edges, 0.0, np.nan)).all()


def test_characteristic_functions_start_at_one_with_the_slope_of_the_mean():
    components = {"rho": 0.3, "mean_q": 0.5, "mean_k": 2.0, "r_q": 0.2}
    t = 1e-6
    at_zero, near = exchangeable_characteristic(np.array([0.0, t]), 16, **components)
    assert at_zero == 1.0
    assert near.imag / t == pytest.approx(float(exchangeable.moments(16, **components).mean), rel=1e-7)
    assert uniform_characteristic(np.array([0.0]), 5)[0] == 1.0


@pytest.mark.parametrize("edges", [[0.0, 1.0, 3.0], [1.0, 0.0], [1.0], [0.0, np.nan, 2.0]])
def test_uneven_or_descending_edges_are_refused(edges):
    with pytest.raises(ValueError, match="ascending and equally spaced"):
        density(np.array(edges), 4)
