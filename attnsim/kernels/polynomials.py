"""Logarithm, sine and cosine as polynomials, so that the loops that use them run in vectors.

A call into the system's mathematics library inside a loop makes the loop scalar, about twelve times slower for normal
variates. Sine and cosine were interpolated at Chebyshev nodes; the logarithms are those of the Cephes library
(S. Moshier) in float32 and of fdlibm (Sun Microsystems, 1993) in float64. The exponential is in `exponential`.
"""

import numpy as np
from numba import types
from numba.extending import intrinsic

from attnsim.kernels.compiled import compiled

F32 = np.float32
I32 = np.int32
I64 = np.int64
ONE, HALF = F32(1.0), F32(0.5)

ROOT_HALF_BITS = I32(0x3F3504F3)
MANTISSA_32 = I32(23)
LN2_HIGH, LN2_LOW = F32(0.693359375), F32(-2.12194440e-4)
LOG_0, LOG_1, LOG_2 = F32(3.3333331174e-1), F32(-2.4999993993e-1), F32(2.0000714765e-1)
LOG_3, LOG_4, LOG_5 = F32(-1.6668057665e-1), F32(1.4249322787e-1), F32(-1.2420140846e-1)
LOG_6, LOG_7, LOG_8 = F32(1.1676998740e-1), F32(-1.1514610310e-1), F32(7.0376836292e-2)

SIN_0, SIN_1, SIN_2 = F32(0.9999999999829183), F32(-0.16666666616814685), F32(0.00833333097418828)
SIN_3, SIN_4, SIN_5 = F32(-0.0001984086117768862), F32(2.752526975389417e-06), F32(-2.3889217031975295e-08)
COS_0, COS_1, COS_2 = F32(0.999999999779153), F32(-0.49999999355436703), F32(0.041666636159695604)
COS_3, COS_4, COS_5 = F32(-0.0013888360284140843), F32(2.4760109662353647e-05), F32(-2.60506573321564e-07)

ROOT_HALF_BITS_64 = I64(0x3FE6A09E667F3BCD)
MANTISSA_64 = I64(52)
LN2_HIGH_64, LN2_LOW_64 = 6.93147180369123816490e-01, 1.90821492927058770002e-10


@intrinsic
def bits_of(_typing, x):
    """Return the bits of a float as a signed whole number of the same width."""

    def cast(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], context.get_value_type(signature.return_type))

    return (types.int32 if x == types.float32 else types.int64)(x), cast


@intrinsic
def float_of(_typing, bits):
    """Return the float that has these bits, those of an int32 or an int64."""

    def cast(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], context.get_value_type(signature.return_type))

    return (types.float32 if bits == types.int32 else types.float64)(bits), cast


@intrinsic
def bit_count(_typing, _word):
    """Return how many bits of a uint64 word are set."""

    def count(_context, builder, _signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), count


@compiled(inlined=True, freedom="fused")
def log32(x):
    """Return ln x of a normal positive float32, within 1e-7 relative or 4e-8 absolute, the larger."""
    bits = bits_of(x)
    exponent = I32(I32(bits - ROOT_HALF_BITS) >> MANTISSA_32)
    f = float_of(I32(bits - I32(exponent << MANTISSA_32))) - ONE
    e = F32(exponent)
    p = LOG_8
    p = p * f + LOG_7
    p = p * f + LOG_6
    p = p * f + LOG_5
    p = p * f + LOG_4
    p = p * f + LOG_3
    p = p * f + LOG_2
    p = p * f + LOG_1
    p = p * f + LOG_0
    square = f * f
    return f + (f * square * p + e * LN2_LOW - HALF * square) + e * LN2_HIGH


@compiled(inlined=True, freedom="fused")
def sine_cosine32(x):
    """Return sin x and cos x of a float32 in -pi/2..pi/2, within 1.5e-7 absolute."""
    z = x * x
    s = SIN_5
    s = s * z + SIN_4
    s = s * z + SIN_3
    s = s * z + SIN_2
    s = s * z + SIN_1
    s = s * z + SIN_0
    c = COS_5
    c = c * z + COS_4
    c = c * z + COS_3
    c = c * z + COS_2
    c = c * z + COS_1
    c = c * z + COS_0
    return s * x, c


@compiled(inlined=True, freedom="fused")
def log64(x):
    """Return ln x of a normal positive float64, within 4e-16 relative or absolute, the larger."""
    bits = bits_of(x)
    exponent = (bits - ROOT_HALF_BITS_64) >> MANTISSA_64
    f = float_of(bits - (exponent << MANTISSA_64)) - 1.0
    e = float(exponent)
    s = f / (2.0 + f)
    z = s * s
    p = 1.479819860511658591e-01
    p = p * z + 1.531383769920937332e-01
    p = p * z + 1.818357216161805012e-01
    p = p * z + 2.222219843214978396e-01
    p = p * z + 2.857142874366239149e-01
    p = p * z + 3.999999999940941908e-01
    p = p * z + 6.666666666666735130e-01
    half = 0.5 * f * f
    return e * LN2_HIGH_64 - ((half - (s * (half + p * z) + e * LN2_LOW_64)) - f)
