"""Exact samplers against components drawn one by one: two ways that check each other."""

import numpy as np
import pytest
from scipy import stats

from attnsim.choices.laws import LAWS, Request, ar1, projection
from attnsim.kernels.component_rows import component_walks
from attnsim.kernels.sign_rows import binomial_table
from attnsim.kernels.weight_rows import weight_rows

STEPS = np.array([3, 8, 24])
ROWS, KEYS = 6000, 4


def brute_normal_rows(seed, *, sigma_q=1.0, sigma_k=1.0, mean_q=0.0, mean_k=0.0, rho=0.0, r_q=0.0, r_k=0.0):
    """Rows drawn from the joint covariance of one query and its keys, component by component, by numpy alone."""
    dim = int(STEPS[-1])
    generator = np.random.default_rng(seed)
    ones, eye = np.ones((dim, dim)), np.eye(dim)
    cov_q = sigma_q**2 * ((1 - r_q) * eye + r_q * ones)
    cov_k = sigma_k**2 * ((1 - r_k) * eye + r_k * ones)
    cross = rho * sigma_q * sigma_k * eye
    slope = cross @ np.linalg.pinv(cov_q)
    left = np.linalg.cholesky(cov_k - slope @ cross + 1e-12 * eye)
    q = mean_q + generator.standard_normal((ROWS, dim)) @ np.linalg.cholesky(cov_q + 1e-12 * eye).T
    noise = generator.standard_normal((ROWS, KEYS, dim)) @ left.T
    k = mean_k + ((q - mean_q) @ slope.T)[:, None, :] + noise
    return np.cumsum(q[:, None, :] * k, axis=2)[:, :, STEPS - 1].transpose(0, 2, 1)


SETS = [
    {},
    {"rho": 0.4},
    {"rho": -0.7, "sigma_q": 1.5},
    {"mean_q": 0.6},
    {"mean_k": -0.8, "sigma_k": 0.5},
    {"mean_q": 0.5, "mean_k": 0.7, "rho": 0.3},
    {"r_q": 0.3},
    {"r_k": 0.4},
    {"r_q": 0.3, "r_k": 0.2},
    {"r_q": 0.2, "r_k": 0.3, "rho": 0.5},
    {"r_q": 0.4, "rho": -0.3, "mean_q": 0.3, "mean_k": -0.2},
    {"r_q": 0.5, "r_k": 0.5, "rho": 0.5, "mean_q": 0.2, "sigma_q": 2.0, "sigma_k": 0.3},
]


def statistics_of(walks):
    """What a row can be told by: scores, increments, mean and spread within the row, products of two keys."""
    return {
        "score": walks[:, -1, 0],
        "early score": walks[:, 0, 1],
        "increment": walks[:, 2, 2] - walks[:, 1, 2],
        "row mean": walks[:, -1].mean(axis=1),
        "row spread": walks[:, -1].std(axis=1),
        "early row spread": walks[:, 1].std(axis=1),
        "product of two keys": walks[:, -1, 0] * walks[:, -1, 3],
    }


@pytest.mark.parametrize("place", range(len(SETS)))
def test_exact_normal_rows_have_the_law_of_rows_drawn_by_component(place):
    fields = SETS[place]
    exact = LAWS["normal"].draw(Request(seed=place, stream="test", steps=STEPS, rows=ROWS, keys=KEYS, **fields)).walks
    brute = brute_normal_rows(1000 + place, **fields)
    pvalues = {
        name: stats.ks_2samp(values, statistics_of(brute)[name]).pvalue for name, values in statistics_of(exact).items()
    }
    assert min(pvalues.values()) > 0.05 / (len(SETS) * len(pvalues)), pvalues


def taken(law, **fields):
    """The fields a law can take, and a width of its tokens that keeps the test short."""
    return {name: value for name, value in fields.items() if name not in LAWS[law].refuses} | {"d_model": 32}


