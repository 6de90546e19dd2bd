import json
import math
from pathlib import Path

import numpy as np
import pytest

from attnsim.theory import exchangeable, independent_steps, mixture

GOLDEN = Path(__file__).parents[3] / "shared" / "reference" / "golden.json"
NORMAL = [1, 0, 1, 0, 3, 0, 15, 0, 105]
UNIFORM = [1, 0, 1, 0, 9 / 5, 0, 27 / 7, 0, 9]
LAPLACE = [1, 0, 1, 0, 6, 0, 90, 0, 2520]
SIGN = [1, 0, 1, 0, 1, 0, 1, 0, 1]
EXPONENTIAL = [1, 0, 1, 2, 9, 44, 265, 1854, 14833]  # shifted to mean 0: it has skewness

DRAW = {
    "normal": (NORMAL, lambda random, size: random.standard_normal(size)),
    "uniform": (UNIFORM, lambda random, size: random.uniform(-math.sqrt(3), math.sqrt(3), size)),
    "laplace": (LAPLACE, lambda random, size: random.laplace(0, math.sqrt(0.5), size)),
    "exponential": (EXPONENTIAL, lambda random, size: random.exponential(1.0, size) - 1.0),
}
SHIFTED = {"sigma_q": 1.3, "sigma_k": 0.8, "mean_q": 0.4, "mean_k": -0.3}


def rows(law, count, dim, keys, aligned=None, seed=6, **p):
    """Return scores (count, keys) of the factor model, drawn component by component."""
    random, draw = np.random.default_rng(seed), DRAW[law][1]
    sigma_q, sigma_k, mean_q, mean_k = (
        p.get(name, usual) for name, usual in (("sigma_q", 1.0), ("sigma_k", 1.0), ("mean_q", 0.0), ("mean_k", 0.0))
    )
    rho, r_q, r_k = p.get("rho", 0.0), p.get("r_q", 0.0), p.get("r_k", 0.0)
    tau = rho / math.sqrt((1 - r_q) * (1 - r_k))
    a = draw(random, (count, dim))
    query = mean_q + sigma_q * (math.sqrt(r_q) * random.standard_normal((count, 1)) + math.sqrt(1 - r_q) * a)
    result = np.empty((count, keys))
    for j in range(keys):
        own = tau if aligned is None or j == aligned else 0.0
        shared = math.sqrt(r_k) * random.standard_normal((count, 1))
        rest = own * a + math.sqrt(1 - own**2) * draw(random, (count, dim))
        result[:, j] = (query * (mean_k + sigma_k * (shared + math.sqrt(1 - r_k) * rest))).sum(axis=1)
    return result


def assert_met(sample, theory, highest):
    """Compare central moments up to `highest`, and the within-row variance, in standard errors over rows."""
    v = theory.variance
    expected = {1: 0.0, 2: v, 3: theory.skewness * v**1.5, 4: (theory.excess_kurtosis + 3.0) * v**2}
    for power in range(1, highest + 1):
        rowwise = ((sample - theory.mean) ** power).mean(axis=1)
        assert abs(rowwise.mean() - expected[power]) < 5.0 * rowwise.std() / math.sqrt(rowwise.size), power
    inside = sample.var(axis=1, ddof=1)
    assert abs(inside.mean() - theory.within_row_variance) < 5.0 * inside.std() / math.sqrt(inside.size)


def steps_theory(law, dim, **p):
    origin = p.get("mean_q", 0) * p.get("mean_k", 0) + p.get("rho", 0) * p.get("sigma_q", 1) * p.get("sigma_k", 1)
    raw = independent_steps.correlated_step(DRAW[law][0], **p, centred=True)
    square = p.get("mean_q", 0) ** 2 + p.get("sigma_q", 1) ** 2
    within = p.get("sigma_k", 1) ** 2 * (1 - p.get("rho", 0) ** 2) * square
    return independent_steps.moments_from_step(dim, raw, origin=origin, within=within)


@pytest.mark.skipif(not GOLDEN.exists(), reason="the reference values are not beside the checkout")
def test_the_reference_variance_of_a_law_with_kurtosis_is_met_by_both_ways_to_it():
    item = next(item for item in json.loads(GOLDEN.read_text()) if item["id"] == "G20")
    by_factors = independent_steps.factor_moments(12, a_moments=LAPLACE, **SHIFTED, rho=0.5).variance
    by_steps = independent_steps.moments_from_step(
        12, independent_steps.correlated_step(LAPLACE, **SHIFTED, rho=0.5)
    ).variance
    assert abs(float(by_factors) - item["value"]) <= item["tolerance"]
    assert abs(float(by_steps) - item["value"]) <= item["tolerance"]


