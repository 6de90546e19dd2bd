"""Diagnostics of given rows of scores: how many keys compete with the best one, and when it wins.

The counting function and the claim that an upper-tail scale read off it fixes the critical inverse temperature are
those of T. Hayase and R. Karakida, "A Unified Framework for Critical Scaling of Inverse Temperature in
Self-Attention", arXiv:2605.12697, 2026, of which only the abstract was read. The scale here is defined below.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.limits import within
from attnsim.words import _

Floats = NDArray[np.float64]

HALVINGS = 60


def sorted_gaps(scores: ArrayLike) -> Floats:
    """Return by how much each of the other scores of a row falls short of the largest, ascending.

    Parameters
    ----------
    scores : array_like, shape (..., keys)
        2 keys or more; -inf stands for a key that is masked.

    Returns
    -------
    float64 array, shape (..., keys - 1)

    Raises
    ------
    ValueError
        If a row has fewer than 2 keys, or a score is nan or +inf.
    """
    rows = np.asarray(scores, dtype=np.float64)
    if rows.ndim == 0 or rows.shape[-1] < 2:
        raise ValueError(_("scores need 2 keys or more in a row, not the shape {shape}").format(shape=rows.shape))
    if np.isnan(rows).any() or np.isposinf(rows).any() or np.isneginf(rows).all(axis=-1).any():
        raise ValueError(_("scores must be numbers below infinity, with one finite at least in each row"))
    ranked = np.sort(rows, axis=-1)[..., ::-1]
    return np.asarray(ranked[..., :1] - ranked[..., 1:], dtype=np.float64)


def gap_counts(scores: ArrayLike, gaps: ArrayLike) -> Floats:
    """Return N(gap): how many competitors lie within each gap of the largest score, averaged over rows.

    Parameters
    ----------
    scores : array_like, shape (..., keys)
    gaps : array_like, shape (points,)
        0 or more.

    Returns
    -------
    float64 array, shape (points,)
        0..keys - 1; the largest score itself is not counted.
    """
    asked = np.atleast_1d(within("gaps", gaps, 0.0))
    found = sorted_gaps(scores)
    rows = found.size // found.shape[-1]
    everything = np.sort(found, axis=None)
    return np.asarray(np.searchsorted(everything, asked, side="right") / rows, dtype=np.float64)


def accumulation_scale(scores: ArrayLike) -> Floats:
    """Return the inverse temperature at which competitors stop outweighing the largest score: max ln N(g)/g.

    The N(g) competitors within a gap g weigh up to N(g) e^(-beta g) of it; above the largest ln N(g)/g, no gap's
    competitors outweigh it. The k-th gap has N = k; k = 1 gives ln 1 = 0. For a normal row of spread s
    the ratio to s_c/s, the threshold of the Random Energy Model, tends to 1, since ln N(g) = s_c g/s - g^2/(2 s^2)
    there; slowly: evenly ranked rows give (s_c - 1.33)/s, and drawn rows scatter (80 % of them within 0.56..1.9 of
    s_c/s at 4,096 keys, median 0.83).

    Parameters
    ----------
    scores : array_like, shape (..., keys)

    Returns
    -------
    float64 array, shape (...)
        inf where two other scores equal the largest, 0 for 2 keys.
    """
    gaps = sorted_gaps(scores)
    counts = np.log(np.arange(1.0, gaps.shape[-1] + 1.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(counts > 0.0, counts / gaps, 0.0)
    return np.asarray(ratios.max(axis=-1), dtype=np.float64)


def concentration_scale(scores: ArrayLike, share: float = 0.5) -> Floats:
    """Return the inverse temperature at which sum p^2 of the row reaches `share`: at 1/2 one key holds half.

    Sum p^2 rises with the inverse temperature, from 1/keys to 1; the root is bracketed and halved.

    Parameters
    ----------
    scores : array_like, shape (..., keys)
    share : float
        Strictly between 0 and 1.

    Returns
    -------
    float64 array, shape (...)
        0 where even weights have it already; inf where it is never reached, the largest score being shared.
    """
    within("share", share, 0.0, 1.0, beyond_low=True, below_high=True)
    gaps = sorted_gaps(scores)
    ties = 1.0 / (1.0 + (gaps == 0.0).sum(axis=-1))
    high = np.full(gaps.shape[:-1], 1.0)
    low = np.zeros(gaps.shape[:-1])
    reachable = ties > share
    for _doubling in range(200):
        short = reachable & (_sum_p2(gaps, high) < share)
        if not short.any():
            break
        low, high = np.where(short, high, low), np.where(short, 2.0 * high, high)
    for _halving in range(HALVINGS):
        middle = 0.5 * (low + high)
        above = _sum_p2(gaps, middle) >= share
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    even = _sum_p2(gaps, np.zeros(gaps.shape[:-1])) >= share
    return np.where(even, 0.0, np.where(reachable, 0.5 * (low + high), np.inf))


def _sum_p2(gaps: Floats, beta: Floats) -> Floats:
    with np.errstate(invalid="ignore", under="ignore"):
        weights = np.where(np.isinf(gaps), 0.0, np.exp(-beta[..., None] * np.where(np.isinf(gaps), 0.0, gaps)))
    return np.asarray((1.0 + (weights**2).sum(axis=-1)) / (1.0 + weights.sum(axis=-1)) ** 2, dtype=np.float64)


def normal_gap_counts(keys: float, score_sd: float, gaps: ArrayLike) -> Floats:
    """Return E N(gap) of a row of independent N(0, score_sd^2) scores.

    It is n (n - 1) Int pdf(z) [cdf(z) - cdf(z - gap/score_sd)] cdf(z)^(n - 2) dz.

    Parameters
    ----------
    keys : float
        2 or more.
    score_sd : float
        Above 0.
    gaps : array_like
        0 or more; any shape.
    """
    from scipy.special import log_ndtr, ndtr

    n = float(within("keys", keys, 2.0, 1e18))
    s = float(within("score_sd", score_sd, 0.0, beyond_low=True))
    g = within("gaps", gaps, 0.0)[..., None] / s
    z = np.arange(-12.0, 16.0, 0.02)
    with np.errstate(under="ignore"):
        largest = n * np.exp(-0.5 * z * z + (n - 2.0) * log_ndtr(z)) * 0.02 / np.sqrt(2.0 * np.pi)
        inside = np.where(z > 0.0, ndtr(g - z) - ndtr(-z), ndtr(z) - ndtr(z - g))
    return np.asarray((n - 1.0) * (inside * largest).sum(axis=-1), dtype=np.float64)
