"""Random words and normals for a block of lanes at a time: the inside of every bulk kernel."""

import math

import numpy as np
from numba import uint64

from attnsim.kernels.compiled import compiled
from attnsim.kernels.polynomials import F32, I32, bits_of, float_of, log32, sine_cosine32
from attnsim.kernels.rng import HALF_WORD, LOW, MULTIPLIER_0, MULTIPLIER_1, WEYL_0, WEYL_1

LANES = 256  # counters drawn at once: their words and what is made of them stay in the nearest cache

TO_UNIT_32 = F32(2.0**-32)
HALF_STEP = F32(2.0**-33)
TO_ANGLE = F32(math.pi * 2.0**-32)
MINUS_TWO = F32(-2.0)
SIGN_SHIFT = I32(31)


@compiled(inlined=True)
def philox_lane(c0, c1, c2, c3, k0, k1):
    """Return what `rng.philox` with 10 rounds returns for words that fit 32 bits.

    It is written again because here it must be inlined, and the masks tell the compiler that the widening 32-bit
    multiplication is enough.
    """
    c0, c1, c2, c3 = uint64(c0) & LOW, uint64(c1) & LOW, uint64(c2) & LOW, uint64(c3) & LOW
    k0, k1 = uint64(k0) & LOW, uint64(k1) & LOW
    for _ in range(10):
        product_0 = MULTIPLIER_0 * c0
        product_1 = MULTIPLIER_1 * c2
        c0 = (product_1 >> HALF_WORD) ^ c1 ^ k0
        c1 = product_1 & LOW
        c2 = (product_0 >> HALF_WORD) ^ c3 ^ k1
        c3 = product_0 & LOW
        k0 = (k0 + WEYL_0) & LOW
        k1 = (k1 + WEYL_1) & LOW
    return c0, c1, c2, c3


@compiled(inlined=True)
def draw_words(words, first, c2, c3, k0, k1):
    """Fill words, uint32 of shape (4, LANES), from the counters (first + lane, c2, c3); `first` counts in 64 bits."""
    for lane in range(LANES):
        place = first + uint64(lane)
        a, b, c, d = philox_lane(place & LOW, place >> HALF_WORD, c2, c3, k0, k1)
        words[0, lane] = a
        words[1, lane] = b
        words[2, lane] = c
        words[3, lane] = d


@compiled(inlined=True, freedom="fused")
def unit32(word):
    """Return a float32 uniform of a uint32 word, 2^-33 at least; the topmost words round to 1."""
    return F32(word) * TO_UNIT_32 + HALF_STEP


@compiled(inlined=True, freedom="fused")
def normal_pair32(first, second):
    """Return two independent float32 standard normals from two uint32 words (Box and Muller 1958).

    The angle spans half a turn; the lowest bit of its word, which float32 cannot see, chooses the half.
    """
    radius = F32(math.sqrt(MINUS_TWO * log32(unit32(first))))
    turn = I32(second)
    sine, cosine = sine_cosine32(F32(turn) * TO_ANGLE)
    radius = float_of(I32(bits_of(radius) ^ I32(turn << SIGN_SHIFT)))
    return radius * cosine, radius * sine


@compiled(inlined=True)
def scratch_words():
    """Return room for the words of a block."""
    return np.empty((4, LANES), np.uint32)
