"""Spread of one row's scores: random, because the query is; and means over the softmax averaged over it.

Given the query, the scores of a row of normal keys are independent normals of variance
x^2 (B1 - C1^2/A1) + W (B0 - C0^2/A0): x the query's component along the ones direction and W its squared length
across it (names as in `exchangeable.Axes`).
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.exchangeable import Axes, ratio
from attnsim.theory.limits import within
from attnsim.theory.softmax_curve import interpolated_expectations
from attnsim.theory.softmax_expectations import NAMES, Expectations, expectations

Floats = NDArray[np.float64]

ALONG = 48  # nodes along the ones direction
REACH = 12.0  # standard deviations of ln ||q||
RARE = 1e-14
SMOOTH, FAR = 2.0, 7.0  # a kink this wide, or this far out, is none to a Gauss rule
FINE, SINH_STEP = 1e-3, 0.1


def query_norms(dim: float, step: float = 0.12) -> tuple[Floats, Floats]:
    """Return values of ||q|| of a standard normal query and their probabilities (of sum 1).

    The trapezoidal rule in ln ||q||; it is exact to rounding for means of smooth functions, and dense
    enough in both tails for the chances of rare events.

    Parameters
    ----------
    dim : float
        1 or more.
    step : float
        The longest step; smaller ones serve functions with steep ends.

    Returns
    -------
    norms, chances : float64 array, shape (points,)
    """
    d = float(within("dim", dim, 1.0))
    width = 1.0 / math.sqrt(2.0 * d)
    h = min(step, 0.6 * width)
    x = h * np.arange(-math.ceil((REACH * width + 40.0 / d) / h), math.ceil(REACH * width / h) + 1.0)
    chances = np.exp(d * x - 0.5 * d * np.expm1(2.0 * x))
    return math.sqrt(d) * np.exp(x), chances / chances.sum()


def row_spreads(at: Axes, multiplier: float = 1.0) -> tuple[Floats, Floats]:
    """Return spreads a row's scaled scores can have, and their chances (of sum 1).

    Parameters
    ----------
    at : Axes
        Of one dimension, 1 or more; from `exchangeable.axes`.
    multiplier : float
        Of the raw scores.

    Returns
    -------
    spreads, chances : float64 array, shape (points,)
        Some 50 points where all directions are alike, up to 20,000 (at dimension 2) where they are not; means over
        the softmax are within 1e-5.
    """
    dim = float(at.dim)
    left_along = float(at.ones_k - ratio(at.ones_cross, at.ones_q) * at.ones_cross)
    left_across = float(at.across_k - ratio(at.across_cross, at.across_q) * at.across_cross)
    along, across = float(at.ones_q) * left_along, float(at.across_q) * left_across
    mean = float(at.mean_q)
    if mean == 0.0 and (dim <= 1.0 or abs(along - across) <= 1e-12 * across):
        norms, chances = query_norms(dim)
        variance = along * norms**2
    else:
        spread = math.sqrt(float(at.ones_q))
        # in units of z: where the ones direction adds nothing, and how far around it the others smooth that kink
        kink = -mean / spread if spread > 0.0 else math.inf
        smooth = math.sqrt(across * (dim - 1.0) / along) if along > 0.0 else math.inf
        z, chances = _normal_nodes(kink, smooth if dim > 8.0 else 0.0)
        variance = (mean + spread * z) ** 2 * left_along
        if dim > 1.0:
            norms, shares = query_norms(dim - 1.0)
            variance = (variance[:, None] + across * norms**2).ravel()
            chances = np.outer(chances, shares).ravel()
    kept = chances > RARE
    return abs(multiplier) * np.sqrt(np.maximum(variance[kept], 0.0)), chances[kept] / chances[kept].sum()


def _normal_nodes(kink: float, smooth: float) -> tuple[Floats, Floats]:
    """Return nodes and chances of a standard normal; dense around a kink that nothing smooths.

    There z = kink + FINE sinh(u) on an even grid of u, which resolves every distance from the kink down to `FINE`:
    rows of a narrow spread are few, but where scores are wide they are the only ones that are not one-hot.
    """
    if smooth >= SMOOTH or abs(kink) > FAR:
        nodes, weights = np.polynomial.hermite_e.hermegauss(ALONG)
        return nodes, weights / weights.sum()
    far = math.asinh((FAR + 9.0) / FINE)
    u = np.arange(-far, far, SINH_STEP)
    nodes = kink + FINE * np.sinh(u)
    weights = np.exp(-0.5 * nodes**2) * np.cosh(u)
    return nodes, weights / weights.sum()


def averaged_expectations(keys: float, spreads: ArrayLike, weights: ArrayLike, *, exact: bool = False) -> Expectations:
    """Return the means over the softmax, averaged over rows of several spreads.

    Parameters
    ----------
    keys : float
        1, or 2 or more (from the quadratures any number from 1 on).
    spreads, weights : array_like, shape (nodes,)
        As from `row_spreads`.
    exact : bool
        Whether each spread gets its own quadrature, some ms apiece, in place of the interpolation.

    Returns
    -------
    Expectations
        Of shape (); `sink_mass` is nan if a spread is beyond the interpolation.
    """
    s, chances = np.asarray(spreads, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    means = expectations(keys, s) if exact else interpolated_expectations(keys, s)
    averaged = {name: np.asarray(getattr(means, name) @ chances / chances.sum()) for name in NAMES}
    return Expectations(**averaged, seconds=means.seconds)
