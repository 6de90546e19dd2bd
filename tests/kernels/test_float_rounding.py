"""Rounding against numpy's float16, the bfloat16 of the upper half word, and tables of the small formats."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnsim.kernels.float_rounding import FORMATS, round_to

COUNT = 200_000


def bit_patterns():
    """Float32 of all kinds: random bits, small numbers around the subnormals of float16, and ties of both formats."""
    generator = np.random.default_rng(3)
    anything = generator.integers(0, 2**32, COUNT, dtype=np.uint32).view(np.float32)
    whole = generator.integers(-8192, 8192, COUNT).astype(np.float64)
    small = np.ldexp(whole, generator.integers(-40, 6, COUNT)).astype(np.float32)
    ties = ((generator.integers(0, 2**16, COUNT, dtype=np.uint32) << 16) | 0x8000).view(np.float32)
    special = np.array([0.0, -0.0, np.inf, -np.inf, 65519.0, 65520.0, -65520.0, 6e-8, 2.98e-8, 3e-8], dtype=np.float32)
    return np.concatenate((anything, small, ties, special))


def assert_same_bits(ours, theirs):
    same = (ours.view(np.uint32) == theirs.view(np.uint32)) | (np.isnan(ours) & np.isnan(theirs))
    assert same.all(), (ours[~same][:5], theirs[~same][:5])


def test_float16_is_numpys_bit_for_bit():
    x = bit_patterns()
    with np.errstate(over="ignore"):
        assert_same_bits(round_to(x, "fp16"), x.astype(np.float16).astype(np.float32))


def test_bfloat16_is_the_upper_half_of_a_word_rounded_to_even():
    x = bit_patterns()
    bits = x.view(np.uint32).astype(np.uint64)
    upper = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)
    assert_same_bits(round_to(x, "bf16"), np.where(np.isnan(x), x, upper))


def test_float32_of_float64_is_numpys():
    generator = np.random.default_rng(4)
    x = generator.integers(0, 2**64, COUNT, dtype=np.uint64).view(np.float64)
    x = np.concatenate((x, generator.standard_normal(COUNT) * 1e-40))
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        theirs = x.astype(np.float32)
        assert_same_bits(round_to(x, "fp32").astype(np.float32), theirs)


def test_tf32_drops_13_bits_to_even():
    x = bit_patterns()
    bits = x.view(np.uint32).astype(np.uint64)
    cut = ((bits + 0xFFF + ((bits >> 13) & 1)) & 0xFFFFE000).astype(np.uint32).view(np.float32)
    assert_same_bits(round_to(x, "tf32"), np.where(np.isnan(x), x, cut))


def finite_numbers(fraction_bits, bias, most):
    """All numbers of a small format that are not negative, from its definition."""
    codes = range(2 ** (7 - fraction_bits) * 2**fraction_bits)
    numbers = []
    for code in codes:
        exponent, fraction = code >> fraction_bits, code & (2**fraction_bits - 1)
        hidden = 1.0 if exponent else 0.0
        numbers.append((hidden + fraction / 2**fraction_bits) * 2.0 ** (max(exponent, 1) - bias))
    return np.array([number for number in numbers if number <= most])


@pytest.mark.parametrize(("name", "fraction_bits", "bias"), [("fp8_e4m3", 3, 7), ("fp8_e5m2", 2, 15)])
def test_fp8_takes_the_nearest_number_of_its_table(name, fraction_bits, bias):
    table = finite_numbers(fraction_bits, bias, FORMATS[name].largest)
    assert table[-1] == FORMATS[name].largest
    generator = np.random.default_rng(5)
    x = np.exp(generator.uniform(np.log(table[1] / 8), np.log(table[-1]), 20_000))
    middles = (table[1:] + table[:-1]) / 2
    x = np.concatenate((x, middles, np.nextafter(middles, 0.0), np.nextafter(middles, np.inf), table))
    right = np.clip(np.searchsorted(table, x), 1, table.size - 1)
    low, high = table[right - 1], table[right]
    even = np.where((right % 2) == 0, high, low)
    nearest = np.where(x - low < high - x, low, np.where(x - low > high - x, high, even))
    np.testing.assert_array_equal(round_to(x, name), nearest)
    np.testing.assert_array_equal(round_to(-x, name), -nearest)


def test_too_large_a_number_is_infinite_or_nan_where_there_is_no_infinity():
    assert round_to(np.array([464.0]), "fp8_e4m3")[0] == 448.0
    assert np.isnan(round_to(np.array([465.0, np.inf]), "fp8_e4m3")).all()
    assert round_to(np.array([61439.0, 61440.0, -np.inf]), "fp8_e5m2").tolist() == [57344.0, np.inf, -np.inf]


@given(st.floats(width=64), st.sampled_from(sorted(FORMATS)))
def test_rounding_twice_changes_nothing_and_keeps_the_sign(x, name):
    once = round_to(np.array([x]), name)
    np.testing.assert_array_equal(round_to(once, name), once)
    assert np.isnan(once[0]) or np.signbit(once[0]) == np.signbit(x)


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (2, 3)])
def test_the_shape_is_kept(shape):
    assert round_to(np.ones(shape), "bf16").shape == shape


def test_an_unknown_format_and_whole_numbers_are_refused():
    with pytest.raises(ValueError, match=r"number_format must be one of fp64, .*; got 'fp12'"):
        round_to(np.ones(2), "fp12")
    with pytest.raises(ValueError, match="values needs dtype float32 or float64; got int64"):
        round_to(np.ones(2, dtype=np.int64), "fp16")
