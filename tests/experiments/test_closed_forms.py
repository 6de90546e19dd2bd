import math

import numpy as np
import pytest

from attnsim.choices.laws import LAWS
from attnsim.experiments.closed_forms import binned_density, score_moments, theory_at
from attnsim.scenario import Scenario
from attnsim.theory import exchangeable, independent_steps
from attnsim.theory.score_density import normal_bins, sign_bins

NAMES = ("mean", "variance", "within_row_variance", "between_row_variance", "skewness", "excess_kurtosis")


def draw_law(law, random, size, nu):
    if law == "normal":
        return random.standard_normal(size)
    if law == "laplace":
        return random.laplace(0.0, math.sqrt(0.5), size)
    if law == "sparse":
        return random.standard_normal(size) * (random.random(size) < 0.4) / math.sqrt(0.4)
    if law == "lognormal":
        return (random.lognormal(0.0, 0.3, size) - math.exp(0.045)) / math.sqrt(math.exp(0.18) - math.exp(0.09))
    if law == "uniform":
        return random.uniform(-math.sqrt(3.0), math.sqrt(3.0), size)
    return random.standard_t(nu, size) * math.sqrt((nu - 2.0) / nu)


def normal_keys(random, scenario, query, rho):
    """Draw one key a row: the normal law given the whole query."""
    dim, s = scenario.dim, scenario
    one, eye = np.ones((dim, dim)), np.eye(dim)
    of_query = s.sigma_q**2 * ((1 - s.r_q) * eye + s.r_q * one)
    of_key = s.sigma_k**2 * ((1 - s.r_k) * eye + s.r_k * one)
    cross = s.sigma_q * s.sigma_k * rho
    rest = of_key - cross**2 * np.linalg.inv(of_query)
    residual = random.multivariate_normal(np.zeros(dim), rest, len(query), method="svd")
    return s.mean_k + cross * (query - s.mean_q) @ np.linalg.inv(of_query) + residual


def simulate(scenario, rows, summed, seed=21):
    """Return scores (rows, keys) of the first `summed` components, in plain numpy."""
    random, s = np.random.default_rng(seed), scenario
    shape = (rows, s.dim)
    if s.law == "sign":
        own = random.choice([-1.0, 1.0], shape)
        query = s.mean_q + s.sigma_q * own
    else:
        own = draw_law(s.law, random, shape, s.nu)
        factor = random.standard_normal((rows, 1))
        query = s.mean_q + s.sigma_q * (math.sqrt(s.r_q) * factor + math.sqrt(1 - s.r_q) * own)
    scores = np.empty((rows, s.keys))
    for j in range(s.keys):
        rho = s.rho if s.aligned == "all" or j == 0 else 0.0
        if s.law == "normal":
            key = normal_keys(random, s, query, rho)
        elif s.law == "sign":
            key = s.mean_k + s.sigma_k * np.where(random.random(shape) < 0.5 * (1 + rho), own, -own)
        else:
            tau = rho / math.sqrt((1 - s.r_q) * (1 - s.r_k))
            rest = tau * own + math.sqrt(1 - tau**2) * draw_law(s.law, random, shape, s.nu)
            common = math.sqrt(s.r_k) * random.standard_normal((rows, 1))
            key = s.mean_k + s.sigma_k * (common + math.sqrt(1 - s.r_k) * rest)
        scores[:, j] = (query * key)[:, :summed].sum(axis=1)
    return scores


