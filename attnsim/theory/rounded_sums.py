"""Errors of sums and weights whose operations are rounded, each rounding an independent uniform error."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.limits import within
from attnsim.theory.number_formats import format_limits, score_rounding

Floats = NDArray[np.float64]

LARGEST_UNIT = 2.0  # of the running sum's last place, in standard deviations of a term: beyond it terms are swallowed
SMALLEST = -80  # exponent below which a sum counts as 0


def mean_square_rounding(name: str, sd: ArrayLike) -> Floats:
    """Return the mean square error of rounding an N(0, sd^2) number: ulp^2/12 averaged over its binades.

    Parameters
    ----------
    name : str
        Id of a format.
    sd : array_like
        Above 0, and small enough that hardly anything overflows.

    Returns
    -------
    float64 array, shaped like `sd`
    """
    from scipy.special import erf

    limits, spread = format_limits(name), within("sd", sd, 0.0, beyond_low=True)
    exponents = np.arange(SMALLEST, math.ceil(math.log2(float(spread.max()))) + 6.0)
    ends = np.ldexp(1.0, exponents.astype(np.int64)) / (math.sqrt(2.0) * spread[..., None])
    chances = np.diff(erf(ends), axis=-1)
    units = np.ldexp(1.0, (np.maximum(exponents[1:], limits.lowest) - limits.digits).astype(np.int64))
    return np.asarray(chances @ units**2 / 12.0)


def sum_error(name: str, order: str, count: int) -> float:
    """Return the root mean square error of a sum of independent terms of mean 0 and variance 1, over sqrt(count).

    Parameters
    ----------
    name : str
        Id of a format.
    order : {"sequential", "pairwise", "float32"}
        From left to right, by halves of halves, or in float32 and rounded once at the end.
    count : int
        1 or more terms.

    Returns
    -------
    float
        nan where terms are too small beside the running sum's last place for its errors to be independent: it then
        swallows them.
    """
    limits, single = format_limits(name), format_limits("fp32")
    n = int(within("count", count, 1.0, whole=True))
    last = 2.0 ** (math.floor(0.5 * math.log2(n)) + 1 - limits.digits)
    if order == "sequential" or (order == "float32" and limits.digits >= single.digits):
        if last > LARGEST_UNIT:
            return math.nan
        squares = float(mean_square_rounding(name, np.sqrt(np.arange(1.0, n + 1.0))).sum())
    elif order == "pairwise":
        levels = np.arange(1.0, math.ceil(math.log2(n)) + 1.0) if n > 1 else np.zeros(1)
        squares = float((n / 2.0**levels) @ mean_square_rounding(name, 2.0 ** (0.5 * levels)))
    else:
        squares = float(mean_square_rounding(name, math.sqrt(n)))
        squares += float(mean_square_rounding("fp32", np.sqrt(np.arange(1.0, n + 1.0))).sum())
    return math.sqrt(squares / n)


def flat_sum(name: str, count: ArrayLike) -> Floats:
    """Return what `count` ones add up to from left to right: it stands still at 2^p, or overflows before."""
    limits = format_limits(name)
    stop = 2.0**limits.digits
    total = np.minimum(within("count", count, 0.0, whole=True), stop)
    return np.where(total <= limits.largest, total, np.inf)


def weight_error(name: str, logits: ArrayLike) -> Floats:
    """Return the mean square of |p' - p|_2 over roundings of the logits alone, to first order, row by row.

    With errors delta_j of variance v_j = ulp^2/12, Delta p_j = p_j (delta_j - sum p delta), so that

        E sum (Delta p_j)^2 = sum_j p_j^2 [(1 - 2 p_j) v_j + sum_i p_i^2 v_i].

    Parameters
    ----------
    name : str
        Id of a format.
    logits : array_like, shape (rows, keys)
        Within the format's range.

    Returns
    -------
    float64 array, shape (rows,)
    """
    x = np.asarray(logits, dtype=np.float64)
    p = np.exp(x - x.max(axis=-1, keepdims=True))
    p /= p.sum(axis=-1, keepdims=True)
    v = score_rounding(name, x) ** 2
    common = (p**2 * v).sum(axis=-1, keepdims=True)
    return np.asarray((p**2 * ((1.0 - 2.0 * p) * v + common)).sum(axis=-1))
