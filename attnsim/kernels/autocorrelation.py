"""How much a value of a series says about the next."""

import math

import numpy as np
from numpy.typing import ArrayLike

from attnsim.kernels.compiled import compiled
from attnsim.kernels.moments import moments, real_line, two_sum


def lag_one_correlation(values: ArrayLike) -> float:
    """Return the lag-1 autocorrelation of a series.

    Parameters
    ----------
    values : array_like of real numbers, shape (n,)

    Returns
    -------
    float
        sum (x_i - m)(x_(i+1) - m) / sum (x_i - m)^2 with m the mean of all; nan where all values are alike.

    Raises
    ------
    ValueError
        If the values are no real numbers.
    """
    line = real_line(values)
    found = moments(line)
    if not found.sum2 > 0.0:
        return math.nan
    return float(_lagged(line, math.ldexp(1.0, -found.exponent), found.center, found.shift) / found.sum2)


@compiled
def _lagged(line, unit, center, shift):
    total, lost = 0.0, 0.0
    before = (np.float64(line[0]) * unit - center) - shift
    for i in range(1, line.size):
        now = (np.float64(line[i]) * unit - center) - shift
        total, error = two_sum(total, before * now)
        lost += error
        before = now
    return total + lost