@pytest.mark.parametrize("law", list(LAWS))
@pytest.mark.parametrize("fields", [{}, {"rho": 0.5, "mean_q": 0.4, "mean_k": -0.2, "sigma_q": 1.3}])
def test_a_row_given_its_query_is_standard_normal_at_many_components(law, fields):
    steps = np.array([40, 400])
    drawn = LAWS[law].draw(
        Request(seed=5, stream="test", steps=steps, rows=400, keys=20, **taken(law, nu=8.0, **fields))
    )
    z = ((drawn.walks[:, 1] - drawn.mean[:, 1:]) / drawn.sd[:, 1:]).ravel()
    count = z.size
    assert abs(z.mean()) < 5 / np.sqrt(count)
    left = 0.3 + np.mean(drawn.kurtosis[:, 1])  # of the law of a key's sum, at 400 components
    assert abs(z.var() - 1.0) < 5 * np.sqrt((2.0 + left) / count)


@pytest.mark.parametrize("rho", [0.0, 0.3, -1.0, 1.0])
@pytest.mark.parametrize("size", [1, 5, 700])
def test_sign_increments_are_binomial(size, rho):
    steps = np.array([size])
    walks = LAWS["sign"].draw(Request(seed=2, stream="test", steps=steps, rows=300, keys=100, rho=rho)).walks
    agreements = (walks.ravel() + size) / 2
    assert np.array_equal(agreements, np.round(agreements))
    law = stats.binom(size, 0.5 * (1 + rho))
    low, high = law.ppf(0.002), law.ppf(0.998)
    values = np.arange(low, high + 1)
    expected = law.pmf(values) * agreements.size
    counted = np.array([(agreements == value).sum() for value in values])
    error = np.sqrt(np.maximum(expected * (1 - law.pmf(values)), 1e-12))
    assert np.all(np.abs(counted - expected) <= 5 * error + 1e-9)


def test_sign_rows_with_means_have_the_law_of_rows_drawn_by_component():
    generator = np.random.default_rng(4)
    s = generator.choice([-1.0, 1.0], size=(ROWS, 1, 24))
    t = s * np.where(generator.random((ROWS, KEYS, 24)) < 0.65, 1.0, -1.0)
    brute = np.cumsum((0.4 + 1.3 * s) * (-0.3 + 0.8 * t), axis=2)[:, :, STEPS - 1].transpose(0, 2, 1)
    fields = {"mean_q": 0.4, "sigma_q": 1.3, "mean_k": -0.3, "sigma_k": 0.8, "rho": 0.3}
    exact = LAWS["sign"].draw(Request(seed=9, stream="test", steps=STEPS, rows=ROWS, keys=KEYS, **fields)).walks
    for name, values in statistics_of(exact).items():
        other = statistics_of(brute)[name]
        error = np.sqrt(values.var() / values.size + other.var() / other.size)
        assert abs(values.mean() - other.mean()) < 5 * error, name
        assert stats.ks_2samp(np.round(values, 6), np.round(other, 6)).pvalue > 1e-3, name


@pytest.mark.parametrize("law", list(LAWS))
def test_a_row_does_not_depend_on_how_the_work_is_cut(law):
    given = {"seed": 1, "stream": "test", "steps": STEPS, **taken(law, rho=0.3)}
    whole = LAWS[law].draw(Request(rows=6, keys=10, **given)).walks
    rows = [LAWS[law].draw(Request(rows=2, first_row=b, keys=10, **given)).walks for b in (0, 2, 4)]
    keys = [LAWS[law].draw(Request(rows=6, keys=n, first_key=j, **given)).walks for j, n in ((0, 4), (4, 6))]
    assert np.array_equal(whole, np.concatenate(rows))
    assert np.array_equal(whole, np.concatenate(keys, axis=2))