SHIFTED = {"sigma_q": 1.3, "sigma_k": 0.8, "mean_q": 0.4, "mean_k": -0.3}
SIMULATED = [
    {},
    {"rho": -0.5, **SHIFTED},
    {"r_q": 0.4, "r_k": 0.3},
    {"r_q": 0.3, "r_k": 0.2, "rho": 0.4, **SHIFTED},
    {"rho": 0.6, "aligned": "one"},
    {"r_q": 0.3, "r_k": 0.2, "rho": 0.4, "aligned": "one", **SHIFTED},
    {"law": "sign"},
    {"law": "sign", "rho": 0.5, **SHIFTED},
    {"law": "sign", "rho": 0.5, "aligned": "one", **SHIFTED},
    {"law": "uniform", "rho": 0.5, **SHIFTED},
    {"law": "uniform", "r_q": 0.3, "r_k": 0.2, "rho": 0.4, **SHIFTED},
    {"law": "uniform", "rho": -0.6, "aligned": "one", "mean_q": 1.0},
    {"law": "student_t", "nu": 30.0, "rho": 0.4, **SHIFTED},
    {"law": "laplace", "rho": 0.2, **SHIFTED},
    {"law": "sparse", "nonzero": 0.4, "r_q": 0.3, "r_k": 0.2, "rho": 0.4, **SHIFTED},
    {"law": "lognormal", "shape": 0.3, "rho": 0.4, **SHIFTED},
    {"law": "lognormal", "shape": 0.3, "r_q": 0.3, "r_k": 0.2, "rho": 0.4, "aligned": "one", **SHIFTED},
    {"law": "student_t", "nu": 30.0, "r_q": 0.2, "r_k": 0.3, "rho": -0.3, "aligned": "one", **SHIFTED},
]


@pytest.mark.parametrize("fields", SIMULATED)
@pytest.mark.parametrize("summed", [3, 8])
def test_simulated_scores_have_the_moments_of_theory(summed, fields):
    scenario = Scenario(**({"dim": 8, "keys": 3} | fields))
    theory = score_moments(scenario, [summed], of_dim=8)
    sample = simulate(scenario, 20_000, summed)

    def errors(rowwise, expected):
        return abs(rowwise.mean() - expected) / (rowwise.std() / math.sqrt(rowwise.size))

    v = theory.variance[0]
    expected = [0.0, v, theory.skewness[0] * v**1.5, (theory.excess_kurtosis[0] + 3.0) * v**2]
    for power, value in enumerate(expected, start=1):
        if np.isfinite(value):
            assert errors(((sample - theory.mean[0]) ** power).mean(axis=1), value) < 5.0, power
    assert errors(sample.var(axis=1, ddof=1), theory.within_row_variance[0]) < 5.0
    common = scenario.law != "normal" and scenario.r_q > 0.0
    assert np.isnan(theory.skewness[0]) == common


def test_without_dims_numbers_are_plain_and_what_has_no_closed_form_is_none():
    found = score_moments(Scenario(dim=64, law="student_t", nu=4.0))
    assert (found.mean, found.variance) == (0.0, 64.0)
    assert all(type(getattr(found, name)) is float for name in NAMES[:4])
    assert found.excess_kurtosis is None
    heavy = score_moments(Scenario(dim=64, law="student_t", nu=1.5))
    assert heavy.mean == 0.0
    assert heavy.variance is None
    assert heavy.within_row_variance is None


@pytest.mark.parametrize("law", [name for name, law in LAWS.items() if law.moments is not None])
def test_independent_unit_components_have_a_variance_of_d_whatever_their_law(law):
    found = score_moments(Scenario(law=law), [1, 64, 65536])
    np.testing.assert_allclose(found.variance, [1, 64, 65536], rtol=1e-12)
    np.testing.assert_allclose(found.within_row_variance, [1, 64, 65536], rtol=1e-12)


W = math.exp(0.25)
LOGNORMAL = W**4 + 2 * W**3 + 3 * W**2 - 6


@pytest.mark.parametrize(
    ("law", "times_dim"),
    [("normal", 6.0), ("sign", -2.0), ("uniform", 0.24), ("laplace", 33.0), ("student_t", 9.0**2 - 3.0),
     ("sparse", 9.0 / 0.1**2 - 3.0), ("lognormal", (LOGNORMAL + 3.0) ** 2 - 3.0)],
)  # fmt: skip
def test_excess_kurtosis_of_independent_components_is_that_of_the_table(law, times_dim):
    found = score_moments(Scenario(law=law, nu=5.0, nonzero=0.1, shape=0.5, dim=100))
    assert found.excess_kurtosis == pytest.approx(times_dim / 100.0, rel=1e-10)
    skewness = (W + 2.0) ** 2 * (W - 1.0) / 10.0 if law == "lognormal" else 0.0
    assert found.skewness == pytest.approx(skewness, rel=1e-10, abs=1e-14)


