import math

import mpmath
import numpy as np
import pytest

from attnsim.theory.laplace_grid import laplace_grid


@pytest.mark.parametrize("spread", [0.05, 0.399, 0.401, 3.0, 22.6, 64.0])
def test_the_transforms_are_those_of_a_numerical_integral(spread):
    grid = laplace_grid(spread, 512.0, 512.0)
    for share in (0.1, 0.45, 0.6, 0.95):
        i = int(share * (grid.tau.size - 1))
        tau = mpmath.mpf(float(grid.tau[i]))

        def over_scores(shape, tau=tau):
            places = [-40, -12, -tau / spread - 3 / spread, -tau / spread, -tau / spread + 3 / spread, spread, 12, 40]
            knots = sorted({min(max(float(x), -40.0), 40.0) for x in places})
            density = lambda z: mpmath.exp(-z * z / 2) / mpmath.sqrt(2 * mpmath.pi)  # noqa: E731
            return float(mpmath.quad(lambda z: density(z) * shape(mpmath.exp(tau + spread * z)), knots))

        with mpmath.workdps(20):
            assert grid.missing[i] == pytest.approx(over_scores(lambda y: -mpmath.expm1(-y)), rel=1e-11)
            assert grid.powers[1, i] == pytest.approx(over_scores(lambda y: y**2 * mpmath.exp(-y)), rel=1e-11)


def test_the_missing_part_grows_from_nothing_to_one():
    grid = laplace_grid(4.0, 1.0, 1e6)
    assert np.all(np.diff(grid.missing) >= -1e-15)
    assert grid.missing[0] * 1e6 < 1e-17
    assert grid.missing[-1] == pytest.approx(1.0, abs=1e-15)


def test_the_first_power_is_the_slope_of_the_missing_part():
    grid = laplace_grid(2.0, 2.0, 2.0)
    slope = np.gradient(grid.missing, grid.tau, edge_order=2)
    np.testing.assert_allclose(slope[5:-5], grid.powers[0][5:-5], atol=2e-3)
    assert np.trapezoid(grid.powers[0], grid.tau) == pytest.approx(1.0, abs=1e-12)


def test_a_narrow_law_meets_the_wide_one():
    below, above = laplace_grid(0.4 - 1e-12, 8.0, 8.0), laplace_grid(0.4, 8.0, 8.0)
    common = min(below.tau.size, above.tau.size)
    np.testing.assert_allclose(below.missing[:common], above.missing[:common], rtol=1e-11)
    assert math.isclose(below.tau[0], above.tau[0])
