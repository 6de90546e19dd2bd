import math

import numpy as np
import pytest

from attnsim.theory import planted_weights as exact
from attnsim.theory import retrieval


@pytest.mark.parametrize(
    ("dim", "keys", "rho", "multiplier"),
    [(64, 33, 0.5, 0.125), (64, 512, 0.5, 2 / 3), (8, 20, 0.9, 1.0), (32, 50, -0.3, 0.3), (1, 2, 0.3, 1.0)],
)  # fmt: skip
def test_a_curve_agrees_with_the_quadrature_of_one_point(dim, keys, rho, multiplier):
    one = retrieval.mean_planted_weight(dim, keys, rho, multiplier)
    curve = exact.planted_weights(dim, [2, keys, 4096], rho, multiplier)
    assert curve[1] == pytest.approx(one, abs=1e-5)
    assert exact.found_chances(dim, [keys], rho)[0] == pytest.approx(
        retrieval.found_probability(dim, keys, rho), abs=1e-8
    )


def test_beyond_the_widest_spread_the_curve_goes_on():
    below = 0.999 * exact.WIDEST / 8.0
    narrow, wide = (float(exact.planted_weights(4096, 512, 0.05, m / 8.0)) for m in (below, below * 1.01))
    assert wide == pytest.approx(narrow, abs=1e-3)


def test_one_key_has_all_the_weight_and_an_unaligned_one_its_share():
    assert exact.planted_weights(64, 1, 0.5, 0.125) == 1.0
    np.testing.assert_allclose(exact.planted_weights(16, [2, 9, 65536], 0.0, 0.5), [1 / 2, 1 / 9, 1 / 65536], rtol=1e-6)
    np.testing.assert_allclose(exact.sign_planted_weights(16, [2, 9], 0.0, 0.5), [1 / 2, 1 / 9], rtol=1e-9)


def test_a_gauss_rule_of_the_length_has_its_moments():
    for dim in (1.0, 7.0, 64.0, 65536.0):
        nodes, chances = exact.few_norms(dim)
        assert chances @ nodes**2 == pytest.approx(dim, rel=1e-9)
        assert chances @ nodes**4 == pytest.approx(dim * (dim + 2), rel=1e-9)


@pytest.mark.parametrize(
    ("dim", "keys", "rho", "multiplier"), [(16, 10, 0.5, 0.25), (64, 30, 0.3, 1.0), (1, 3, 0.5, 1.0)]
)
def test_signs_give_what_simulated_signs_give(dim, keys, rho, multiplier):
    rng, rows = np.random.default_rng(11), 40_000
    others = 2.0 * rng.binomial(dim, 0.5, (rows, keys - 1)) - dim
    own = 2.0 * rng.binomial(dim, 0.5 + 0.5 * rho, rows) - dim
    weight = 1.0 / (1.0 + np.exp(multiplier * (others - own[:, None])).sum(axis=1))
    error = weight.std() / math.sqrt(rows)
    assert abs(weight.mean() - float(exact.sign_planted_weights(dim, keys, rho, multiplier))) < 5 * error
    chance = float(exact.sign_found_chances(dim, keys, rho))
    found = (own > others.max(axis=1)).mean()
    assert abs(found - chance) < 5 * math.sqrt(chance * (1 - chance) / rows)


def test_so_wide_a_law_of_signs_that_nothing_can_be_summed_is_nan():
    assert np.isnan(exact.sign_planted_weights(65536, 64, 0.1, 1.0))
