"""Words and normals in lanes against the generator that passes the known answers."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnsim.kernels.compiled import compiled
from attnsim.kernels.lanes import LANES, draw_words, normal_pair32, scratch_words, unit32
from attnsim.kernels.rng import philox4x32

MOST = 2**32 - 1


@compiled
def _words(first, c2, c3, k0, k1):
    words = scratch_words()
    draw_words(words, first, c2, c3, k0, k1)
    return words


@compiled
def _units(words, out):
    for i in range(words.size):
        out[i] = unit32(words[i])


@compiled
def _pair(first, second, out):
    out[0], out[1] = normal_pair32(first, second)


@settings(max_examples=50, deadline=None)
@given(
    first=st.integers(0, 2**63),
    words=st.tuples(*[st.integers(0, MOST)] * 4),
)
def test_every_lane_holds_the_words_of_its_counter(first, words):
    c2, c3, k0, k1 = (np.uint64(word) for word in words)
    places = np.uint64(first) + np.arange(LANES, dtype=np.uint64)
    counters = np.empty((LANES, 4), np.uint32)
    counters[:, 0], counters[:, 1] = places & np.uint64(MOST), places >> np.uint64(32)
    counters[:, 2], counters[:, 3] = c2, c3
    wanted = philox4x32(counters, np.array(words[2:], np.uint32))
    np.testing.assert_array_equal(_words(np.uint64(first), c2, c3, k0, k1).T, wanted)


def test_uniforms_reach_from_half_a_step_to_one():
    out = np.empty(3, np.float32)
    _units(np.array([0, 2**31, MOST], np.uint32), out)
    assert out.tolist() == [2.0**-33, 0.5, 1.0]


@pytest.mark.parametrize("second", [0, 1, 2**31, MOST])
def test_the_longest_normal_is_the_stated_one(second):
    out = np.empty(2, np.float32)
    _pair(np.uint32(0), np.uint32(second), out)
    assert math.hypot(*out.tolist()) == pytest.approx(math.sqrt(66.0 * math.log(2.0)), rel=1e-6)  # 6.76


@pytest.mark.parametrize("first", [MOST, MOST - 1, 2**31])
def test_no_word_gives_a_nan(first):
    out = np.empty(2, np.float32)
    _pair(np.uint32(first), np.uint32(12345), out)
    assert np.isfinite(out).all()
