import math

import numpy as np
import pytest

from attnsim.theory import retrieval


def simulated(dim, keys, rho, multiplier, rows=6000):
    rng = np.random.default_rng(23)
    norm = np.sqrt(rng.chisquare(dim, rows))
    own = rho * norm**2 + math.sqrt(1 - rho**2) * norm * rng.standard_normal(rows)
    others = norm[:, None] * rng.standard_normal((rows, keys - 1))
    weight = 1.0 / (1.0 + np.exp(multiplier * (others - own[:, None])).sum(axis=1))
    return weight, own > others.max(axis=1)


@pytest.mark.parametrize(("dim", "keys", "rho", "multiplier"), [
    (64, 33, 0.5, 0.125), (64, 512, 0.5, 2 / 3), (8, 20, 0.9, 1.0), (32, 50, -0.3, 0.3), (16, 2, 0.0, 0.25),
])  # fmt: skip
def test_the_mean_weight_and_the_chance_to_be_found_are_those_of_simulated_rows(dim, keys, rho, multiplier):
    weight, found = simulated(dim, keys, rho, multiplier)
    error = weight.std() / math.sqrt(weight.size)
    assert abs(weight.mean() - retrieval.mean_planted_weight(dim, keys, rho, multiplier)) < 5 * error
    chance = retrieval.found_probability(dim, keys, rho)
    assert abs(found.mean() - chance) < 5 * math.sqrt(chance * (1 - chance) / found.size) + 1e-12


@pytest.mark.parametrize("keys", [2, 9, 100])
def test_a_key_that_is_not_aligned_gets_its_even_share(keys):
    assert retrieval.mean_planted_weight(16, keys, 0.0, 0.5) == pytest.approx(1 / keys, rel=1e-9)
    assert retrieval.found_probability(16, keys, 0.0) == pytest.approx(1 / keys, rel=1e-9)


def test_the_numbers_of_the_honest_case_against_the_square_root():
    assert retrieval.lowest_multiplier(64, 512, 0.5) == pytest.approx(0.265, abs=5e-4)
    assert retrieval.most_keys_at_inverse_sqrt(64, 0.5) == pytest.approx(33.1, abs=0.05)
    assert retrieval.found_probability(64, 512, 0.5) == pytest.approx(0.83, abs=0.005)
    assert retrieval.mean_planted_weight(64, 512, 0.5, 0.125) == pytest.approx(0.09, abs=0.005)
    assert retrieval.likelihood_multiplier(0.5) == pytest.approx(2 / 3)
    assert retrieval.mean_planted_weight(64, 512, 0.5, 2 / 3) == pytest.approx(0.79, abs=0.01)


def test_the_typical_weight_is_one_half_where_lead_and_sum_are_equal():
    assert retrieval.typical_planted_weight(64, 34, 0.5, 0.125) == pytest.approx(0.507, abs=5e-3)


def test_the_limit_of_keys_and_the_lowest_multiplier_meet():
    most = float(retrieval.most_keys(64, 0.5))
    assert most == pytest.approx(math.exp(8.0))
    assert retrieval.lowest_multiplier(64, most * (1 - 1e-9), 0.5) == pytest.approx(0.5, abs=1e-4)
    assert np.isnan(retrieval.lowest_multiplier(64, 1.01 * most, 0.5))
    assert np.isnan(retrieval.lowest_multiplier(64, 512, -0.5))


def test_full_alignment_needs_no_luck():
    assert retrieval.found_probability(256, 64, 1.0) == pytest.approx(1.0, abs=1e-12)
    assert retrieval.mean_planted_weight(256, 64, 1.0, 1.0) == pytest.approx(1.0, abs=1e-12)


def test_impossible_parameters_are_refused():
    with pytest.raises(ValueError, match=r"rho must lie in \[-1, 1\], not 1\.2"):
        retrieval.mean_planted_weight(64, 8, 1.2, 1.0)
    with pytest.raises(ValueError, match=r"multiplier must lie in \(0, inf\], not 0"):
        retrieval.typical_planted_weight(64, 8, 0.5, 0.0)
    with pytest.raises(ValueError, match=r"rho must lie in \(-1, 1\), not 1"):
        retrieval.likelihood_multiplier(1.0)
