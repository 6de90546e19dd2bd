"""Entropy of rows of weights that need not sum to 1, as rounded ones do not."""

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.polynomials import log64

Floats = NDArray[np.float64]

LEAST = 2.0**-1000  # a weight of 0 takes its place under the logarithm


def entropy_rows(weights: Floats) -> Floats:
    """Return -sum p ln p of each row, in nats.

    Parameters
    ----------
    weights : float64 array, shape (rows, keys)
        0 or more; nan makes its row nan.

    Returns
    -------
    float64 array, shape (rows,)
    """
    if weights.ndim != 2:
        raise ValueError(f"weights needs shape (rows, keys); got {weights.shape}")
    nats = np.empty(weights.shape[0])
    _entropy_rows(weights, nats)
    return nats


@compiled(freedom="any order")
def _entropy_rows(weights, out):
    for b in range(weights.shape[0]):
        row = weights[b]
        total = 0.0
        for j in range(row.size):
            p = row[j]
            total -= p * log64(max(p, LEAST))
        out[b] = total + 0.0 * row.sum()  # the logarithm of nan is a number there
