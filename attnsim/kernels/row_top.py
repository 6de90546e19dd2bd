"""A row's maximum, found in lanes."""

import numpy as np
from numba import types
from numba.extending import overload

from attnsim.kernels.compiled import compiled
from attnsim.kernels.polynomials import bits_of, float_of

SIGN_32, FLIP_32, LEAST_32 = np.int32(31), np.int32(0x7FFFFFFF), np.int32(-0x80000000)
SIGN_64, FLIP_64, LEAST_64 = np.int64(63), np.int64(0x7FFFFFFFFFFFFFFF), np.int64(-0x8000000000000000)


@compiled(inlined=True)
def top32(row):
    """Return the maximum of a float32 row; nan where a nan of positive sign is there.

    Floats are compared as whole numbers in the same order (-nan, -inf, ..., inf, nan): those a compiler can compare
    in lanes, where floats need every nan looked at.
    """
    top = LEAST_32
    for j in range(row.size):
        bits = bits_of(row[j])
        top = max(top, np.int32(bits ^ np.int32((bits >> SIGN_32) & FLIP_32)))
    return float_of(np.int32(top ^ np.int32((top >> SIGN_32) & FLIP_32)))


@compiled(inlined=True)
def top64(row):
    """Return the maximum of a float64 row, as `top32`."""
    top = LEAST_64
    for j in range(row.size):
        bits = bits_of(row[j])
        top = max(top, bits ^ ((bits >> SIGN_64) & FLIP_64))
    return float_of(top ^ ((top >> SIGN_64) & FLIP_64))


def row_top(row):
    """Return the maximum of a row, for loops that run in float32 and in float64."""
    raise NotImplementedError("inside compiled loops only")


@overload(row_top, jit_options={"forceinline": True})
def _row_top(row):
    if row.dtype == types.float32:
        return lambda row: top32(row)
    if row.dtype == types.float64:
        return lambda row: top64(row)
    return None


@compiled
def is_masked(row):
    """Return whether a row is -inf throughout; a maximum of -inf may hide a nan."""
    j = 0
    while j < row.size and row[j] == -np.inf:
        j += 1
    return j == row.size
