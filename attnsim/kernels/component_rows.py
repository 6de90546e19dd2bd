"""Rows of scores with every component drawn: running sums of q_i k_i at checkpoints."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled

Floats = NDArray[np.float64]


def component_walks(
    query: Floats, lean: Floats, common: Floats, own: Floats, residual: Floats, steps: NDArray[np.int64]
) -> Floats:
    """Return running sums of q_i k_ji with k_ji = lean_ji + common_j + own_j b_ji.

    Parameters
    ----------
    query : float64 array, shape (rows, dim)
    lean : float64 array, shape (rows, 2, dim)
        What a key's component is given the query: [:, 0] for key 0 of the block, [:, 1] for the rest.
    common : float64 array, shape (rows, keys)
    own : float64 array, shape (rows, 2)
        Standard deviation of what is left, as for `lean`.
    residual : float64 array, shape (rows, keys, dim)
    steps : int64 array, shape (checkpoints,)
        Ascending, 1..dim.

    Returns
    -------
    float64 array, shape (rows, checkpoints, keys)

    Raises
    ------
    ValueError
        If the shapes do not fit each other.
    """
    walks = _allocate(query, lean, common, own, residual, steps)
    _component_walks(query, lean, common, own, residual, steps, walks)
    return walks


def component_norms(
    query: Floats, lean: Floats, common: Floats, own: Floats, residual: Floats, steps: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Return running sums of k_ji and of k_ji^2; parameters and shapes as for `component_walks`."""
    sums = _allocate(query, lean, common, own, residual, steps)
    squares = np.empty_like(sums)
    _component_norms(lean, common, own, residual, steps, sums, squares)
    return sums, squares


def _allocate(
    query: Floats, lean: Floats, common: Floats, own: Floats, residual: Floats, steps: NDArray[np.int64]
) -> Floats:
    rows, keys, dim = residual.shape
    wanted: dict[str, tuple[Any, tuple[int, ...]]] = {
        "query": (query, (rows, dim)),
        "lean": (lean, (rows, 2, dim)),
        "common": (common, (rows, keys)),
        "own": (own, (rows, 2)),
    }
    for name, (array, shape) in wanted.items():
        if array.shape != shape:
            raise ValueError(f"{name} needs shape {shape}; got {array.shape}")
    if steps.size == 0 or steps[0] < 1 or steps[-1] > dim or np.any(np.diff(steps) <= 0):
        raise ValueError(f"steps must ascend within 1..{dim}; got {steps}")
    return np.empty((rows, steps.size, keys))


@compiled
def _component_walks(query, lean, common, own, residual, steps, walks):
    rows, keys, _ = residual.shape
    for b in range(rows):
        for j in range(keys):
            kind = 0 if j == 0 else 1
            total = 0.0
            start = 0
            for t in range(steps.size):
                for i in range(start, steps[t]):
                    total += query[b, i] * (lean[b, kind, i] + common[b, j] + own[b, kind] * residual[b, j, i])
                start = steps[t]
                walks[b, t, j] = total


@compiled
def _component_norms(lean, common, own, residual, steps, sums, squares):
    rows, keys, _ = residual.shape
    for b in range(rows):
        for j in range(keys):
            kind = 0 if j == 0 else 1
            total, square = 0.0, 0.0
            start = 0
            for t in range(steps.size):
                for i in range(start, steps[t]):
                    component = lean[b, kind, i] + common[b, j] + own[b, kind] * residual[b, j, i]
                    total += component
                    square += component * component
                start = steps[t]
                sums[b, t, j] = total
                squares[b, t, j] = square
