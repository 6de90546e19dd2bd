"""Laplace transform of exp(s z), z standard normal, on a grid of tau = ln t: the ground of all softmax quadratures.

With t = exp(tau) every transform is a convolution with a normal law in tau: t^k E[e^{ksz} exp(-t e^{sz})] =
E h_k(tau + s z), h_k(u) = exp(k u - e^u). The integrands are analytic and bounded for |Im tau| < pi/2, so that the
trapezoidal rule of step h errs by exp(-pi^2/h); one grid serves the convolution and the outer integral.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STEP = 0.25  # exp(-pi^2/h) = 7e-18
NARROW = 0.4  # below this spread the normal law is too narrow for the step, and z gets its own grid
NARROW_STEP = 0.5
REACH = 9.5  # standard normal deviates beyond which nothing is left
LOST = 42.0  # exp(-42) = 6e-19
TOP = 4.0  # exp(-exp(4)) = 2e-24


@dataclass(frozen=True, slots=True, eq=False)
class LaplaceGrid:
    """Transforms on the grid.

    Attributes
    ----------
    tau : float64 array, shape (points,)
        Logarithm of the transform's variable, step `STEP`.
    missing : float64 array, shape (points,)
        1 - E exp(-t e^{sz}), to full relative accuracy.
    powers : float64 array, shape (orders, points)
        t^k E[e^{ksz} exp(-t e^{sz})] for k = 1..orders.
    """

    tau: Floats
    missing: Floats
    powers: Floats


def laplace_grid(score_sd: float, fewest: float, most: float, orders: int = 4) -> LaplaceGrid:
    """Return the transforms where a row of `fewest` to `most` scores of spread `score_sd` > 0 needs them.

    Parameters
    ----------
    score_sd : float
    fewest, most : float
        The range of n the grid must serve, 1 or more.
    orders : int
        How many powers.
    """
    s, depth = score_sd, math.log(most) + LOST
    # n E min(1, t e^{sz}) has fallen to exp(-LOST) at `low`
    low = -(depth + 0.5 * s * s) if s * s < 2.0 * depth else -s * math.sqrt(2.0 * depth) - TOP
    high = TOP + s * math.sqrt(2.0 * LOST / fewest)
    tau = STEP * np.arange(math.floor(low / STEP), math.ceil(high / STEP) + 1.0)
    missing, powers = _narrow(tau, s, orders) if s < NARROW else _wide(tau, s, orders)
    return LaplaceGrid(tau, np.minimum(missing, 1.0), powers)


def _shapes(u: Floats, orders: int) -> tuple[Floats, Floats]:
    """Return 1 - exp(-e^u), and h_k(u) for k = 1..orders."""
    with np.errstate(over="ignore", under="ignore"):
        grown = np.exp(u)
        h = grown * np.exp(-grown)
        return -np.expm1(-grown), np.stack([h * grown**k for k in range(orders)])


def _narrow(tau: Floats, s: float, orders: int) -> tuple[Floats, Floats]:
    z = np.arange(-REACH, REACH + NARROW_STEP, NARROW_STEP)
    weights = np.exp(-0.5 * z * z)
    weights /= weights.sum()
    missing, powers = _shapes(tau[:, None] + s * z, orders)
    return missing @ weights, powers @ weights


def _wide(tau: Floats, s: float, orders: int) -> tuple[Floats, Floats]:
    """Convolve on the common grid; beyond `TOP` 1 - exp(-e^u) is 1 and its sum is a tail of the normal law."""
    low = min(0.0, tau[0] + s * s) - REACH * s
    slope = 1.0 + tau[0] / (s * s)
    if slope > 0.0:  # e^u outruns the growth of the normal law
        low = max(low, -LOST / slope)
    first, last = math.floor(low / STEP), math.ceil(TOP / STEP)
    u = STEP * np.arange(first, last + 1.0)
    missing, powers = _shapes(u, orders)
    start = round(tau[0] / STEP)
    offsets = np.arange(first - (start + tau.size - 1.0), last - start + 1.0)
    kernel = np.exp(-0.5 * (STEP * offsets / s) ** 2) * (STEP / (s * math.sqrt(2.0 * math.pi)))
    windows = np.lib.stride_tricks.sliding_window_view(kernel, u.size)[::-1]
    sums = windows @ np.vstack([missing, powers]).T
    beyond = last + 1.0 - start - np.arange(tau.size)
    return sums[:, 0] + _tail(beyond, s), sums[:, 1:].T


def _tail(first: Floats, s: float) -> Floats:
    """Return the kernel's sum from each offset (descending by one) to infinity."""
    farthest = max(first[0] + 1.0, math.ceil((REACH + 30.0) * s / STEP))
    offsets = np.arange(farthest, first[-1] - 1.0, -1.0)
    with np.errstate(under="ignore"):
        kernel = np.exp(-0.5 * (STEP * offsets / s) ** 2) * (STEP / (s * math.sqrt(2.0 * math.pi)))
    total = np.cumsum(kernel)
    return np.asarray(total[(farthest - first).astype(np.int64)], dtype=np.float64)
