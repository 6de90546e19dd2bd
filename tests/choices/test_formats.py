"""Number formats, bit for bit against ml_dtypes, and their limits."""

import math

import ml_dtypes
import numpy as np
import pytest

from attnsim.choices.formats import FORMATS
from attnsim.kernels.float_rounding import FORMATS as KERNELS

OTHERS = {
    "fp32": np.float32,
    "bf16": ml_dtypes.bfloat16,
    "fp16": np.float16,
    "fp8_e4m3": ml_dtypes.float8_e4m3fn,
    "fp8_e5m2": ml_dtypes.float8_e5m2,
}


def same(found, wanted):
    """Equal bits, a nan being any nan."""
    nan = np.isnan(wanted)
    assert np.array_equal(np.isnan(found), nan)
    assert np.array_equal(found[~nan].view(np.uint64), wanted[~nan].view(np.uint64))


def through(values, name):
    """Round as the other program does: from float32, which holds every value tried here."""
    with np.errstate(over="ignore", invalid="ignore"):
        return values.astype(np.float32).astype(OTHERS[name]).astype(np.float64)


@pytest.mark.parametrize("name", list(OTHERS))
@pytest.mark.parametrize("source", [np.float16, ml_dtypes.bfloat16])
def test_all_16_bit_numbers_are_rounded_as_ml_dtypes_does(name, source):
    with np.errstate(invalid="ignore"):
        values = np.arange(2**16, dtype=np.uint16).view(source).astype(np.float64)
    same(FORMATS[name].round(values), through(values, name))


@pytest.mark.parametrize("name", list(OTHERS))
def test_random_float32_numbers_are_rounded_as_ml_dtypes_does(name):
    bits = np.random.default_rng(1).integers(0, 2**32, 400_000, dtype=np.uint64).astype(np.uint32)
    small = np.random.default_rng(2).normal(size=200_000).astype(np.float32)
    with np.errstate(invalid="ignore"):
        values = np.concatenate((bits.view(np.float32), small, small * np.float32(200))).astype(np.float64)
    same(FORMATS[name].round(values), through(values, name))


@pytest.mark.parametrize("name", list(OTHERS))
def test_numbers_half_way_between_two_go_to_the_even_one(name):
    grid = np.arange(1, 257, dtype=np.float64) * FORMATS[name].smallest / 2.0
    if name == "fp32":
        grid = np.float64(1.0) + np.arange(257) * 2.0**-24
        wanted = grid.astype(np.float32).astype(np.float64)
    else:
        wanted = through(grid, name)
    same(FORMATS[name].round(grid), wanted)


def test_tf32_is_float32_with_13_bits_fewer():
    values = np.random.default_rng(3).normal(0, 1e3, 100_000).astype(np.float32)
    bits = values.view(np.uint32).astype(np.uint64)
    even = (bits + 0xFFF + ((bits >> 13) & 1)) & ~np.uint64(0x1FFF)
    wanted = even.astype(np.uint32).view(np.float32).astype(np.float64)
    same(FORMATS["tf32"].round(values.astype(np.float64)), wanted)


@pytest.mark.parametrize("name", list(OTHERS))
def test_limits_are_those_of_the_other_program(name):
    info, ours = ml_dtypes.finfo(OTHERS[name]), FORMATS[name]
    assert ours.largest == float(info.max)
    assert ours.smallest_normal == float(info.smallest_normal)
    assert ours.smallest == float(info.smallest_subnormal)
    assert ours.unit_roundoff == float(info.eps) / 2


@pytest.mark.parametrize(
    ("name", "overflow", "floor", "zero"),
    [
        ("fp16", 11.0899, -9.704, -17.329), ("bf16", 88.7189, -87.337, -92.882),
        ("fp32", 88.7228, -87.337, -103.972), ("fp64", 709.7827, -708.396, -745.133),
    ],
)  # fmt: skip
def test_where_the_exponential_overflows_and_vanishes(name, overflow, floor, zero):
    kind = FORMATS[name]
    assert kind.exp_overflow == pytest.approx(overflow, abs=1e-3)
    assert kind.exp_normal_floor == pytest.approx(floor, abs=1e-3)
    assert kind.exp_zero == pytest.approx(zero, abs=1e-3)
    inside = np.exp(np.array([kind.exp_zero + 1e-3, kind.exp_overflow - 1e-3]))
    assert np.all(np.isfinite(kind.round(inside)) & (kind.round(inside) > 0.0))
    if name != "fp64":
        below, above = kind.round(np.exp(np.array([kind.exp_zero - 1e-3, kind.exp_overflow + 0.1])))
        assert below == 0.0
        assert not math.isfinite(above)


def test_kernels_and_choices_hold_the_same_numbers():
    assert list(FORMATS) == list(KERNELS)
    for name, kind in FORMATS.items():
        kernel = KERNELS[name]
        assert (kind.digits, kind.least_exponent, kind.largest) == (
            kernel.digits, kernel.least_exponent, kernel.largest
        )  # fmt: skip
        assert kind.overflow == kernel.overflow or (math.isnan(kind.overflow) and math.isnan(kernel.overflow))


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_format_says_what_it_is_where_it_comes_from_and_why(name):
    kind = FORMATS[name]
    assert kind.key == name
    assert kind.formula
    assert kind.source
    assert all(sentence.endswith(".") for sentence in kind.sentences)
