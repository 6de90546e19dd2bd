"""Distances of the walk of +-1 steps, and of the walk whose steps are products of two normals."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.words import _

Floats = NDArray[np.float64]

# Gamma(x + 1/2)/Gamma(x) = sqrt(x) (1 - 1/(8x) + ...), DLMF 5.11.13; the next term is below 1e-14 from x = 100
SERIES = (1.0, -1.0 / 8.0, 1.0 / 128.0, 5.0 / 1024.0, -21.0 / 32768.0, -399.0 / 262144.0)
LARGE = 100.0


def rms_distance(steps: ArrayLike) -> Floats:
    """Return the root of the mean square distance after `steps` steps of variance 1: sqrt(steps)."""
    return np.sqrt(_counts(steps))


def mean_distance(steps: ArrayLike) -> Floats:
    """Return E|S| of the +-1 walk: 2m C(2m, m)/4^m with m = ceil(steps/2).

    Parameters
    ----------
    steps : array_like
        Whole numbers, 0 or more; any shape.

    Returns
    -------
    float64 array, shaped like `steps`

    References
    ----------
    W. Feller, "An Introduction to Probability Theory and Its Applications", vol. 1, 1968, ch. III.
    """
    return mean_score_distance(2.0 * np.ceil(_counts(steps) / 2.0))


def mean_score_distance(dim: ArrayLike) -> Floats:
    """Return E|q . k| of independent standard normal vectors: 2 Gamma((d+1)/2) / (sqrt(pi) Gamma(d/2)).

    For even d it is the value of the +-1 walk of d steps. The result is shaped like `dim`.
    """
    return np.asarray(2.0 / math.sqrt(math.pi) * _gamma_ratio(_counts(dim) / 2.0), dtype=np.float64)


def mean_maximum(steps: ArrayLike) -> Floats:
    """Return E max(0, S_1, .., S_steps) of the +-1 walk: E|S| - 1/2 + P(S = 0)/2 (reflection)."""
    d = _counts(steps)
    at_zero = np.where(d % 2.0 == 0.0, mean_distance(d) / np.maximum(d, 1.0), 0.0)  # C(d, d/2)/2^d = E|S|/d
    at_zero = np.where(d == 0.0, 1.0, at_zero)
    return np.asarray(mean_distance(d) - 0.5 + 0.5 * at_zero, dtype=np.float64)


def end_points(steps: int, agree: float = 0.5) -> tuple[Floats, Floats]:
    """Return the places the +-1 walk can end at, and their probabilities.

    Parameters
    ----------
    steps : int
    agree : float
        Probability of a step +1.

    Returns
    -------
    places, probabilities : float64 array, shape (steps + 1,)
    """
    ups = np.arange(steps + 1.0)
    return 2.0 * ups - steps, binomial(ups, steps, agree)


def binomial(ups: Floats, steps: int, agree: float) -> Floats:
    """Return C(steps, ups) agree^ups (1 - agree)^(steps - ups), accurate for large counts."""
    from scipy.special import gammaln, xlogy

    logarithm = gammaln(steps + 1.0) - gammaln(ups + 1.0) - gammaln(steps - ups + 1.0)
    return np.asarray(np.exp(logarithm + xlogy(ups, agree) + xlogy(steps - ups, 1.0 - agree)), dtype=np.float64)


def _counts(steps: ArrayLike) -> Floats:
    d = np.asarray(steps, dtype=np.float64)
    if np.any(~(d >= 0.0)) or np.any(d != np.floor(d)):
        raise ValueError(_("steps must be whole numbers of 0 or more, not {value}").format(value=steps))
    return d


def _gamma_ratio(x: Floats) -> Floats:
    """Return Gamma(x + 1/2)/Gamma(x); 0 at 0. Differences of log-gamma lose digits for large x."""
    far = np.maximum(x, LARGE)
    series = np.sqrt(far) * np.polynomial.polynomial.polyval(1.0 / far, SERIES)
    near = np.where((x > 0.0) & (x < LARGE), x, 1.0)
    close = np.array([math.exp(math.lgamma(v + 0.5) - math.lgamma(v)) for v in near.ravel()]).reshape(x.shape)
    return np.where(x == 0.0, 0.0, np.where(x < LARGE, close, series))
