"""Softmax of scores with a few values, against enumeration."""

from itertools import product

import numpy as np
import pytest

from attnsim.theory.discrete_softmax import discrete_expectations, sign_scores
from attnsim.theory.softmax_expectations import expectations


@pytest.mark.parametrize(("dim", "keys", "rho", "scale"), [(1, 2, 0.0, 1.0), (2, 3, 0.5, 1.0), (3, 4, -0.2, 2.5)])
def test_the_means_are_those_of_all_rows_one_by_one(dim, keys, rho, scale):
    values, chances = sign_scores(dim, rho, scale)
    found = discrete_expectations(keys, values, chances)
    most = nats = p2 = log_sum = 0.0
    for row in product(range(values.size), repeat=keys):
        chance = np.prod(chances[list(row)])
        powers = np.exp(values[list(row)])
        weights = powers / powers.sum()
        most += chance * weights.max()
        nats -= chance * (weights * np.log(weights)).sum()
        p2 += chance * (weights**2).sum()
        log_sum += chance * np.log(powers.sum())
    assert found.largest_weight == pytest.approx(most, rel=1e-10)
    assert found.entropy == pytest.approx(nats, rel=1e-10)
    assert found.sum_p2 == pytest.approx(p2, rel=1e-10)
    assert found.log_normaliser == pytest.approx(log_sum, rel=1e-10)


def test_many_steps_come_near_the_normal_law():
    found = discrete_expectations(64, *sign_scores(4096, scale=1.0 / 64.0))
    normal = expectations(64, 1.0)
    assert found.largest_weight == pytest.approx(normal.largest_weight, rel=1e-3)
    assert found.entropy == pytest.approx(normal.entropy, rel=1e-4)


def test_one_key_has_all_the_weight():
    found = discrete_expectations(1, *sign_scores(16))
    assert found.largest_weight == pytest.approx(1.0, abs=1e-12)
    assert found.entropy == pytest.approx(0.0, abs=1e-12)


def test_the_values_have_the_moments_of_the_walk():
    values, chances = sign_scores(100, 0.3)
    assert chances.sum() == pytest.approx(1.0, abs=1e-14)
    assert values @ chances == pytest.approx(30.0, rel=1e-12)
    assert values**2 @ chances - 900.0 == pytest.approx(100 * (1 - 0.09), rel=1e-10)


def test_what_is_too_long_is_refused():
    with pytest.raises(ValueError, match="values must be fewer"):
        discrete_expectations(64, *sign_scores(65_536))
