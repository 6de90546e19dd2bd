"""Scores of tokens behind random matrices: the table of closed forms, and tokens times matrices by numpy."""

import math

import numpy as np
import pytest

from attnsim.theory import projected

ROWS = 60_000


def simulate(seed, dim, width, *, tied=False, uniform=False, mean_q=0.0, mean_k=0.0, same=False):
    """One query and two keys a row."""
    generator = np.random.default_rng(seed)
    shape = (2, ROWS, width, dim)
    reach = math.sqrt(3.0 / width)
    matrices = generator.uniform(-reach, reach, shape) if uniform else generator.standard_normal(shape) / width**0.5
    tokens = generator.standard_normal((ROWS, 3, width))
    if same:
        tokens[:, 1] = tokens[:, 0]
    q = mean_q + tokens[:, :1] @ matrices[0]
    k = mean_k + tokens[:, 1:] @ matrices[0 if tied else 1]
    return (q * k).sum(axis=2)


def errors(values, expected):
    return abs(values.mean() - expected) / (values.std() / math.sqrt(len(values)))


CASES = [
    (4, 3, {}),
    (4, 3, {"tied": True}),
    (3, 1, {"tied": True, "mean_q": 0.5, "mean_k": -0.4}),
    (2, 5, {"uniform": True}),
    (3, 2, {"uniform": True}),
    (3, 4, {"mean_q": 0.6, "mean_k": 0.3}),
]


@pytest.mark.parametrize(("dim", "width", "case"), CASES)
def test_simulated_scores_have_the_moments_of_theory(dim, width, case):
    sample = simulate(5, dim, width, **case)
    given = {name: value for name, value in case.items() if name != "uniform"}
    found = projected.moments(dim, width=width, weight_kurtosis=-1.2 if case.get("uniform") else 0.0, **given)
    centred = sample - found.mean
    assert errors(sample.mean(axis=1), float(found.mean)) < 5
    assert errors((centred**2).mean(axis=1), float(found.variance)) < 5
    assert errors(sample.var(axis=1, ddof=1), float(found.within_row_variance)) < 5
    plain = "mean_q" not in case
    assert np.isfinite(found.excess_kurtosis) == plain
    if plain:
        fourth = (found.excess_kurtosis + 3.0) * found.variance**2
        assert errors((centred**4).mean(axis=1), float(fourth)) < 5
        assert found.skewness == 0.0


@pytest.mark.parametrize("tied", [False, True])
def test_a_token_with_itself_has_the_mean_and_variance_of_the_table(tied):
    sample = simulate(6, 5, 4, tied=tied, same=True)[:, 0]
    mean, variance = projected.same_token_moments(5, width=4, tied=tied)
    assert errors(sample, float(mean)) < 5
    assert errors((sample - mean) ** 2, float(variance)) < 5


def test_the_variance_is_that_of_the_table():
    dims = np.array([1.0, 16.0, 512.0])
    np.testing.assert_allclose(projected.moments(dims, width=16).variance, dims)
    np.testing.assert_allclose(projected.moments(dims, width=16, tied=True).variance, dims * (1 + (dims + 1) / 16))
    np.testing.assert_allclose(projected.moments(dims, width=1, tied=True).variance, dims * (dims + 2))


def test_tokens_of_a_large_width_are_as_good_as_independent_normal_components():
    for tied in (False, True):
        found = projected.moments(64, width=1e9, tied=tied)
        assert found.variance == pytest.approx(64.0, rel=1e-6)
        assert found.excess_kurtosis == pytest.approx(6.0 / 64.0, rel=1e-4)
