"""Softmax with every operation rounded to a number format, one after the other."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.exponential import exp64
from attnsim.kernels.float_rounding import Format, rounded
from attnsim.kernels.row_top import is_masked, top64

METHODS = {"stable": 0, "naive": 1, "online": 2}
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
        for j in range(row.size):
            difference = rounded(row[j] - top, digits, least, largest, overflow)
            line[j] = rounded(exp64(difference), digits, least, largest, overflow)
            if method != ONLINE:
                total = rounded(total + line[j], digits, least, largest, overflow)
        for j in range(row.size):
            line[j] = rounded(line[j] / total, digits, least, largest, overflow)


@compiled
def _online_sum(row, digits, least, largest, overflow):
    """Return the sum of exp(x - max), rescaled whenever a new maximum is met."""
    top, total = -np.inf, 0.0
    for j in range(row.size):
        score = row[j]
        if score == -np.inf:  # masked; before the first maximum -inf - (-inf) would be nan
            continue
        if score > top:
            difference = rounded(top - score, digits, least, largest, overflow)
            shrink = rounded(exp64(difference), digits, least, largest, overflow)
            total = rounded(total * shrink, digits, least, largest, overflow)
            top = score
        difference = rounded(score - top, digits, least, largest, overflow)
        term = rounded(exp64(difference), digits, least, largest, overflow)
        total = rounded(total + term, digits, least, largest, overflow)
    return total
