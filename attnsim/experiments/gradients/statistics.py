"""Median, mean and root mean square of norms over rows, each with its 95 % interval."""

import math

import numpy as np

from attnsim.experiments.estimates import NORMAL_QUANTILE, student_quantile
from attnsim.experiments.records import Floats

FEWEST_TELLING = 10.0  # rows that make the mean; fewer saturated rows are an accident, and hide how far they vary


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
    """Return the mean with Student's interval; parameters and shape as for the median.

    Notes
    -----
    Most rows of a saturated softmax let nothing through. Where a few rows make the whole mean, counted as
    (sum x)^2 / sum x^2, another draw may well hold none of them, or ten: no interval is claimed.
    """
    rows = norms.shape[-1]
    mean = norms.mean(axis=-1)
    if rows < 2:
        return np.stack([mean, np.full_like(mean, np.nan), np.full_like(mean, np.nan)])
    reach = student_quantile(rows - 1) * norms.std(axis=-1, ddof=1) / math.sqrt(rows)
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        shares = norms / norms.sum(axis=-1, keepdims=True)
        telling = 1.0 / (shares**2).sum(axis=-1)
    reach = np.where(telling < FEWEST_TELLING, np.nan, reach)  # nan, where all norms are 0, claims what is seen: 0
    return np.stack([mean, np.maximum(mean - reach, 0.0), mean + reach])


def rms_with_interval(norms: Floats) -> Floats:
    """Return the root of the mean square, and of the ends of the mean square's interval."""
    return np.sqrt(mean_with_interval(norms**2))
