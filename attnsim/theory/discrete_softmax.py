"""Exact means over the softmax of n independent scores that take a few values only, such as walks of +-1 steps.

As for normal scores, 1/Z = Int e^{-tZ} dt, and each mean is one integral over t = e^tau of sums over the values; the
trapezoidal rule of step h in tau errs by exp(-pi^2/h).
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.limits import within
from attnsim.theory.softmax_expectations import Expectations
from attnsim.words import _

Floats = NDArray[np.float64]

STEP = 0.25
LOST, TOP = 42.0, 4.0  # exp(-42) and exp(-exp(4)) count as nothing
RARE = 1e-18
MOST_CELLS = 6_000_000


def sign_scores(dim: int, rho: float = 0.0, scale: float = 1.0) -> tuple[Floats, Floats]:
    """Return the values a sum of `dim` signs times `scale` takes, and their chances; P(+1) = (1 + rho)/2.

    Parameters
    ----------
    dim : int
        1 or more.
    rho : float
        -1..1.
    scale : float
        Above 0.

    Returns
    -------
    values, chances : float64 array, shape (values,)
        Ascending; those rarer than 1e-18 are left out.
    """
    from scipy.special import gammaln, xlog1py, xlogy

    d = float(within("dim", dim, 1.0, whole=True))
    r = float(within("rho", rho, -1.0, 1.0))
    ups = np.arange(d + 1.0)
    ways = gammaln(d + 1.0) - gammaln(ups + 1.0) - gammaln(d - ups + 1.0)
    up = 0.5 * (1.0 + r)
    chances = np.exp(ways + xlogy(ups, up) + xlog1py(d - ups, -up))
    kept = chances > RARE
    return scale * (2.0 * ups - d)[kept], chances[kept] / chances[kept].sum()


def cells(keys: float, values: Floats) -> int:
    """Return how many sums `discrete_expectations` adds up: about 0.1 microseconds each."""
    return int(_nodes(keys, values) * values.size)


def _nodes(keys: float, values: Floats) -> int:
    return math.ceil((math.log(keys) + LOST + TOP + float(values[-1] - values[0])) / STEP) + 1


def discrete_expectations(keys: float, values: ArrayLike, chances: ArrayLike) -> Expectations:
    """Return the means over rows of `keys` independent scores of a discrete law.

    Parameters
    ----------
    keys : float
        1 or more.
    values, chances : array_like, shape (values,)
        Ascending, and of sum 1.

    Returns
    -------
    Expectations
        Of shape (); `sum_p3`, `jacobian_norm2` and `sink_mass` are nan: they are not computed. Within 1e-10.

    Raises
    ------
    ValueError
        If values times nodes are too many to be summed, beyond some 5,000 values of a wide law.
    """
    n = float(within("keys", keys, 1.0, 1e18))
    values, p = (np.asarray(part, dtype=np.float64) for part in (values, chances))
    top = float(values[-1])
    x = values - top  # the softmax does not see it, and nothing overflows
    if cells(n, values) > MOST_CELLS:
        raise ValueError(
            _("values must be fewer for so wide a law: {cells} sums, {most} at most").format(
                cells=cells(n, values), most=MOST_CELLS
            )
        )
    tau = STEP * np.arange(_nodes(n, x)) - math.log(n) - LOST
    with np.errstate(under="ignore", over="ignore", divide="ignore"):
        grown = np.exp(np.minimum(tau[:, None] + x, 700.0))
        gone = np.exp(-grown)
        missing = -np.expm1(-grown) @ p
        weighted = grown * gone * p
        tilted, two = weighted @ x, (weighted * grown).sum(axis=1)
        logarithm = np.log1p(-np.minimum(missing, 1.0))
        others = np.exp((n - 1.0) * logarithm) if n > 1.0 else np.ones(tau.size)
        normaliser = STEP * float((-np.expm1(n * logarithm) + np.expm1(-np.exp(tau))).sum())
        lean = STEP * n * float(others @ tilted)
        p2 = STEP * n * float(others @ two)
        below = np.cumsum(gone * p, axis=1)
        before = np.concatenate([np.zeros((tau.size, 1)), below[:, :-1]], axis=1)
        largest = STEP * float((grown * (below**n - before**n)).sum())
    return Expectations(
        log_normaliser=np.asarray(normaliser + top),
        entropy=np.asarray(max(0.0, normaliser - lean)),
        sum_p2=np.asarray(p2),
        sum_p3=np.asarray(np.nan),
        jacobian_norm2=np.asarray(np.nan),
        sink_mass=np.asarray(np.nan),
        largest_weight=np.asarray(largest),
        seconds=0.0,
    )
