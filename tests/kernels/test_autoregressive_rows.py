"""Autoregressions against their recursion written out, and the spread of their sums against the covariance."""

import numpy as np
import pytest

from attnsim.kernels.autoregressive_rows import autoregressive, spread_of_sums


def test_the_recursion_is_run_as_written_and_key_0_has_scales_of_its_own():
    noise = np.random.default_rng(0).normal(size=(2, 3, 5))
    start, own = np.array([[1.0, 2.0], [0.5, 3.0]]), np.array([[0.1, 0.2], [0.3, 0.4]])
    got = autoregressive(noise, -0.6, start, own)
    for row in range(2):
        for key in range(3):
            kind = min(key, 1)
            value = start[row, kind] * noise[row, key, 0]
            assert got[row, key, 0] == value
            for i in range(1, 5):
                value = -0.6 * value + own[row, kind] * noise[row, key, i]
                assert got[row, key, i] == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("phi", [-0.99, -0.3, 0.0, 0.5, 0.99])
def test_the_spread_of_a_weighted_sum_is_the_quadratic_form_of_the_covariance(phi):
    weights = np.random.default_rng(1).normal(size=(2, 9))
    start, own = np.array([0.7, 1.0]), np.array([0.4, 0.9])
    steps = np.array([1, 4, 9])
    got = spread_of_sums(weights, phi, start, own, steps)
    for row in range(2):
        path = np.array([[phi ** (i - j) if i >= j else 0.0 for j in range(9)] for i in range(9)])
        path = path @ np.diag([start[row]] + [own[row]] * 8)
        for place, m in enumerate(steps):
            part = weights[row, :m] @ path[:m]
            assert got[row, place] == pytest.approx(part @ part, rel=1e-12)


def test_shapes_that_do_not_fit_are_refused_by_name():
    with pytest.raises(ValueError, match=r"own needs shape \(1, 2\); got \(1,\)"):
        autoregressive(np.zeros((1, 2, 3)), 0.5, np.ones((1, 2)), np.ones(1))
    with pytest.raises(ValueError, match=r"noise needs shape .* got \(3,\)"):
        autoregressive(np.zeros(3), 0.5, np.ones((1, 2)), np.ones((1, 2)))
    with pytest.raises(ValueError, match=r"steps must ascend within 1\.\.3"):
        spread_of_sums(np.zeros((1, 3)), 0.5, np.ones(1), np.ones(1), np.array([4]))
