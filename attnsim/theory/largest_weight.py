"""Mean of the largest softmax weight of n normal scores, by quadrature."""

import math

import numpy as np
from numpy.typing import NDArray

from attnsim.theory.laplace_grid import LOST, REACH, STEP, TOP

Floats = NDArray[np.float64]

PLACES = 72  # Gauss-Legendre nodes over where the largest score lies
NEAR, FAR = 40, 48  # nodes of the gap to the largest score, within and beyond 10
NEAR_END = 10.0


def mean_largest_weight(keys: float, score_sd: float) -> float:
    """Return E max p of the softmax of `keys` > 1 (a real number) independent N(0, score_sd^2) scores.

    E max p = n Int pdf(z) dz Int e^{-u} [cdf(z) - Int_0^inf pdf(z - w/s)/s (1 - exp(-u e^{-w})) dw]^{n-1} du; with
    v = ln u the inner integral is one matrix product over nodes of w.

    Returns
    -------
    float
        Within 1e-12 of the exact value, relatively (two grids agree).
    """
    from scipy.special import log_ndtr, ndtr

    n, s = keys, score_sd
    z, z_weights = _places(n)
    w, w_weights = _gaps(s, z[-1])
    v = STEP * np.arange(math.floor(-(math.log(n) + LOST) / STEP), math.ceil(TOP / STEP) + 1.0)
    with np.errstate(under="ignore"):
        density = np.exp(-0.5 * (z[:, None] - w / s) ** 2) * (w_weights / (s * math.sqrt(2.0 * math.pi)))
        lost = density @ -np.expm1(-np.exp(v - w[:, None]))
        missing = lost + ndtr(-z)[:, None]
        upper = (n - 1.0) * np.log1p(-np.minimum(missing, 0.5))
        # where most is missing the complement is taken from cdf(z) itself
        left = np.maximum(1.0 - lost / ndtr(z)[:, None], 1e-300)
        lower = (n - 1.0) * (log_ndtr(z)[:, None] + np.log(left))
        power = np.exp(np.where(missing < 0.5, upper, lower))
        inner = power @ (STEP * np.exp(v - np.exp(v)))
        return float(n * (z_weights * np.exp(-0.5 * z * z)) @ inner / math.sqrt(2.0 * math.pi))


def _places(n: float) -> tuple[Floats, Floats]:
    """Return nodes and weights over all places where the largest of n normals can be."""
    from scipy.special import ndtri, ndtri_exp

    low = -float(ndtri(-math.expm1(-LOST / n))) if n > 2.0 * LOST else float(ndtri_exp(-LOST / n))
    high = -float(ndtri_exp(-LOST - 2.0 * math.log(n)))
    return _legendre(PLACES, max(low, -REACH), high)


def _gaps(s: float, highest: float) -> tuple[Floats, Floats]:
    everything = s * (highest + REACH)
    end = min(everything, max(s * (highest + REACH - s), LOST + TOP))
    if end <= NEAR_END:
        return _legendre(NEAR + FAR, 0.0, end)
    near, far = _legendre(NEAR, 0.0, NEAR_END), _legendre(FAR, NEAR_END, end)
    return np.concatenate([near[0], far[0]]), np.concatenate([near[1], far[1]])


def _legendre(count: int, low: float, high: float) -> tuple[Floats, Floats]:
    nodes, weights = _unit_legendre(count)
    half = 0.5 * (high - low)
    return low + half * (nodes + 1.0), half * weights


_NODES: dict[int, tuple[Floats, Floats]] = {}


def _unit_legendre(count: int) -> tuple[Floats, Floats]:
    if count not in _NODES:
        _NODES[count] = np.polynomial.legendre.leggauss(count)
    return _NODES[count]
