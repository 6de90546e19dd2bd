"""The polynomial exponential against the system's."""

import numpy as np
import pytest

from attnsim.kernels.compiled import compiled
from attnsim.kernels.exponential import exponential
from attnsim.kernels.row_top import is_masked, row_top


@compiled
def _each(x, out):
    for i in range(x.size):
        out[i] = exponential(x[i])


@compiled
def _top(row):
    return row_top(row)


def exp(values, dtype):
    x = np.asarray(values, dtype=dtype)
    out = np.empty_like(x)
    _each(x, out)
    return out


@pytest.mark.parametrize(("dtype", "low", "high", "most"), [("f4", -87.3, 88.0, 1.2e-7), ("f8", -708.0, 709.7, 4e-16)])
def test_the_exponential_keeps_its_digits_over_the_range_of_normal_numbers(dtype, low, high, most):
    x = np.linspace(low, high, 200_003).astype(dtype)
    exact = np.exp(x.astype(np.longdouble))
    assert np.max(np.abs(exp(x, dtype) / exact - 1.0)) < most


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_masks_give_0_and_nan_stays_nan(dtype):
    assert exp([-np.inf, -800.0, 0.0, np.nan], dtype).tolist()[:3] == [0.0, 0.0, 1.0]
    assert np.isnan(exp([np.nan, -np.nan], dtype)).all()


def test_float64_reaches_the_subnormals_and_overflows_to_infinity():
    x = np.linspace(-746.0, -708.0, 5001)
    assert np.max(np.abs(exp(x, "f8") - np.exp(x))) <= 5e-324
    with np.errstate(over="ignore"):
        assert (np.isinf(exp([709.78, 709.79, np.inf], "f8")) == [False, True, True]).all()


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_the_maximum_is_that_of_numpy(dtype, size):
    row = np.random.default_rng(size).standard_normal(size).astype(dtype)
    for shift in (0.0, -10.0, 10.0):
        assert _top(row + row.dtype.type(shift)) == (row + row.dtype.type(shift)).max()
    assert _top(np.full(size, -np.inf, dtype=dtype)) == -np.inf
    assert is_masked(np.full(size, -np.inf, dtype=dtype))
    assert not is_masked(np.array([-np.inf, np.nan], dtype=dtype))
