"""Median, mean and root mean square of norms over rows, each with its 95 % interval."""

import math

import numpy as np

from attnsim.experiments.estimates import NORMAL_QUANTILE, student_quantile
from attnsim.experiments.records import Floats


def median_with_interval(norms: Floats) -> Floats:
    """Return the median and the ranks around it that hold the law's median with 95 %, whatever the law.

    Parameters
    ----------
    norms : float64 array, shape (..., rows)

    Returns
    -------
    float64 array, shape (3, ...)
        Value, low, high; the ends nan for fewer than 6 rows.
    """
    ranked = np.sort(norms, axis=-1)
    rows = norms.shape[-1]
    middle = np.median(ranked, axis=-1)
    reach = 0.5 * NORMAL_QUANTILE * math.sqrt(rows)
    low, high = math.floor(0.5 * rows - reach), math.ceil(0.5 * rows + reach)
    if rows < 6 or low < 0 or high > rows - 1:
        return np.stack([middle, np.full_like(middle, np.nan), np.full_like(middle, np.nan)])
    return np.stack([middle, ranked[..., low], ranked[..., high]])


def mean_with_interval(norms: Floats) -> Floats:
    """Return the mean with Student's interval; parameters and shape as for the median."""
    rows = norms.shape[-1]
    mean = norms.mean(axis=-1)
    if rows < 2:
        return np.stack([mean, np.full_like(mean, np.nan), np.full_like(mean, np.nan)])
    reach = student_quantile(rows - 1) * norms.std(axis=-1, ddof=1) / math.sqrt(rows)
    return np.stack([mean, np.maximum(mean - reach, 0.0), mean + reach])


def rms_with_interval(norms: Floats) -> Floats:
    """Return the root of the mean square, and of the ends of the mean square's interval."""
    return np.sqrt(mean_with_interval(norms**2))
