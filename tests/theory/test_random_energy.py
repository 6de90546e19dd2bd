import json
import math
from pathlib import Path

import mpmath
import numpy as np
import pytest

from attnsim.theory import random_energy
from attnsim.theory.softmax_expectations import expectations

GOLDEN = Path(__file__).parents[3] / "shared" / "reference" / "golden.json"


@pytest.mark.skipif(not GOLDEN.exists(), reason="the reference values are not beside the checkout")
@pytest.mark.parametrize(("name", "theory"), [
    ("G16", lambda: random_energy.mean_maximum(512)),
    ("G17", lambda: random_energy.poisson_dirichlet(0.5).largest_weight),
])  # fmt: skip
def test_the_reference_values_are_met(name, theory):
    item = next(item for item in json.loads(GOLDEN.read_text()) if item["id"] == name)
    assert abs(float(theory()) - item["value"]) <= item["tolerance"]


def test_the_mean_maximum_of_few_normals_is_known_in_closed_form():
    fourth = 3 / math.sqrt(math.pi) * (0.5 + math.asin(1 / 3) / math.pi)
    closed = [0.0, 1 / math.sqrt(math.pi), 1.5 / math.sqrt(math.pi), fourth]
    np.testing.assert_allclose(random_energy.mean_maximum([1, 2, 3, 4]), closed, rtol=1e-13, atol=1e-15)


def test_the_mean_maximum_of_very_many_normals_is_what_mpmath_integrates():
    def integrand(z):
        above = mpmath.erfc(z / mpmath.sqrt(2)) / 2
        return 10**17 * z * mpmath.npdf(z) * mpmath.exp((10**17 - 1) * mpmath.log1p(-above))

    with mpmath.workdps(40):
        exact = float(mpmath.quad(integrand, mpmath.linspace(6, 14, 33)))
    assert random_energy.mean_maximum(1e17) == pytest.approx(exact, rel=1e-11)


def test_few_keys_take_all_beyond_the_threshold_and_it_inverts():
    n = np.array([1.0, 2.0, 512.0, 1e9])
    threshold = random_energy.condensation_threshold(n)
    np.testing.assert_allclose(random_energy.most_liquid_keys(threshold), n, rtol=1e-13)
    assert np.all(random_energy.mean_maximum(n) <= threshold)


@pytest.mark.parametrize("exponent", [-0.5, 0.0, 0.25, 1.0])
def test_the_boundary_dimension_has_the_threshold_as_its_spread(exponent):
    d = random_energy.boundary_dim(512, exponent, sigma=1.3)
    assert 1.3 * d ** (0.5 - exponent) == pytest.approx(float(random_energy.condensation_threshold(512)), rel=1e-12)


def test_the_square_root_has_no_boundary_dimension():
    assert np.isnan(random_energy.boundary_dim(512, 0.5))
    assert random_energy.most_liquid_keys(math.sqrt(64.0)) == pytest.approx(math.exp(32.0))


def test_the_liquid_limits_hold_as_stated():
    for keys in (512, 4096, 65536):
        spread = 0.3 * float(random_energy.condensation_threshold(keys))
        limit, exact = random_energy.liquid(keys, spread), expectations(keys, spread, largest=False)
        assert limit.sum_p2 == pytest.approx(float(exact.sum_p2), rel=0.02)
        assert limit.entropy == pytest.approx(float(exact.entropy), rel=0.01)
    beyond = random_energy.liquid(512, [1.9, 5.0])
    assert np.isnan(beyond.sum_p2).all()
    assert np.isnan(beyond.entropy).tolist() == [False, True]


def test_the_condensed_limits_hold_as_stated():
    for keys in (64, 512, 4096, 65536):
        spread = 2.0 * float(random_energy.condensation_threshold(keys)) * np.array([1.0, 1.5, 2.0])
        limit, exact = random_energy.condensed(keys, spread), expectations(keys, spread)
        assert np.all(np.abs(limit.sum_p2 - exact.sum_p2) < 0.021)
        assert np.all((limit.entropy > exact.entropy) & (limit.entropy < 1.17 * exact.entropy))
        np.testing.assert_allclose(limit.largest_weight, exact.largest_weight, atol=0.012)
        np.testing.assert_allclose(limit.jacobian_norm2, exact.jacobian_norm2, rtol=0.1)
    raw = random_energy.condensed(512, 8.0, finite=False)
    assert raw.sum_p2 == pytest.approx(1 - math.sqrt(2 * math.log(512)) / 8)
    assert np.isnan(random_energy.condensed(512, 1.0).sum_p2)


@pytest.mark.parametrize("alpha", [0.15, 0.5, 0.8])
def test_poisson_dirichlet_means_are_those_of_broken_sticks(alpha):
    # size-biased order: sticks with Beta(1 - alpha, i alpha) shares; the first has the law of a weight drawn by itself
    rng, rows, sticks = np.random.default_rng(3), 4000, 400
    shares = rng.beta(1 - alpha, alpha * np.arange(1, sticks + 1), size=(rows, sticks))
    left = np.cumprod(np.hstack([np.ones((rows, 1)), 1 - shares[:, :-1]]), axis=1)
    p = shares * left
    theory = random_energy.poisson_dirichlet(alpha)
    first = p[:, 0]
    for seen, exact in (
        (first, theory.sum_p2), (first**2, theory.sum_p3), (-np.log(first), theory.entropy),
        (p.max(axis=1), theory.largest_weight), ((p**2).sum(axis=1) ** 2, random_energy.mean_square_of_sum_p2(alpha)),
    ):  # fmt: skip
        assert abs(seen.mean() - exact) < 5 * seen.std() / math.sqrt(rows)


def test_the_jacobian_of_broken_sticks_is_largest_at_one_half():
    alpha = np.linspace(0.01, 0.99, 99)
    norms = random_energy.poisson_dirichlet(alpha).jacobian_norm2
    assert alpha[np.argmax(norms)] == pytest.approx(0.5)
    assert norms.max() == pytest.approx(1 / 12)
    moments = random_energy.poisson_dirichlet(alpha)
    by_moments = moments.sum_p2 - 2 * moments.sum_p3 + random_energy.mean_square_of_sum_p2(alpha)
    np.testing.assert_allclose(norms, by_moments, rtol=1e-12)


def test_impossible_parameters_are_refused():
    with pytest.raises(ValueError, match=r"alpha must lie in \(0, 1\), not 1"):
        random_energy.poisson_dirichlet(1.0)
    with pytest.raises(ValueError, match=r"keys must lie in \[1, inf\]"):
        random_energy.condensation_threshold(0)
