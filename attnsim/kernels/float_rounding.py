"""Rounding to a number format, bit for bit."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.polynomials import bits_of, float_of

EXPONENT_BITS, EXPONENT_PLACE = 0x7FF, 52
FREXP_BIAS, SCALE_BIAS = 1022, 1023
ROUNDER = 1.5 * 2.0**52


@dataclass(frozen=True, slots=True)
class Format:
    """What a float format holds.

    Attributes
    ----------
    digits : int
        Significant bits, the hidden one included.
    least_exponent : int
        Of the smallest normal number m * 2^e with 1/2 <= m < 1; below it lie the subnormals.
    largest : float
        Largest finite number.
    overflow : float
        What a larger one becomes: inf, or nan in a format without infinities.
    """

    digits: int
    least_exponent: int
    largest: float
    overflow: float = np.inf


FORMATS = {
    "fp64": Format(53, -1021, float(np.finfo(np.float64).max)),
    "fp32": Format(24, -125, float(np.finfo(np.float32).max)),
    "tf32": Format(11, -125, (2.0 - 2.0**-10) * 2.0**127),
    "bf16": Format(8, -125, (2.0 - 2.0**-7) * 2.0**127),
    "fp16": Format(11, -13, 65504.0),
    "fp8_e4m3": Format(4, -5, 448.0, np.nan),
    "fp8_e5m2": Format(3, -13, 57344.0),
}


def round_to(values: NDArray[np.floating], number_format: "str | Format") -> NDArray[np.floating]:
    """Return values rounded to the nearest number of a format, ties to even.

    Parameters
    ----------
    values : float32 or float64 array, any shape
    number_format : str or Format
        One of `FORMATS` (fp64, fp32, tf32, bf16, fp16, fp8_e4m3, fp8_e5m2), or a format of one's own.

    Returns
    -------
    array of the shape and dtype of `values`
        Subnormals, signed zeros and nan are kept. What is too large becomes infinite; in fp8_e4m3, which has no
        infinities, nan.

    Raises
    ------
    ValueError
        If there is no such format or the values are not floats.

    References
    ----------
    .. [1] P. Micikevicius et al., "FP8 formats for deep learning", 2022, Table 1.
    """
    if isinstance(number_format, str) and number_format not in FORMATS:
        raise ValueError(f"number_format must be one of {', '.join(FORMATS)}; got {number_format!r}")
    values = np.asarray(values)
    if values.dtype not in (np.float32, np.float64):
        raise ValueError(f"values needs dtype float32 or float64; got {values.dtype}")
    out = np.empty(values.shape, dtype=values.dtype)
    f = FORMATS[number_format] if isinstance(number_format, str) else number_format
    flat = np.ascontiguousarray(values).reshape(-1)
    _round_all(flat, f.digits, f.least_exponent, f.largest, f.overflow, out.reshape(-1))
    return out


@compiled
def rounded(x, digits, least_exponent, largest, overflow):
    """Return a float64 rounded to a format; the arguments are the fields of a `Format`."""
    if digits >= 53:
        return x
    exponent = ((bits_of(x) >> EXPONENT_PLACE) & EXPONENT_BITS) - FREXP_BIAS
    exponent = max(exponent, least_exponent) - digits
    units = x * float_of((SCALE_BIAS - exponent) << EXPONENT_PLACE)
    whole = (units + ROUNDER) - ROUNDER
    y = whole * float_of((SCALE_BIAS + exponent) << EXPONENT_PLACE)
    if abs(y) > largest:
        y = overflow
    return np.copysign(y, x)


@compiled
def _round_all(values, digits, least_exponent, largest, overflow, out):
    for i in range(values.size):
        out[i] = rounded(np.float64(values[i]), digits, least_exponent, largest, overflow)
