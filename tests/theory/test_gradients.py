import math

import numpy as np
import pytest

from attnsim.theory import gradients
from attnsim.theory.random_energy import mean_maximum


def softmax(scores):
    p = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return p / p.sum(axis=-1, keepdims=True)


def jacobian_norm(p):
    p2, p3 = (p**2).sum(axis=-1), (p**3).sum(axis=-1)
    return np.sqrt(np.maximum(p2 - 2 * p3 + p2**2, 0.0))


@pytest.mark.parametrize(
    ("dim", "keys", "multiplier"), [(1, 5, 1.0), (2, 3, 0.7), (16, 8, 0.25), (16, 24, 1.0), (32, 2, 0.4)]
)
def test_gradients_of_queries_and_keys_have_these_norms(dim, keys, multiplier):
    rng, rows = np.random.default_rng(29), 4000
    q, k = rng.standard_normal((rows, dim)), rng.standard_normal((rows, keys, dim))
    p = softmax(multiplier * np.einsum("rd,rkd->rk", q, k))
    upstream = rng.standard_normal((rows, keys))
    scores = p * (upstream - (p * upstream).sum(axis=1, keepdims=True))
    to_query = multiplier * np.einsum("rk,rkd->rd", scores, k)
    to_keys = multiplier**2 * (scores**2).sum(axis=1) * (q**2).sum(axis=1)
    squares = (to_query**2).sum(axis=1)
    exact = gradients.query_gradient_norm2(dim, keys, multiplier)
    assert abs(squares.mean() - exact) < 5 * squares.std() / math.sqrt(rows)
    exact = gradients.key_gradient_norm2(dim, keys, multiplier)
    assert abs(to_keys.mean() - exact) < 5 * to_keys.std() / math.sqrt(rows)


@pytest.mark.parametrize(("keys", "spread"), [(2, 0.3), (2, 4.0), (3, 1.0), (40, 2.5), (100, 20.0)])
def test_the_weights_change_with_the_spread_as_fast_as_stated(keys, spread):
    z = np.random.default_rng(30).standard_normal((40_000, keys))
    p = softmax(spread * z)
    squares = ((p * (z - (p * z).sum(axis=1, keepdims=True))) ** 2).sum(axis=1)
    exact = gradients.jacobian_along_scores(keys, spread)
    assert abs(squares.mean() - exact) < 5 * squares.std() / math.sqrt(squares.size)


def test_one_key_and_even_weights_have_the_trivial_change():
    assert gradients.jacobian_along_scores(1, 3.0) == 0.0
    assert gradients.jacobian_along_scores(50, 0.0) == pytest.approx(0.98 / 50)
    assert gradients.jacobian_along_scores(50, 1e-4) == pytest.approx(0.98 / 50, rel=1e-6)


def test_white_gradients_pass_by_the_norm_and_alike_values_stop_them():
    rng = np.random.default_rng(31)
    p = rng.dirichlet(np.ones(6))
    g = rng.standard_normal((200_000, 6))
    passed = ((p * (g - (g @ p)[:, None])) ** 2).sum(axis=1)
    exact = gradients.score_gradient_norm2(jacobian_norm(p) ** 2)
    assert abs(passed.mean() - exact) < 5 * passed.std() / math.sqrt(passed.size)
    assert gradients.score_gradient_norm2(0.3, 1.0) == 0.0


def test_the_median_of_two_keys_is_exact():
    scores = 3.0 * np.random.default_rng(37).standard_normal((200_000, 2))
    norms = jacobian_norm(softmax(scores))
    below = (norms < float(gradients.median_jacobian_norm(2, 3.0))).mean()
    assert abs(below - 0.5) < 5 * 0.5 / math.sqrt(norms.size)


@pytest.mark.parametrize("keys", [8, 64, 512])
def test_the_median_of_separated_rows_is_within_its_stated_error(keys):
    s = 6.1 * float(mean_maximum(keys))
    norms = jacobian_norm(softmax(s * np.random.default_rng(41).standard_normal((20_000, keys))))
    assert float(gradients.median_jacobian_norm(keys, s)) == pytest.approx(np.median(norms), rel=0.17)
    assert np.isnan(gradients.median_jacobian_norm(keys, 1.0))


def test_the_median_gap_halves_simulated_gaps():
    ranked = np.sort(np.random.default_rng(43).standard_normal((40_000, 20)), axis=1)
    below = (ranked[:, -1] - ranked[:, -2] < gradients.median_gap(20)).mean()
    assert abs(below - 0.5) < 5 * 0.5 / math.sqrt(40_000)
    assert gradients.median_gap(2) == pytest.approx(math.sqrt(2) * 0.6744897501960817, rel=1e-12)


def test_the_operator_norm_is_the_largest_eigenvalue_and_within_its_bounds():
    p = np.random.default_rng(47).dirichlet(np.full(7, 0.4), 300)
    exact = [np.linalg.norm(np.diag(row) - np.outer(row, row), 2) for row in p]
    norms = gradients.operator_norm(p)
    np.testing.assert_allclose(norms, exact, atol=1e-14)
    low, high = gradients.operator_norm_bounds(p)
    assert np.all(low <= norms + 1e-14)
    assert np.all(norms <= high + 1e-14)


def test_even_and_one_hot_weights_are_the_extremes():
    np.testing.assert_allclose(gradients.operator_norm([[0.5, 0.5], [1.0, 0.0]]), [0.5, 0.0], atol=1e-15)
    assert gradients.operator_norm([0.25] * 4) == pytest.approx(0.25)


def test_impossible_parameters_are_refused():
    with pytest.raises(ValueError, match=r"value_overlap must lie in \[0, 1\], not 2"):
        gradients.score_gradient_norm2(0.1, 2.0)
    with pytest.raises(ValueError, match=r"keys must lie in \[2, 1e\+18\], not 1"):
        gradients.median_gap(1)
