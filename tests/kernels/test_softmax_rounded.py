"""Low precision bit for bit: against numpy's float16 and, for bfloat16, roundings of the upper half word."""

import numpy as np
import pytest

from attnsim.kernels.softmax_rows import softmax


def half(x):
    with np.errstate(over="ignore", under="ignore"):
        return np.float64(np.float16(x))


def brain(x):
    """Round a float64 to bfloat16 by whole numbers alone."""
    if x == 0.0 or not np.isfinite(x):
        return x
    exponent = max(int(np.floor(np.log2(abs(x)))), -126) - 7
    units = np.ldexp(x, -exponent)
    return np.ldexp(np.rint(units), exponent)


def by_hand(row, method, r):
    """Softmax with plain Python numbers, r after each operation."""
    x = [r(score) for score in row]
    if method == "online":
        top, total = -np.inf, 0.0
        for score in x:
            new = max(top, score)
            total = r(r(total * r(np.exp(r(top - new)))) + r(np.exp(r(score - new))))
            top = new
    else:
        top, total = (max(x) if method == "stable" else 0.0), 0.0
        for score in x:
            total = r(total + r(np.exp(r(score - top))))
    return [r(r(np.exp(r(score - top))) / total) for score in x]


@pytest.mark.parametrize("method", ["stable", "naive", "online"])
@pytest.mark.parametrize(("dtype", "r"), [("float16", half), ("bfloat16", brain)])
@pytest.mark.parametrize("spread", [0.5, 2.0])
def test_every_operation_is_rounded_and_nothing_else(method, dtype, r, spread):
    x = spread * np.random.default_rng(6).standard_normal((20, 100))
    expected = np.array([by_hand(row, method, r) for row in x])
    np.testing.assert_array_equal(softmax(x, method=method, dtype=dtype).astype(np.float64), expected)


def test_bfloat16_comes_as_float32_whose_lower_half_is_empty():
    p = softmax(np.random.default_rng(7).standard_normal((5, 50)), dtype="bfloat16")
    assert p.dtype == np.float32
    assert (p.view(np.uint32) & 0xFFFF == 0).all()


@pytest.mark.parametrize(("dtype", "stops"), [("bfloat16", 256), ("float16", 2048)])
def test_a_sum_of_ones_stops_growing_at_the_formats_last_whole_number(dtype, stops):
    assert softmax(np.zeros(4096), dtype=dtype)[0] == 1.0 / stops


def test_float32_online_is_numpy_float32_step_by_step():
    x = (2.0 * np.random.default_rng(8).standard_normal((10, 60))).astype(np.float32)

    def r(value):
        with np.errstate(under="ignore"):
            return np.float64(np.float32(value))

    expected = np.array([by_hand(row.astype(np.float64), "online", r) for row in x])
    np.testing.assert_array_equal(softmax(x, method="online").astype(np.float64), expected)


@pytest.mark.parametrize("name", ["fp32", "tf32", "bf16", "fp16", "fp8_e4m3", "fp8_e5m2", "fp64"])
@pytest.mark.parametrize("scale", [1e-44, 1e-7, 1e-2, 1.0, 300.0, 3e38])
def test_a_running_sum_is_rounded_after_every_term(name, scale):
    from attnsim.kernels.float_rounding import FORMATS, round_to
    from attnsim.kernels.softmax_rounded import _running_sum

    rng = np.random.default_rng(1)
    f = FORMATS[name]
    for _ in range(20):
        terms = round_to(scale * rng.random(300) ** 6, name)
        wanted = np.float64(0.0)
        for term in terms:
            wanted = round_to(np.atleast_1d(wanted + term), name)[0]
        found = _running_sum(terms, f.digits, f.least_exponent, f.largest, f.overflow)
        assert found == wanted or (np.isnan(found) and np.isnan(wanted))
