"""Quantiles behind confidence intervals."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.words import _

Floats = NDArray[np.float64]


def normal_quantile(p: ArrayLike) -> Floats:
    """Return x with P(z <= x) = p for a standard normal z; shaped like `p`, which lies in 0..1."""
    from scipy.special import ndtri

    return np.asarray(ndtri(_probability("p", p)), dtype=np.float64)


def student_quantile(p: ArrayLike, df: ArrayLike) -> Floats:
    """Return x with P(t <= x) = p for Student's t of `df` degrees of freedom, which may be inf."""
    from scipy.special import ndtri, stdtrit

    chance, freedom = _probability("p", p), np.asarray(df, dtype=np.float64)
    finite = np.where(np.isfinite(freedom), freedom, 1.0)
    return np.asarray(np.where(np.isfinite(freedom), stdtrit(finite, chance), ndtri(chance)), dtype=np.float64)


def chi_square_interval(df: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return the two quantiles between which a chi-square of `df` degrees of freedom lies with chance `level`.

    Parameters
    ----------
    df : array_like
        Above 0; any shape; need not be whole.
    level : float
        In 0..1; each side misses (1 - level)/2.

    Returns
    -------
    low, high : float64 array, shaped like `df`

    Raises
    ------
    ValueError
        If `level` lies outside 0..1.
    """
    from scipy.special import gammaincinv

    chance = float(_probability("level", level))
    half = np.asarray(df, dtype=np.float64) / 2.0
    low, high = (2.0 * gammaincinv(half, side) for side in ((1.0 - chance) / 2.0, (1.0 + chance) / 2.0))
    return np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)


def _probability(name: str, value: Any) -> Floats:
    chance = np.asarray(value, dtype=np.float64)
    if np.any(~((chance >= 0.0) & (chance <= 1.0))):
        raise ValueError(_("{name} must lie in 0..1, not {value}").format(name=name, value=value))
    return chance
