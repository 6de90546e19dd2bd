"""Laws of the components: the moments they name are the moments they draw."""

import math

import numpy as np
import pytest
from scipy import stats

from attnsim.choices.laws import LAWS, Request, lognormal, student_t
from attnsim.choices.laws.initialised import INITIALISATIONS, component_scales
from attnsim.kernels.rng import stream_key
from attnsim.kernels.variates import (
    laplace_variates,
    lognormal_variates,
    normal_variates,
    sign_variates,
    sparse_variates,
    student_variates,
    uniform_variates,
)
from attnsim.scenario import Scenario

GIVEN = Scenario(nu=12.0, shape=0.3, nonzero=0.3)
DRAWN = {
    "normal": normal_variates,
    "sign": sign_variates,
    "uniform": uniform_variates,
    "laplace": laplace_variates,
    "student_t": lambda key, rows, keys, dim: student_variates(key, rows, keys, dim, 12.0),
    "lognormal": lambda key, rows, keys, dim: lognormal_variates(key, rows, keys, dim, 0.3),
    "sparse": lambda key, rows, keys, dim: sparse_variates(key, rows, keys, dim, 0.3),
}
W = math.exp(0.09)
LAW_OF = {
    "normal": stats.norm(),
    "uniform": stats.uniform(-math.sqrt(3), 2 * math.sqrt(3)),
    "laplace": stats.laplace(scale=math.sqrt(0.5)),
    "student_t": stats.t(12.0, scale=math.sqrt(10 / 12)),
    "lognormal": stats.lognorm(0.3, loc=-1 / math.sqrt(W - 1), scale=1 / math.sqrt(W * (W - 1))),
}
OF_COMPONENTS = [name for name, law in LAWS.items() if law.moments is not None]


@pytest.mark.parametrize("name", OF_COMPONENTS)
def test_drawn_variates_have_the_moments_the_law_names(name):
    values = DRAWN[name](stream_key(1, "test"), 4, 5, 20_001).ravel()
    named = LAWS[name].moments(GIVEN)
    for j in range(1, 5):
        error = math.sqrt((named[2 * j] - named[j] ** 2) / values.size)
        assert abs((values**j).mean() - named[j]) <= 5 * error + 1e-12, j


@pytest.mark.parametrize("name", list(LAW_OF))
def test_drawn_variates_follow_the_law(name):
    values = DRAWN[name](stream_key(2, "test"), 2, 3, 10_001).ravel()
    assert stats.kstest(values, LAW_OF[name].cdf).pvalue > 1e-3


def test_sparse_variates_are_0_or_normal_and_neither_tells_the_other_anything():
    values = sparse_variates(stream_key(2, "test"), 2, 3, 20_001, 0.3)
    there = values != 0.0
    assert abs(there.mean() - 0.3) < 5 * math.sqrt(0.21 / values.size)
    assert stats.kstest(values[there] * math.sqrt(0.3), "norm").pvalue > 1e-3
    pairs = there[:, :, 1:] & there[:, :, :-1]
    assert abs(pairs.mean() - 0.09) < 5 * math.sqrt(0.15 / pairs.size)


@pytest.mark.parametrize(
    ("fields", "skewness", "excess"),
    [
        ({"law": "laplace"}, 0.0, 3.0),
        ({"law": "sparse", "nonzero": 0.1}, 0.0, 27.0),
        ({"law": "sparse", "nonzero": 1.0}, 0.0, 0.0),
        ({"law": "lognormal", "shape": 0.5}, *stats.lognorm(0.5).stats("sk")),
        ({"law": "lognormal", "shape": 2.0}, *stats.lognorm(2.0).stats("sk")),
    ],
)
def test_third_and_fourth_moments_are_those_of_the_literature(fields, skewness, excess):
    scenario = Scenario(**fields)
    named = LAWS[scenario.law].moments(scenario)
    assert named[:3].tolist() == [1.0, 0.0, 1.0]
    assert named[3] == pytest.approx(float(skewness), rel=1e-10, abs=1e-12)
    assert named[4] - 3.0 == pytest.approx(float(excess), rel=1e-10, abs=1e-12)


def test_log_normal_moments_lose_no_digit_where_the_law_is_nearly_normal():
    s = 0.01
    named = lognormal.moments(Scenario(law="lognormal", shape=s))
    w = math.exp(s * s)
    assert named[3] == pytest.approx((w + 2.0) * math.sqrt(math.expm1(s * s)), rel=1e-12)
    assert named[8] == pytest.approx(105.0, rel=0.1)


@pytest.mark.parametrize("name", list(INITIALISATIONS))
@pytest.mark.parametrize(("model", "dim"), [(512, 64), (4096, 128)])
def test_an_initialisation_gives_the_spread_of_scores_that_it_is_known_for(name, model, dim):
    known = {
        "xavier_fused": 0.5, "xavier_per_head": 2 * model / (model + dim), "kaiming": 2.0, "lecun": 1.0,
        "normal002": 4e-4 * model, "torch_linear": 1 / 3, "t5": 1 / math.sqrt(dim),
    }  # fmt: skip
    given = Scenario(law="initialised", initialisation=name, d_model=model)
    assert math.prod(component_scales(given, dim)) == pytest.approx(known[name], rel=1e-12)