@pytest.mark.parametrize(
    ("fields", "of_d"),
    [({"law": "ar1", "phi_q": 0.5, "phi_k": 0.5}, 5 / 3), ({"law": "ar1", "phi_q": 0.5, "phi_k": -0.5}, 3 / 5),
     ({"law": "low_rank", "rank": 4}, 1.0), ({"law": "initialised"}, 0.25),
     ({"law": "initialised", "initialisation": "kaiming"}, 4.0)],
)  # fmt: skip
def test_laws_of_whole_vectors_keep_a_variance_of_order_d(fields, of_d):
    scenario = Scenario(dim=65536, **fields)
    assert score_moments(scenario).variance / 65536 == pytest.approx(of_d, rel=1e-4)
    assert theory_at(scenario, [0, 65536]).exponent[-1] == pytest.approx(0.5, abs=1e-4)


def test_a_tied_matrix_makes_the_spread_grow_like_d():
    scenario = Scenario(dim=65536, law="low_rank", rank=4, projections="tied")
    assert theory_at(scenario, [0, 65536]).exponent[-1] == pytest.approx(1.0, abs=1e-3)


def test_a_part_of_a_head_keeps_the_matrices_of_the_whole_head():
    scenario = Scenario(law="initialised", initialisation="t5", dim=64)
    sd = theory_at(scenario, [0, 16, 64]).sd
    np.testing.assert_allclose(sd, [0.0, 0.5, 1.0], rtol=1e-12)
    edges = np.linspace(-2.0, 2.0, 9)
    density, exact = binned_density(scenario, [16], edges[None])
    assert not exact
    np.testing.assert_allclose(density[0], normal_bins(edges, 0.0, 0.5), rtol=1e-12)


def test_theory_starts_at_zero_without_spread_or_shape():
    theory = theory_at(Scenario(dim=16, mean_q=1.0, mean_k=2.0), np.array([0, 1, 4, 16]))
    assert theory.mean.tolist() == [0.0, 2.0, 8.0, 32.0]
    assert theory.sd[0] == theory.within_sd[0] == 0.0
    assert np.isnan(theory.skewness[0])
    assert theory.exponent.tolist() == [0.5] * 4
    assert theory.assumption == ""


def test_theory_at_early_steps_knows_that_keys_lean_on_the_whole_query():
    scenario = Scenario(dim=64, rho=0.5, r_q=0.3)
    expected = exchangeable.moments([4, 64], rho=0.5, r_q=0.3, of_dim=64).within_row_variance
    np.testing.assert_allclose(theory_at(scenario, [0, 4, 64]).within_sd[1:] ** 2, expected, rtol=1e-12)


@pytest.mark.parametrize("law", ["normal", "uniform"])
def test_common_factors_turn_the_exponent_from_a_half_to_one(law):
    scenario = Scenario(law=law, dim=65536, r_q=0.3, r_k=0.3)
    steps = np.array([0, 1, 9, 12, 65536])
    expected = exchangeable.growth(np.maximum(steps, 1e-3), r_q=0.3, r_k=0.3)
    np.testing.assert_allclose(theory_at(scenario, steps).exponent, expected, rtol=1e-7)


def test_one_aligned_key_makes_the_pooled_spread_grow_like_d_in_the_end():
    exponent = theory_at(Scenario(dim=65536, keys=8, rho=0.9, aligned="one"), [0, 1, 65536]).exponent
    assert exponent[0] == pytest.approx(0.5, abs=1e-4)
    assert exponent[-1] == pytest.approx(1.0, abs=1e-4)


def test_there_is_no_exponent_without_a_variance():
    theory = theory_at(Scenario(law="student_t", nu=2.0, dim=16), [0, 1, 16])
    assert np.isnan(theory.exponent).all()
    assert np.isnan(theory.sd[1:]).all()
    tied = theory_at(Scenario(law="student_t", nu=3.0, rho=0.5, dim=16), [0, 16])
    assert np.isnan(tied.sd[1])
    assert tied.within_sd[1] == pytest.approx(math.sqrt(0.75 * 16))


