"""Sums in a number format, by the order in which they are added up."""

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.float_rounding import FORMATS, rounded

Floats = NDArray[np.float64]

ORDERS = ("sequential", "pairwise", "float32")


def rounded_sums(terms: Floats, order: str, number_format: str) -> Floats:
    """Return the sum of each row of terms, with every addition rounded to a format.

    Parameters
    ----------
    terms : float64 array, shape (rows, terms)
        Taken as they are: a product that enters a fused multiply-add is not rounded.
    order : {"sequential", "pairwise", "float32"}
        From left to right; halves of halves, as a tree adds them (log2 of the length roundings deep); or from left to
        right in float32 and rounded to the format once, at the end, as matrix units do.
    number_format : str
        One of `float_rounding.FORMATS`.

    Returns
    -------
    float64 array, shape (rows,)
        Numbers of the format; inf or nan where a sum was too large for it.

    Raises
    ------
    ValueError
        If the terms are no matrix, or there is no such order or format.

    References
    ----------
    .. [1] N. J. Higham, "The accuracy of floating point summation", SIAM J. Sci. Comput. 14, 1993.
    """
    if terms.ndim != 2 or terms.dtype != np.float64:
        raise ValueError(f"terms needs shape (rows, terms) and float64; got {terms.shape}, {terms.dtype}")
    if order not in ORDERS:
        raise ValueError(f"order must be one of {', '.join(ORDERS)}; got {order!r}")
    if number_format not in FORMATS:
        raise ValueError(f"number_format must be one of {', '.join(FORMATS)}; got {number_format!r}")
    out = np.zeros(terms.shape[0])
    f, single = FORMATS[number_format], FORMATS["fp32"]
    numbers = (f.digits, f.least_exponent, f.largest, f.overflow)
    if order == "pairwise":
        _pairwise(terms.copy(), *numbers, out)
    elif order == "sequential" or f.digits > single.digits:
        _sequential(terms, *numbers, out)
    else:
        _sequential(terms, single.digits, single.least_exponent, single.largest, single.overflow, out)
        _round(out, *numbers)
    return out


@compiled
def _sequential(terms, digits, least, largest, overflow, out):
    for b in range(terms.shape[0]):
        total = 0.0
        for term in terms[b]:
            total = rounded(total + term, digits, least, largest, overflow)
        out[b] = total


@compiled
def _pairwise(spare, digits, least, largest, overflow, out):
    for b in range(spare.shape[0]):
        row = spare[b]
        left = row.size
        while left > 1:
            half = left // 2
            for j in range(half):
                row[j] = rounded(row[2 * j] + row[2 * j + 1], digits, least, largest, overflow)
            if left % 2:  # the last one waits for the next round
                row[half] = row[left - 1]
            left = half + left % 2
        out[b] = rounded(row[0], digits, least, largest, overflow) if row.size else 0.0


@compiled
def _round(values, digits, least, largest, overflow):
    for i in range(values.size):
        values[i] = rounded(values[i], digits, least, largest, overflow)