def dense_given_query(request, query, rho):
    """Mean and covariance of a key given its query, from the joint covariance of both, by linear algebra alone."""
    i = np.arange(query.size)
    lag = i[:, None] - i
    later = np.where(lag <= 0, request.phi_k ** np.abs(lag), request.phi_q ** np.abs(lag))  # Cov(q_i, k_j)
    of_q, of_k = (float(phi) ** np.abs(lag) for phi in (request.phi_q, request.phi_k))
    slope = np.linalg.solve(of_q, rho * later).T
    mean = request.mean_k + request.sigma_k * slope @ (query - request.mean_q) / request.sigma_q
    return mean, request.sigma_k**2 * (of_k - slope @ of_q @ slope.T)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"phi_q": 0.7, "phi_k": -0.4, "rho": 0.3, "mean_q": 0.4, "mean_k": -0.2, "sigma_q": 1.3, "sigma_k": 0.7},
        {"phi_q": 0.6, "phi_k": 0.6, "rho": -1.0},
    ],
)
def test_the_law_of_an_autoregressive_key_given_its_query_is_the_regression_on_the_whole_query(fields):
    steps = np.arange(1, 13)
    request = Request(seed=4, stream="test", steps=steps, rows=2, keys=2, **fields)
    drawn = LAWS["ar1"].draw(request)
    sums = LAWS["ar1"].draw(Request(seed=4, stream="test", steps=steps, rows=2, **{**fields, "sigma_k": 1e-9,
                                    "mean_k": 1.0, "rho": 0.0})).walks[:, :, 0]  # fmt: skip
    for row in range(2):
        query = np.diff(sums[row], prepend=0.0)  # nearly: the keys are 1 but for a billionth
        mean, covariance = dense_given_query(request, query, request.rho)
        variance = np.array([query[:m] @ covariance[:m, :m] @ query[:m] for m in steps])
        np.testing.assert_allclose(drawn.mean[row], np.cumsum(query * mean), rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(drawn.sd[row], np.sqrt(np.maximum(variance, 0.0)), rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(drawn.square[row], np.cumsum(query**2), rtol=1e-6)


PROJECTED = [
    {"law": "low_rank", "rank": 3},
    {"law": "low_rank", "rank": 3, "projections": "tied"},
    {"law": "low_rank", "rank": 1, "projections": "tied", "mean_q": 0.5, "mean_k": 0.4, "sigma_q": 0.8},
    {"law": "initialised", "d_model": 3, "initialisation": "torch_linear", "mean_q": 0.4, "mean_k": -0.3},
    {"law": "initialised", "d_model": 5, "initialisation": "t5"},
]


def brute_projection(generator, s, rows, keys):
    """Tokens times matrices, by numpy alone."""
    width = s.rank if s.law == "low_rank" else s.d_model
    if s.law == "initialised" and INITIALISATIONS[s.initialisation].uniform:
        reach = math.sqrt(3.0 / width)
        matrices = generator.uniform(-reach, reach, (2, rows, width, s.dim))
    else:
        matrices = generator.standard_normal((2, rows, width, s.dim)) / math.sqrt(width)
    if s.law == "low_rank" and s.projections == "tied":
        matrices[1] = matrices[0]
    scale = component_scales(s, s.dim) if s.law == "initialised" else (1.0, 1.0)
    tokens = generator.standard_normal((rows, keys + 1, width))
    q = s.mean_q + s.sigma_q * scale[0] * tokens[:, :1] @ matrices[0]
    k = s.mean_k + s.sigma_k * scale[1] * tokens[:, 1:] @ matrices[1]
    return np.cumsum(q * k, axis=2).transpose(0, 2, 1)


@pytest.mark.parametrize("place", range(len(PROJECTED)))
def test_projected_rows_have_the_law_of_tokens_times_matrices(place):
    s = Scenario(dim=24, keys=4, seed=place, **PROJECTED[place])
    rows, steps = 5000, np.array([3, 8, 24])
    brute = brute_projection(np.random.default_rng(70 + place), s, rows, 4)[:, steps - 1]
    read = {name: getattr(s, name) for name in ("sigma_q", "sigma_k", "mean_q", "mean_k", *LAWS[s.law].reads)}
    drawn = LAWS[s.law].draw(Request(seed=place, stream="test", steps=steps, rows=rows, keys=4, **read))

    def told(walks):
        return {
            "score": walks[:, -1, 0],
            "early score": walks[:, 0, 1],
            "increment": walks[:, 2, 2] - walks[:, 1, 2],
            "row mean": walks[:, -1].mean(axis=1),
            "row spread": walks[:, -1].std(axis=1),
            "early row spread": walks[:, 1].std(axis=1),
            "product of two keys": walks[:, -1, 0] * walks[:, -1, 3],
            "growth of the row's spread": walks[:, -1].std(axis=1) / walks[:, 0].std(axis=1),
        }

    other = told(brute)
    pvalues = {name: stats.ks_2samp(values, other[name]).pvalue for name, values in told(drawn.walks).items()}
    assert min(pvalues.values()) > 0.05 / (len(PROJECTED) * len(pvalues)), pvalues


def test_student_without_a_variance_is_plain_t():
    values = student_variates(stream_key(3, "test"), 1, 1, 50_000, 1.5).ravel()
    assert stats.kstest(values, stats.t(1.5).cdf).pvalue > 1e-3


@pytest.mark.parametrize("nu", [1.0, 2.0, 4.0, 9.0, 30.0])
def test_students_moments_end_where_they_cease_to_exist(nu):
    named = student_t.moments(Scenario(law="student_t", nu=nu))
    for j in range(2, 9, 2):
        assert math.isfinite(named[j]) == (j < nu)
    if nu > 4:
        scale = (nu - 2) / nu
        assert named[4] == pytest.approx(stats.t(nu).stats("k") + 3, rel=1e-12)
        assert named[2] == pytest.approx(scale * stats.t(nu).var(), rel=1e-12)


@pytest.mark.parametrize("name", list(LAWS))
def test_every_law_says_what_it_is_where_it_comes_from_and_why(name):
    law = LAWS[name]
    assert law.key == name
    assert law.formula
    assert law.source
    assert all(sentence.endswith(".") for sentence in law.sentences)