@pytest.mark.parametrize("law", ["ar1", "low_rank", "initialised"])
def test_a_row_does_not_depend_on_how_much_is_drawn_at_a_time(law, monkeypatch):
    given = {"seed": 1, "stream": "test", "steps": STEPS, **taken(law, rho=0.3, only_first=True)}
    whole = LAWS[law].draw(Request(rows=6, keys=10, **given))
    for module, name in ((ar1, "MOST_COMPONENTS"), (projection, "MOST_NUMBERS")):
        monkeypatch.setattr(module, name, 100)
    parts = LAWS[law].draw(Request(rows=6, keys=10, **given))
    for name in ("walks", "mean", "sd", "aligned_mean", "aligned_sd", "square"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name)), name


@pytest.mark.parametrize("law", [law for law in LAWS if "rho" not in LAWS[law].refuses])
def test_only_the_first_key_is_aligned_when_one_is(law):
    request = Request(seed=3, stream="test", steps=np.array([64]), rows=3000, keys=3, rho=0.5, nu=9.0, only_first=True)
    scores = LAWS[law].draw(request).walks[:, 0]
    error = scores.std(axis=0) / np.sqrt(len(scores))
    assert abs(scores[:, 0].mean() - 32.0) < 5 * error[0]
    assert np.all(np.abs(scores[:, 1:].mean(axis=0)) < 5 * error[1:])


def test_a_share_of_the_rows_has_the_aligned_key():
    fields = {"rho": 1.0, "only_first": True, "aligned_share": 0.25}
    request = Request(seed=3, stream="test", steps=np.array([4096]), rows=4000, keys=2, **fields)
    aligned = (LAWS["sign"].draw(request).walks[:, 0, 0] == 4096).mean()
    assert abs(aligned - 0.25) < 5 * np.sqrt(0.25 * 0.75 / 4000)


def test_components_are_summed_as_written():
    generator = np.random.default_rng(0)
    q, lean = generator.normal(size=(2, 5)), generator.normal(size=(2, 2, 5))
    common, own = generator.normal(size=(2, 3)), generator.random((2, 2))
    b = generator.normal(size=(2, 3, 5))
    got = component_walks(q, lean, common, own, b, np.array([2, 5]))
    kind = np.array([0, 1, 1])
    k = lean[:, kind] + common[:, :, None] + own[:, kind, None] * b
    wanted = np.cumsum(q[:, None] * k, axis=2)[:, :, [1, 4]].transpose(0, 2, 1)
    np.testing.assert_allclose(got, wanted, rtol=1e-13, atol=1e-13)


def test_component_shapes_that_do_not_fit_are_refused_by_name():
    with pytest.raises(ValueError, match=r"lean needs shape \(1, 2, 4\); got \(1, 1, 4\)"):
        component_walks(
            np.zeros((1, 4)), np.zeros((1, 1, 4)), np.zeros((1, 2)), np.ones((1, 2)), np.zeros((1, 2, 4)), np.array([4])
        )


@pytest.mark.parametrize("odds", [0.0, 0.1, 0.5, 1.0])
def test_the_binomial_table_holds_the_cumulative_law(odds):
    line, table = binomial_table((0, 3, 900), odds)
    for trials in (0, 3, 900):
        wanted = stats.binom.cdf(np.arange(trials + 1), trials, odds)
        np.testing.assert_allclose(table[line[trials], : trials + 1], wanted, atol=1e-12)


@pytest.mark.parametrize("factor", [0.0, 1e-3, 1.0, 40.0, 1e6])
def test_largest_weight_and_entropy_equal_those_of_plain_softmax(factor):
    scores = np.random.default_rng(1).normal(size=(50, 33))
    largest, entropy = weight_rows(scores, factor)
    x = factor * scores
    p = np.exp(x - x.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(largest, p.max(axis=1), rtol=1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        plain = -np.where(p > 0, p * np.log(p), 0.0).sum(axis=1)
    np.testing.assert_allclose(entropy, plain, rtol=1e-9, atol=1e-15)


def test_one_key_takes_all_the_weight():
    largest, entropy = weight_rows(np.array([[3.0]]), 1.0)
    assert largest.tolist() == [1.0]
    assert entropy.tolist() == [0.0]