EXACT = [
    {},
    {"rho": 0.5, "aligned": "one", "keys": 2},
    {"r_q": 0.3, "r_k": 0.2, "rho": 0.4, **SHIFTED},
    {"law": "sign", "rho": 0.4, "sigma_q": 2.0},
    {"law": "sign", "rho": 0.8, "aligned": "one", "keys": 3},
    {"law": "uniform", "sigma_k": 0.5},
]


@pytest.mark.parametrize("fields", EXACT)
def test_an_exact_density_predicts_the_counts_of_simulated_scores(fields):
    scenario = Scenario(**({"dim": 6, "keys": 1} | fields))
    sample = simulate(scenario, 60_000, 6)
    law = score_moments(scenario)
    reach = 4.0 * math.sqrt(law.variance)
    edges = np.linspace(law.mean - reach, law.mean + reach + 1e-3, 32)
    density, exact = binned_density(scenario, [6], edges[None])
    assert exact
    one_key = sample[np.arange(len(sample)), np.arange(len(sample)) % scenario.keys]  # rows are independent
    counts = np.histogram(one_key, edges)[0]
    expected = len(sample) * density[0] * np.diff(edges)
    assert np.all(np.abs(counts - expected) < 5.0 * np.sqrt(np.maximum(expected, 5.0)))


def test_densities_of_several_checkpoints_stand_in_their_rows():
    scenario = Scenario(law="sign", dim=64)
    edges = np.array([np.arange(-9.0, 10.0, 2.0), np.arange(-63.0, 64.0, 14.0)])
    density, exact = binned_density(scenario, [4, 64], edges)
    assert exact
    np.testing.assert_array_equal(density[0], sign_bins(edges[0], 4))
    np.testing.assert_array_equal(density[1], sign_bins(edges[1], 64))


@pytest.mark.parametrize(
    "fields", [{"law": "student_t"}, {"law": "sign", "mean_q": 0.5}, {"law": "uniform", "rho": 0.3}]
)
def test_other_laws_get_the_normal_limit_and_say_so(fields):
    scenario = Scenario(dim=64, **fields)
    law = score_moments(scenario)
    edges = np.linspace(-40, 60, 21)
    density, exact = binned_density(scenario, [64], edges[None])
    assert not exact
    np.testing.assert_allclose(density[0], normal_bins(edges, law.mean, math.sqrt(law.variance)), rtol=1e-12)


def test_a_law_without_variance_has_no_density():
    density, exact = binned_density(Scenario(law="student_t", nu=1.5), [4], np.linspace(-1, 1, 5)[None])
    assert not exact
    assert np.isnan(density).all()


@pytest.mark.parametrize("nu", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("rho", [0.0, 0.4, -1.0, 1.0])
@pytest.mark.parametrize("aligned", ["all", "one"])
def test_heavy_tails_with_any_alignment_raise_no_warning(nu, rho, aligned):
    scenario = Scenario(law="student_t", nu=nu, rho=rho, aligned=aligned, mean_q=0.5, dim=8, keys=4)
    assert score_moments(scenario).variance is None
    assert np.isnan(theory_at(scenario, [0, 1, 8]).sd[1:]).all()


def test_aligning_one_key_without_correlation_changes_nothing():
    one, every = Scenario(aligned="one", keys=8), Scenario(keys=8)
    assert score_moments(one) == score_moments(every)
    assert score_moments(Scenario(aligned="one", keys=1, rho=0.5)) == score_moments(Scenario(keys=1, rho=0.5))


def test_signs_with_means_use_the_four_point_law():
    scenario = Scenario(law="sign", dim=10, rho=0.5, **SHIFTED)
    found = score_moments(scenario)
    plain = independent_steps.moments_from_step(10, independent_steps.sign_step(**SHIFTED, rho=0.5))
    assert found.variance == pytest.approx(float(plain.variance), rel=1e-12)
    assert found.skewness == pytest.approx(float(plain.skewness), rel=1e-11)
