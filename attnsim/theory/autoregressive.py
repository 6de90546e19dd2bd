"""Scores of normal autoregressive vectors of first order.

Source: Isserlis' theorem for q . k with Cov(q_i, q_j) = s_q^2 phi_q^|i-j|, likewise for k, and innovations that
correlate by eta; sums of geometric series do the rest.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.moments import Moments
from attnsim.theory.moments import moments as record
from attnsim.words import _

Floats = NDArray[np.float64]

FORGOTTEN = 40.0  # phi^n below e^-40 changes no digit


def reach(phi_q: float, phi_k: float) -> float:
    """Return the largest |Corr(q_i, k_i)|: that of vectors which share their innovations."""
    return math.sqrt((1.0 - phi_q**2) * (1.0 - phi_k**2)) / (1.0 - phi_q * phi_k)


def geometric(dim: ArrayLike, ratio: float) -> Floats:
    """Return the sum over i, j = 1..dim of ratio^|i-j|.

    Parameters
    ----------
    dim : array_like
        Any shape; between whole numbers a smooth function of it.
    ratio : float
        In -1..1, both excluded.
    """
    d = np.asarray(dim, dtype=np.float64)
    free = 1.0 - ratio
    return np.asarray(d * (1.0 + ratio) / free - 2.0 * ratio * (1.0 - _power(ratio, d)) / free**2)


def _power(base: float, exponent: Floats) -> Floats:
    """Return base^exponent, with the sign of the nearest whole exponent where the base is negative."""
    size = np.where(exponent == 0.0, 1.0, np.abs(base) ** np.maximum(exponent, 1e-300))
    return np.asarray(size * (1.0 if base >= 0.0 else 1.0 - 2.0 * np.abs(np.rint(exponent) % 2.0)))


def _fading(dim: ArrayLike, ratio: float, fade: float) -> Floats:
    """Return the sum over i, j = 1..dim of fade^(min(i, j) - 1) ratio^|i-j|."""
    d = np.asarray(dim, dtype=np.float64)
    free = 1.0 - ratio
    if math.isclose(fade, ratio, rel_tol=1e-6, abs_tol=1e-12):
        crossed = d * _power(fade, d - 1.0) if fade else np.where(d >= 1.0, 0.0, d)
    else:
        crossed = (_power(fade, d) - _power(ratio, d)) / (fade - ratio)
    head = (1.0 - _power(fade, d)) / (1.0 - fade)
    return np.asarray(head * (1.0 + ratio) / free - 2.0 * ratio / free * crossed)


def moments(
    dim: ArrayLike,
    *,
    phi_q: float,
    phi_k: float,
    sigma_q: float = 1.0,
    sigma_k: float = 1.0,
    mean_q: float = 0.0,
    mean_k: float = 0.0,
    rho: float = 0.0,
) -> Moments:
    """Return the moments of the score of two autoregressive vectors.

    Parameters
    ----------
    dim : array_like
        Components summed; any shape.
    phi_q, phi_k : float
        Correlation of neighbouring components of q and of k, in -1..1, both excluded.
    sigma_q, sigma_k, mean_q, mean_k, rho : float
        Of one component, and Corr(q_i, k_i).

    Returns
    -------
    Moments
        Shaped like `dim`. Given the query up to a component a key's later ones play no part, so the variance
        within a row does not depend on how long the whole query is. Skewness and excess kurtosis are those of
        independent vectors of mean 0, and nan elsewhere.

    Raises
    ------
    ValueError
        If no pair of vectors has these correlations.
    """
    if abs(rho) > reach(phi_q, phi_k) * (1.0 + 1e-9):
        raise ValueError(
            _("rho must lie in {low:.4g}..{high:.4g} for these phi_q and phi_k, not {value:g}").format(
                low=-reach(phi_q, phi_k), high=reach(phi_q, phi_k), value=rho
            )
        )
    d = np.asarray(dim, dtype=np.float64)
    both, cross = (sigma_q * sigma_k) ** 2, mean_q * mean_k * sigma_q * sigma_k * rho
    of_q, of_k = geometric(d, phi_q), geometric(d, phi_k)
    of_both = geometric(d, phi_q * phi_k)
    pulled = (mean_q * sigma_k) ** 2 * of_k + (mean_k * sigma_q) ** 2 * of_q + cross * (of_q + of_k)
    variance = both * (1.0 + rho**2) * of_both + pulled
    left = {ratio: _left(d, ratio, phi_q, phi_k, rho) for ratio in (phi_k, phi_q * phi_k)}
    within = sigma_k**2 * (mean_q**2 * left[phi_k] + sigma_q**2 * left[phi_q * phi_k])
    plain = rho == mean_q == mean_k == 0.0
    nothing = np.full(d.shape, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = 6.0 * trace_of_square(d, phi_q, phi_k) / of_both**2 if plain else nothing
    return record(
        mean=d * (mean_q * mean_k + rho * sigma_q * sigma_k), variance=variance, within=within,
        skewness=np.where(d > 0.0, 0.0, np.nan) if plain else nothing, excess_kurtosis=excess,
    )  # fmt: skip


def _left(dim: Floats, ratio: float, phi_q: float, phi_k: float, rho: float) -> Floats:
    """Return the sum of ratio^|i-j| Var(k_min(i,j) | q), for a key of unit variance."""
    eta_square = min(1.0, (rho / reach(phi_q, phi_k)) ** 2)
    steady, start = 1.0 - eta_square, eta_square - rho**2
    return np.asarray(steady * geometric(dim, ratio) + start * _fading(dim, ratio, phi_k**2))


def mean_gap_square(
    dim: ArrayLike,
    *,
    phi_q: float,
    phi_k: float,
    sigma_q: float = 1.0,
    sigma_k: float = 1.0,
    mean_q: float = 0.0,
    mean_k: float = 0.0,
    rho: float = 0.0,
) -> Floats:
    """Return E (M1 - M0)^2, where M1 and M0 are the means given q of an aligned and of an independent key.

    Parameters are those of `moments` (`mean_k` plays no part); the result is shaped like `dim`.
    """
    d = np.asarray(dim, dtype=np.float64)
    ratio = phi_q * phi_k
    explained, of_both = (geometric(d, each) - _left(d, each, phi_q, phi_k, rho) for each in (phi_k, ratio))
    square = (d * rho) ** 2 + rho**2 * geometric(d, ratio) + of_both
    return np.asarray(sigma_k**2 * (sigma_q**2 * square + mean_q**2 * explained))


def trace_of_square(dim: ArrayLike, phi_q: float, phi_k: float) -> Floats:
    """Return tr (A B)^2 of the correlation matrices of q and k, at whole dimensions.

    Parameters
    ----------
    dim : array_like
        Any shape; rounded to whole numbers.
    phi_q, phi_k : float

    Notes
    -----
    One more component borders A by a = (phi_q^n, .., phi_q) and B by b likewise, which adds to the trace four
    bilinear forms of a and b, each a recursion of its own. They come to rest, and from there the trace is linear.
    """
    d = np.rint(np.asarray(dim, dtype=np.float64)).astype(np.int64)
    largest = max(abs(phi_q), abs(phi_k))
    rest = 2 + (int(FORGOTTEN / -math.log(largest)) if largest else 0)
    count = int(min(d.max(initial=0), rest))
    both = phi_q * phi_k
    traces = [0.0]
    ab = aba = bab = long = 0.0  # b'a, a'Ba, b'Ab, b'ABa
    for _step in range(count):
        traces.append(traces[-1] + 4.0 * long + ab**2 + 2.0 * (aba + bab + ab) + (ab + 1.0) ** 2)
        # the bordered matrices between the lengthened vectors phi_q (a, 1) and phi_k (b, 1)
        ab, aba, bab, long = (
            both * (ab + 1.0),
            phi_q**2 * (aba + 2.0 * ab + 1.0),
            phi_k**2 * (bab + 2.0 * ab + 1.0),
            both * (long + bab + aba + ab + (ab + 1.0) ** 2),
        )
    known = np.array(traces)
    step = known[-1] - known[-2] if count else 0.0
    return np.asarray(known[np.minimum(d, count)] + step * np.maximum(d - count, 0))
