"""The exponential with nan, infinities and the ends of the range, as a polynomial, so that loops run in vectors.

`polynomials` holds a leaner one for arguments known to be finite.
"""

import math

import numpy as np
from numba import types
from numba.extending import overload

from attnsim.kernels.compiled import compiled
from attnsim.kernels.polynomials import bits_of, float_of

I32, I64 = np.int32, np.int64
ZERO, ONE = np.float32(0.0), np.float32(1.0)
ROUNDER_32, ROUNDER_64 = np.float32(1.5 * 2.0**23), 1.5 * 2.0**52  # adding and taking away rounds to a whole number
PER_LN_2_32, PER_LN_2_64 = np.float32(1.0 / math.log(2.0)), 1.0 / math.log(2.0)
# ln 2 in two parts, the first with trailing zeros so that its product with a small whole number is exact
LN_2_HIGH_32, LN_2_LOW_32 = np.float32(0.693359375), np.float32(-2.12194440e-4)
LN_2_HIGH_64, LN_2_LOW_64 = 0.693147180369123816490, 1.90821492927058770002e-10
LOWEST_32 = np.float32(-87.33654)
LOWEST_64, HIGHEST_64 = -745.1332191019412, 709.782712893384
BIAS_32, PLACE_32 = I32(127), I32(23)
BIAS_64, PLACE_64 = I64(1023), I64(52)
P5, P4, P3, P2, P1, P0 = (
    np.float32(c)
    for c in (1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)
)
T13, T12, T11, T10, T9, T8, T7, T6, T5, T4, T3 = (1.0 / math.factorial(k) for k in range(13, 2, -1))


@compiled(inlined=True, freedom="fused")
def exp32(x):
    """Return e^x of a float32 of at most 88; 0 below -87.34, where float32 has no normal numbers; nan of nan.

    Largest relative error 1e-7. Cody and Waite 1980, Ch. 6, with the polynomial of S. Moshier's Cephes.
    """
    shifted = x * PER_LN_2_32 + ROUNDER_32
    n = shifted - ROUNDER_32
    r = (x - n * LN_2_HIGH_32) - n * LN_2_LOW_32
    p = ((((P5 * r + P4) * r + P3) * r + P2) * r + P1) * r + P0
    power = float_of(I32(I32(bits_of(shifted) + BIAS_32) << PLACE_32))
    e = (p * r * r + r + ONE) * power
    return ZERO if x < LOWEST_32 else e


@compiled(inlined=True, freedom="fused")
def exp64(x):
    """Return e^x of a float64, with its infinities, subnormals and nan; largest relative error 3e-16.

    The Taylor polynomial of degree 13 on |r| <= ln(2)/2 leaves 4e-18. The power of two is put on in two
    steps, since 2^n itself may lie outside the normal numbers.
    """
    n = (x * PER_LN_2_64 + ROUNDER_64) - ROUNDER_64
    r = (x - n * LN_2_HIGH_64) - n * LN_2_LOW_64
    p = ((((((T13 * r + T12) * r + T11) * r + T10) * r + T9) * r + T8) * r + T7) * r + T6
    p = (((p * r + T5) * r + T4) * r + T3) * r + 0.5
    half = n * 0.5 + ROUNDER_64
    rest = (n - (half - ROUNDER_64)) + ROUNDER_64
    first = float_of((bits_of(half) + BIAS_64) << PLACE_64)
    second = float_of((bits_of(rest) + BIAS_64) << PLACE_64)
    e = (p * r * r + r + 1.0) * first * second
    e = 0.0 if x < LOWEST_64 else e
    return np.inf if x > HIGHEST_64 else e


def exponential(x):
    """Return e^x in the type of x, for loops that run in float32 and in float64."""
    raise NotImplementedError("inside compiled loops only")


@overload(exponential, jit_options={"forceinline": True})
def _exponential(x):
    if x == types.float32:
        return lambda x: exp32(x)
    if x == types.float64:
        return lambda x: exp64(x)
    return None
