"""The compile options: what the compiler may do with a sum, and what it may not."""

import numpy as np
import pytest

from attnsim.kernels.compiled import compiled


@compiled
def _in_order(x):
    total = 0.0
    for i in range(x.size):
        total += x[i]
    return total


@compiled(freedom="fused")
def _fused(x, factor, out):
    for i in range(x.size):
        out[i] = x[i] * factor - 1.0


@compiled(freedom="any order")
def _any_order(x):
    total = 0.0
    for i in range(x.size):
        total += x[i]
    return total


def test_by_default_a_sum_is_taken_from_left_to_right():
    x = np.random.default_rng(1).standard_normal(10_001) * 1e8
    total = 0.0
    for value in x:
        total += value
    assert _in_order(x) == total


def test_any_order_changes_a_sum_by_no_more_than_rounding():
    x = np.random.default_rng(2).standard_normal(100_000)
    assert abs(_any_order(x) - x.astype(np.longdouble).sum()) < 1e-16 * x.size * np.sqrt(x.size)


@pytest.mark.parametrize("add", [_in_order, _any_order])
def test_infinities_and_nan_survive_every_freedom(add):
    x = np.zeros(1000)
    x[700] = -np.inf
    assert add(x) == -np.inf
    x[10] = np.inf
    assert np.isnan(add(x))
    out = np.empty(1000)
    _fused(x, 2.0, out)
    assert out[700] == -np.inf
    assert out[10] == np.inf
