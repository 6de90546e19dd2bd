"""Autoregressive vectors of first order, and the spread of the scores that their keys have."""

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled

Floats = NDArray[np.float64]


def autoregressive(noise: Floats, phi: float, start: Floats, own: Floats) -> Floats:
    """Return x_0 = start e_0 and x_i = phi x_{i-1} + own e_i along the last axis.

    Parameters
    ----------
    noise : float64 array, shape (rows, keys, dim)
        The innovations e.
    phi : float
    start, own : float64 array, shape (rows, 2)
        Scale of the first innovation and of the others: [:, 0] for key 0 of the block, [:, 1] for the rest.

    Returns
    -------
    float64 array, shape (rows, keys, dim)

    Raises
    ------
    ValueError
        If the shapes do not fit each other.
    """
    if noise.ndim != 3:
        raise ValueError(f"noise needs shape (rows, keys, dim); got {noise.shape}")
    for name, scales in (("start", start), ("own", own)):
        if scales.shape != (noise.shape[0], 2):
            raise ValueError(f"{name} needs shape {(noise.shape[0], 2)}; got {scales.shape}")
    out = np.empty(noise.shape)
    _autoregressive(noise, phi, start, own, out)
    return out


@compiled
def _autoregressive(noise, phi, start, own, out):
    rows, keys, dim = noise.shape
    for b in range(rows):
        for j in range(keys):
            kind = 0 if j == 0 else 1
            value = start[b, kind] * noise[b, j, 0]
            out[b, j, 0] = value
            for i in range(1, dim):
                value = phi * value + own[b, kind] * noise[b, j, i]
                out[b, j, i] = value


def spread_of_sums(weights: Floats, phi: float, start: Floats, own: Floats, steps: NDArray[np.int64]) -> Floats:
    """Return the variance of sum w_i x_i over the first components of an autoregressive vector x.

    Parameters
    ----------
    weights : float64 array, shape (rows, dim)
    phi : float
    start, own : float64 array, shape (rows,)
        As in `autoregressive`, whose innovations have variance 1.
    steps : int64 array, shape (checkpoints,)
        Ascending, 1..dim.

    Returns
    -------
    float64 array, shape (rows, checkpoints)
    """
    if steps.size == 0 or steps[0] < 1 or steps[-1] > weights.shape[1] or np.any(np.diff(steps) <= 0):
        raise ValueError(f"steps must ascend within 1..{weights.shape[1]}; got {steps}")
    out = np.empty((weights.shape[0], steps.size))
    _spread_of_sums(weights, phi, start, own, steps, out)
    return out


@compiled
def _spread_of_sums(weights, phi, start, own, steps, out):
    for b in range(weights.shape[0]):
        variance = start[b] * start[b]  # of x_i
        shared = total = 0.0  # covariance of the sum and x_i, variance of the sum
        place = 0
        for i in range(steps[-1]):
            if i:
                variance = phi * phi * variance + own[b] * own[b]
                shared *= phi
            w = weights[b, i]
            total += w * (2.0 * shared + w * variance)
            shared += w * variance
            if i + 1 == steps[place]:
                out[b, place] = total
                place += 1
