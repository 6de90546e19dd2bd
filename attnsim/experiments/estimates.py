"""Estimates with intervals that are right for scores that share a query.

Scores of one row share their query, so they are not independent: rows are. Every interval is
built from what differs between rows (a cluster-robust delta method).
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.records import Estimate

Floats = NDArray[np.float64]

NORMAL_QUANTILE = 1.959963984540054  # 97.5 % of the standard normal law
MARGIN = 1.5
ROUNDING = 1e-13
FEWEST_ROWS = 20  # from which on rows say how far a spread is off; two rows would always claim to know it exactly
LARGE_SAMPLE = 200  # rows from which the series for Student's quantile is good to 1e-8


# excess kurtosis of a score, as a share of the rows, from which an interval would miss the truth far too often:
# over 250 seeds of 500 rows of sparse and log-normal components that of the sd missed in 8 to 38 % beyond it, and in
# 3 to 7 % below
HEAVIEST = {"mean": 2.0, "sd": 0.25, "within_sd": 0.25, "skewness": 0.002, "excess_kurtosis": 0.002}


class RowSums:
    """Running sums over rows, added chunk by chunk in order.

    Parameters
    ----------
    center, scale : float64 array, shape (checkpoints,)
        The powers are of (score - center)/scale.
    keys_per_row : int
    """

    def __init__(self, center: Floats, scale: Floats, keys_per_row: int) -> None:
        self.center, self.scale, self.keys_per_row = center, scale, keys_per_row
        self.rows = 0
        self._sum = np.zeros((center.size, 5))
        self._products = np.zeros((center.size, 5, 5))

    def add(self, powers: Floats) -> None:
        """Add rows.

        Parameters
        ----------
        powers : float64 array, shape (rows, checkpoints, 4)
            From `kernels.row_sums`.
        """
        keys = self.keys_per_row
        spread = powers[:, :, 1] - powers[:, :, 0] ** 2
        within = spread * (keys / (keys - 1)) if keys > 1 else np.full_like(spread, np.nan)
        values = np.concatenate((powers, within[:, :, None]), axis=2)
        self.rows += powers.shape[0]
        self._sum += values.sum(axis=0)
        self._products += np.einsum("bki,bkj->kij", values, values)

    def estimates(self, tail: float, true_kurtosis: Floats | float = math.nan) -> dict[str, Estimate]:
        """Return mean, sd, within_sd, skewness and excess_kurtosis.

        Parameters
        ----------
        tail : float
            Order from which on moments of a score do not exist; inf where all do.
        true_kurtosis : float64 array, shape (checkpoints,), or float
            Theory's excess kurtosis of a score, nan where unknown. Where it is large for the rows drawn, the rare
            scores that make the spread are mostly missing from the sample, and from the interval it would name.

        Notes
        -----
        The error of a statistic made of p-th powers needs moments of order 2p to exist, and to be
        close to normal at all some more: an interval is claimed where order `MARGIN` * 2p exists.
        """
        p = self._sum / self.rows
        covariance = self._covariance(p)
        one, two, three, four, within = p.T.copy()
        within[within < ROUNDING * two] = 0.0  # equal scores of a row differ by rounding alone
        variance = two - one**2
        third = three - 3 * one * two + 2 * one**3
        fourth = four - 4 * one * three + 6 * one**2 * two - 3 * one**4
        with np.errstate(divide="ignore", invalid="ignore"):
            sd = np.sqrt(np.maximum(variance, 0.0))
            within_sd = np.sqrt(np.maximum(within, 0.0))
            slopes = _slopes(one, two, three, variance, third, fourth)
            skewness, kurtosis = third / sd**3, fourth / variance**2 - 3.0
            inverse = np.where(within_sd > 0.0, 0.5 / within_sd, np.nan)
        zero = np.zeros_like(one)
        known = {
            "mean": (self.center + self.scale * one, self.scale, np.stack((zero + 1, zero, zero, zero, zero)), 2),
            "sd": (self.scale * sd, self.scale, slopes["sd"], 4),
            "within_sd": (self.scale * within_sd, self.scale, np.stack((zero, zero, zero, zero, inverse)), 4),
            "skewness": (skewness, 1.0, slopes["skewness"], 6),
            "excess_kurtosis": (kurtosis, 1.0, slopes["excess_kurtosis"], 8),
        }
        quantile = student_quantile(self.rows - 1)
        estimates = {}
        for name, (value, unit, slope, needed) in known.items():
            variance_of = np.nansum(np.einsum("ik,kij,jk->k", slope, covariance, slope)[None], axis=0)
            error = unit * np.sqrt(np.maximum(variance_of, 0.0))
            error = np.where(np.asarray(true_kurtosis) > self.rows * HEAVIEST[name], np.nan, error)
            fewest = 2 if name == "mean" else FEWEST_ROWS
            if MARGIN * needed >= tail or self.rows < fewest or (name == "within_sd" and self.keys_per_row < 2):
                error = np.full_like(value, np.nan)
            estimates[name] = Estimate(value, error, value - quantile * error, value + quantile * error)
        return estimates

    def _covariance(self, p: Floats) -> Floats:
        """Return the covariance of the means over rows, shape (checkpoints, 5, 5)."""
        if self.rows < 2:
            return np.full_like(self._products, np.nan)
        outer = np.einsum("ki,kj->kij", p, p)
        covariance = (self._products - self.rows * outer) / (self.rows - 1) / self.rows
        if self.keys_per_row == 1:  # nothing is known within rows; nan would spread to the rest
            covariance[:, 4, :] = covariance[:, :, 4] = 0.0
        return np.asarray(covariance)


def _slopes(
    one: Floats, two: Floats, three: Floats, variance: Floats, third: Floats, fourth: Floats
) -> dict[str, Floats]:
    """Return derivatives of the statistics by the five means, each of shape (5, checkpoints)."""
    zero, unit = np.zeros_like(one), np.ones_like(one)
    by_variance = np.stack((-2 * one, unit, zero, zero, zero))
    by_third = np.stack((-3 * two + 6 * one**2, -3 * one, unit, zero, zero))
    by_fourth = np.stack((-4 * three + 12 * one * two - 12 * one**3, 6 * one**2, -4 * one, unit, zero))
    return {
        "sd": by_variance / (2.0 * np.sqrt(variance)),
        "skewness": by_third / variance**1.5 - 1.5 * third / variance**2.5 * by_variance,
        "excess_kurtosis": by_fourth / variance**2 - 2.0 * fourth / variance**3 * by_variance,
    }


def student_quantile(df: int) -> float:
    """Return the 97.5 % quantile of Student's t; nan without a degree of freedom.

    Notes
    -----
    For many degrees of freedom the Cornish-Fisher series (Abramowitz & Stegun 26.7.5) spares the
    window's start the loading of scipy.
    """
    if df < 1:
        return math.nan
    if df < LARGE_SAMPLE:
        from attnsim.theory.intervals import student_quantile as exact

        return float(exact(0.975, df))
    z = NORMAL_QUANTILE
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / df + second / df**2 + third / df**3


def nothing_known(values: Any) -> Estimate:
    """Return an estimate without an interval."""
    array = np.asarray(values, dtype=np.float64)
    nan = np.full_like(array, np.nan)
    return Estimate(array, nan, nan.copy(), nan.copy())