@pytest.mark.parametrize("rho", [-1.0, 0.0, 0.6])
def test_steps_of_normal_components_are_the_exchangeable_law(rho):
    found, exact = (
        steps_theory("normal", [1, 5, 64], **SHIFTED, rho=rho),
        exchangeable.moments([1, 5, 64], **SHIFTED, rho=rho),
    )
    for name in ("mean", "variance", "within_row_variance", "skewness", "excess_kurtosis"):
        np.testing.assert_allclose(getattr(found, name), getattr(exact, name), rtol=1e-11, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("rho", [-1.0, -0.3, 0.0, 0.8])
def test_the_four_point_law_of_signs_agrees_with_its_moments_where_the_coupling_does_not_matter(rho):
    signs = independent_steps.sign_step(**SHIFTED, rho=rho)
    factor = independent_steps.correlated_step(SIGN, **SHIFTED, rho=rho)
    np.testing.assert_allclose(signs[:2], factor[:2], rtol=1e-13)  # the mean needs no more than rho
    if rho in (-1.0, 0.0):
        np.testing.assert_allclose(signs, factor, rtol=1e-13)


def test_plain_signs_have_an_excess_kurtosis_of_minus_two_over_d():
    found = independent_steps.moments_from_step([1, 10], independent_steps.sign_step())
    np.testing.assert_allclose(found.variance, [1, 10], rtol=1e-15)
    np.testing.assert_allclose(found.excess_kurtosis, [-2.0, -0.2], rtol=1e-14)


def test_simulated_signs_meet_the_four_point_law():
    random, count, dim, rho, keys = np.random.default_rng(8), 20_000, 9, 0.4, 3
    s = random.choice([-1.0, 1.0], (count, dim))
    sample = np.empty((count, keys))
    for j in range(keys):
        t = np.where(random.random((count, dim)) < 0.5 * (1 + rho), s, -s)
        sample[:, j] = ((0.4 + 1.3 * s) * (-0.3 + 0.8 * t)).sum(axis=1)
    raw = independent_steps.sign_step(**SHIFTED, rho=rho, centred=True)
    within = 0.8**2 * (1 - rho**2) * (0.4**2 + 1.3**2)
    assert_met(sample, independent_steps.moments_from_step(dim, raw, origin=-0.12 + rho * 1.04, within=within), 4)


@pytest.mark.parametrize(
    ("law", "components"),
    [
        ("uniform", {}),
        ("uniform", SHIFTED | {"rho": 0.5}),
        ("laplace", SHIFTED | {"rho": -0.4}),
        ("exponential", SHIFTED | {"rho": 0.3}),
        ("exponential", {"mean_q": 1.0, "rho": 0.9}),
    ],
)
def test_simulated_steps_meet_the_moments_of_the_step(law, components):
    assert_met(rows(law, 20_000, 6, 3, **components), steps_theory(law, 6, **components), 4)


@pytest.mark.parametrize(
    ("law", "components"),
    [
        ("laplace", SHIFTED | {"rho": 0.4, "r_q": 0.3, "r_k": 0.2}),
        ("uniform", {"rho": -0.3, "r_q": 0.5, "mean_q": 0.8}),
        ("exponential", SHIFTED | {"rho": 0.5, "r_q": 0.1, "r_k": 0.4}),
        ("uniform", {"r_q": 0.3, "r_k": 0.3}),
    ],
)
def test_simulated_common_factors_meet_the_factor_model(law, components):
    theory = independent_steps.factor_moments(8, a_moments=DRAW[law][0], **components)
    assert_met(rows(law, 20_000, 8, 3, **components), theory, 2)
    assert np.isnan(theory.skewness)


@pytest.mark.parametrize(
    ("law", "components"),
    [
        ("exponential", SHIFTED | {"rho": 0.5}),
        ("uniform", {"rho": 0.7}),
        ("laplace", SHIFTED | {"rho": 0.4, "r_q": 0.3, "r_k": 0.2}),
    ],
)
def test_simulated_rows_with_one_aligned_key_meet_the_mixture(law, components):
    keys, dim = 3, 8
    common = "r_q" in components
    of = (
        steps_theory
        if not common
        else lambda law, dim, **p: independent_steps.factor_moments(dim, a_moments=DRAW[law][0], **p)
    )
    gap = mixture.mean_gap_square(dim, a_moments=DRAW[law][0], **components)
    theory = mixture.pooled(keys, of(law, dim, **components), of(law, dim, **(components | {"rho": 0.0})), gap)
    assert_met(rows(law, 20_000, dim, keys, aligned=0, **components), theory, 2 if common else 4)


def test_moments_about_the_mean_keep_their_digits_when_means_are_large():
    tiny = {"sigma_q": 1e-3, "sigma_k": 1e-3, "mean_q": 100.0, "mean_k": 100.0, "rho": 0.5}
    found = independent_steps.moments_from_step(
        64, independent_steps.correlated_step(NORMAL, **tiny, centred=True), origin=1e4 + 0.5e-6
    )
    exact = exchangeable.moments(64, **tiny)
    np.testing.assert_allclose(found.variance, exact.variance, rtol=1e-12)
    np.testing.assert_allclose(found.excess_kurtosis, exact.excess_kurtosis, atol=1e-9)


def test_an_infinite_moment_that_does_not_enter_does_no_harm():
    heavy = [1, 0, 1, np.nan, np.inf, np.nan, np.inf, np.nan, np.inf]
    free = independent_steps.moments_from_step(4, independent_steps.correlated_step(heavy, mean_q=1.0))
    assert float(free.variance) == pytest.approx(8.0)
    assert np.isnan(free.excess_kurtosis)
    tied = independent_steps.moments_from_step(4, independent_steps.correlated_step(heavy, rho=0.5))
    assert float(tied.mean) == pytest.approx(2.0)
    assert np.isnan(tied.variance)
    six = [1, 0, 1, 0, 9, 0, np.inf, np.nan, np.inf]
    assert float(
        independent_steps.moments_from_step(4, independent_steps.correlated_step(six)).excess_kurtosis
    ) == pytest.approx(78.0 / 4.0)


def test_one_key_alone_is_just_the_aligned_law():
    aligned = exchangeable.moments(8, rho=0.5)
    assert mixture.pooled(1, aligned, exchangeable.moments(8), 3.0) is aligned
