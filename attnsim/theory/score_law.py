"""Exact law of the score of two standard normal vectors with aligned components."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.words import _

Floats = NDArray[np.float64]

HIGH_ORDER = 60.0  # from here the expansion for large orders has 10 digits, and the Bessel function overflows


def score_pdf(x: ArrayLike, dim: int, rho: float = 0.0) -> Floats:
    """Return the density of q . k for standard normal q, k with Corr(q_i, k_i) = rho.

    Parameters
    ----------
    x : array_like
        Any shape.
    dim : int
        1 or more; for 1 the density is infinite at 0.
    rho : float
        Strictly between -1 and 1.

    Returns
    -------
    float64 array, shaped like `x`

    Raises
    ------
    ValueError
        If `rho` does not leave the key a spread of its own.

    References
    ----------
    The variance-gamma law: D. B. Madan, P. P. Carr and E. C. Chang, European Finance Review 2, 1998.
    """
    _inside(rho)
    s = np.asarray(x, dtype=np.float64)
    order, left = 0.5 * (dim - 1.0), 1.0 - rho**2
    scaled = np.abs(s) / left
    constant = -0.5 * math.log(math.pi * left) - order * math.log(2.0) - math.lgamma(0.5 * dim)
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithm = order * np.log(np.abs(s)) + _log_bessel(order, scaled)
    if dim > 1:
        at_zero = math.lgamma(order) + order * math.log(2.0 * left) - math.log(2.0)
        logarithm = np.where(scaled == 0.0, at_zero, logarithm)
    return np.asarray(np.exp(constant + rho * s / left + logarithm), dtype=np.float64)


def _log_bessel(order: float, z: Floats) -> Floats:
    """Return ln K_order(z), by the expansion for large orders where the function itself overflows."""
    from scipy.special import kve

    if order >= HIGH_ORDER:
        return _log_bessel_of_high_order(order, z)
    direct = np.log(kve(order, z)) - z
    if order == 0.0:
        return np.asarray(direct, dtype=np.float64)
    small = math.lgamma(order) - math.log(2.0) + order * np.log(2.0 / z)
    return np.where(np.isfinite(direct), direct, small)


def _log_bessel_of_high_order(order: float, z: Floats) -> Floats:
    """Return ln K_order(z) by DLMF 10.41.4, with five terms."""
    ratio = z / order
    root = np.sqrt(1.0 + ratio**2)
    p = 1.0 / root
    eta = root + np.log(ratio / (1.0 + root))
    terms = (
        (3.0 * p - 5.0 * p**3) / 24.0,
        (81.0 * p**2 - 462.0 * p**4 + 385.0 * p**6) / 1152.0,
        (30375.0 * p**3 - 369603.0 * p**5 + 765765.0 * p**7 - 425425.0 * p**9) / 414720.0,
        (4465125.0 * p**4 - 94121676.0 * p**6 + 349922430.0 * p**8 - 446185740.0 * p**10 + 185910725.0 * p**12)
        / 39813120.0,
    )
    total = 1.0 + sum((-1.0 / order) ** (n + 1) * term for n, term in enumerate(terms))
    return np.asarray(0.5 * math.log(math.pi / (2.0 * order)) - order * eta - 0.5 * np.log(root) + np.log(total))


def tail_probability(x: ArrayLike, dim: int, rho: float = 0.0) -> Floats:
    """Return P(q . k > x) for standard normal q, k of an even dimension, to full relative accuracy.

    S = (1 + rho) G1 - (1 - rho) G2 with two Gamma(dim/2) variables is a race of two Poisson clocks; the chance
    is a finite sum of positive terms.

    Parameters
    ----------
    x : array_like
        Any shape.
    dim : int
        Even.
    rho : float
        Strictly between -1 and 1.

    Returns
    -------
    float64 array, shaped like `x`

    Raises
    ------
    ValueError
        If `dim` is odd, or `rho` does not leave the key a spread of its own.
    """
    from scipy.special import gammaln, pdtr

    if dim < 2 or dim % 2:
        raise ValueError(_("dim must be even and at least 2, not {value}").format(value=dim))
    _inside(rho)
    s = np.asarray(x, dtype=np.float64)
    most = dim // 2 - 1
    k = np.arange(most + 1.0)

    def above(distance: Floats, lean: float) -> Floats:
        logarithm = gammaln(k + most + 1.0) - gammaln(k + 1.0) - math.lgamma(most + 1.0)
        logarithm += (most + 1.0) * math.log(0.5 * (1.0 + lean)) + k * math.log(0.5 * (1.0 - lean))
        waiting = pdtr(most - k, distance[..., None] / (1.0 + lean))
        return np.asarray((np.exp(logarithm) * waiting).sum(axis=-1), dtype=np.float64)

    return np.where(s >= 0.0, above(np.maximum(s, 0.0), rho), 1.0 - above(np.maximum(-s, 0.0), -rho))


def _inside(rho: float) -> None:
    if not -1.0 < rho < 1.0:
        raise ValueError(_("rho must lie strictly between -1 and 1, not {value}").format(value=rho))
