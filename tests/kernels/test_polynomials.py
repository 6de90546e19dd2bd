"""Polynomials against numpy in wider precision, to the error each one states."""

import numpy as np
import pytest

from attnsim.kernels.compiled import compiled
from attnsim.kernels.polynomials import bit_count, bits_of, float_of, log32, log64, sine_cosine32


@compiled
def _logs32(x, out):
    for i in range(x.size):
        out[i] = log32(x[i])


@compiled
def _logs64(x, out):
    for i in range(x.size):
        out[i] = log64(x[i])


@compiled
def _turns(x, sine, cosine):
    for i in range(x.size):
        sine[i], cosine[i] = sine_cosine32(x[i])


@compiled
def _round_trip(x, out):
    for i in range(x.size):
        out[i] = float_of(bits_of(x[i]))


@compiled
def _bits(words, out):
    for i in range(words.size):
        out[i] = bit_count(words[i])


def spread(low, high, count, dtype):
    """Numbers over many decades, around 1, and both ends."""
    exponents = np.linspace(np.log2(low), np.log2(high), count)
    near_one = 1.0 + np.linspace(-0.01, 0.01, count)
    return np.concatenate([2.0**exponents, near_one, [1.0, 0.5, 2.0]]).astype(dtype)


def test_the_float32_logarithm_keeps_its_stated_error():
    x = spread(2.0**-125, 2.0**126, 300_001, np.float32)
    out = np.empty_like(x)
    _logs32(x, out)
    exact = np.log(x.astype(np.float64))
    assert np.all(np.abs(out - exact) <= np.maximum(1e-7 * np.abs(exact), 4e-8))
    assert out[-3] == 0.0


def test_the_float64_logarithm_keeps_its_stated_error():
    x = spread(2.0**-1021, 2.0**1022, 300_001, np.float64)
    out = np.empty_like(x)
    _logs64(x, out)
    exact = np.log(x.astype(np.longdouble))
    assert np.all(np.abs(out - exact) <= np.maximum(4e-16 * np.abs(exact), 4e-16 * np.abs(x - 1.0)))


def test_sine_and_cosine_keep_their_stated_error():
    x = np.linspace(-np.pi / 2, np.pi / 2, 1_000_001).astype(np.float32)
    sine, cosine = np.empty_like(x), np.empty_like(x)
    _turns(x, sine, cosine)
    assert np.abs(sine - np.sin(x.astype(np.float64))).max() < 1.5e-7
    assert np.abs(cosine - np.cos(x.astype(np.float64))).max() < 1.5e-7


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_bits_carry_a_float_there_and_back(dtype):
    x = np.array([0.0, -0.0, 1.5, -np.inf, np.finfo(dtype).tiny, np.finfo(dtype).max], dtype)
    out = np.empty_like(x)
    _round_trip(x, out)
    assert out.tobytes() == x.tobytes()


def test_bit_counts_are_those_of_python():
    words = np.array([0, 1, 2**63, 2**64 - 1, 0x0F0F0F0F12345678], np.uint64)
    out = np.empty(words.size, np.int64)
    _bits(words, out)
    assert out.tolist() == [int(word).bit_count() for word in words]
