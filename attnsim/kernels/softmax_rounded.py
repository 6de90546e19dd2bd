"""Softmax with every operation rounded to a number format, one after the other."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.exponential import exp64
from attnsim.kernels.float_rounding import (
    EXPONENT_BITS,
    EXPONENT_PLACE,
    FREXP_BIAS,
    ROUNDER,
    SCALE_BIAS,
    Format,
    rounded,
)
from attnsim.kernels.polynomials import bits_of, float_of
from attnsim.kernels.row_top import is_masked, top64

METHODS = {"stable": 0, "naive": 1, "online": 2}
TOP_EXPONENT = 1023  # 2^1024 is no number
STABLE, NAIVE, ONLINE = METHODS["stable"], METHODS["naive"], METHODS["online"]


def rounded_rows(x: NDArray[Any], method: str, number_format: Format) -> NDArray[np.float64]:
    """Return the softmax of each row, computed in a format.

    Parameters
    ----------
    x : float64 array, shape (rows, keys)
        Already rounded to the format.
    method : str
        One of `METHODS`; `softmax_rows.softmax` says what they do and what is rounded.
    number_format : Format

    Returns
    -------
    float64 array, shape (rows, keys)
        Of numbers of the format.
    """
    out = np.empty_like(x)
    f = number_format
    _rounded_rows(x, METHODS[method], f.digits, f.least_exponent, f.largest, f.overflow, out)
    return out


@compiled
def _rounded_rows(x, method, digits, least, largest, overflow, out):
    for b in range(x.shape[0]):
        row, line = x[b], out[b]
        if is_masked(row):
            line[:] = 0.0
            continue
        top = 0.0 if method == NAIVE else top64(row)
        total = 0.0
        if method == ONLINE:
            total = _online_sum(row, digits, least, largest, overflow)
        # the sum is a loop of its own: each step of it waits for the last one, the exponentials run side by side
        for j in range(row.size):
            difference = rounded(row[j] - top, digits, least, largest, overflow)
            line[j] = rounded(exp64(difference), digits, least, largest, overflow)
        if method != ONLINE:
            total = _running_sum(line, digits, least, largest, overflow)
        for j in range(row.size):
            line[j] = rounded(line[j] / total, digits, least, largest, overflow)


@compiled
def _running_sum(terms, digits, least, largest, overflow):
    """Return the sum of terms of 0 or more, rounded after each one.

    While the sum stays below the next power of two its unit stays too: adding and taking away 1.5 * 2^52 units rounds
    to it in a third of the time of finding the unit anew.
    """
    total, limit, shift = 0.0, 0.0, 0.0
    for j in range(terms.size):
        wanted = total + terms[j]
        if wanted < limit:
            total = (wanted + shift) - shift
            continue
        total = rounded(wanted, digits, least, largest, overflow)
        if digits < 53 and total <= largest:
            exponent = max(((bits_of(total) >> EXPONENT_PLACE) & EXPONENT_BITS) - FREXP_BIAS, least)
            shift = ROUNDER * float_of((SCALE_BIAS + exponent - digits) << EXPONENT_PLACE)
            limit = largest if exponent > TOP_EXPONENT else float_of((SCALE_BIAS + exponent) << EXPONENT_PLACE)
            limit = min(limit, largest)
        else:
            limit = 0.0
    return total


@compiled
def _online_sum(row, digits, least, largest, overflow):
    """Return the sum of exp(x - max), rescaled whenever a new maximum is met."""
    top, total = -np.inf, 0.0
    for j in range(row.size):
        score = row[j]
        if score == -np.inf:  # masked; before the first maximum -inf - (-inf) would be nan
            continue
        if score > top:
            if total > 0.0:  # before the first term the top is -inf, which fp8_e4m3 has no number for
                difference = rounded(top - score, digits, least, largest, overflow)
                shrink = rounded(exp64(difference), digits, least, largest, overflow)
                total = rounded(total * shrink, digits, least, largest, overflow)
            top = score
        difference = rounded(score - top, digits, least, largest, overflow)
        term = rounded(exp64(difference), digits, least, largest, overflow)
        total = rounded(total + term, digits, least, largest, overflow)
    return total
