"""Which dimensions a result holds: all of them where that is cheap, else an even choice."""

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]

MOST_SCORES = 4_000_000  # of a row over all its checkpoints
FEWEST, MOST = 64, 1024  # checkpoints of a large row
ENSEMBLE = 64


def row_checkpoints(dim: int, keys: int) -> Whole:
    """Return the dimensions at which a row's walks are known.

    Parameters
    ----------
    dim, keys : int

    Returns
    -------
    int64 array, ascending from 1 to `dim`
        Every dimension, or an even grid and the powers of 2 below its first point, where walks start.
    """
    affordable = max(FEWEST, min(MOST, MOST_SCORES // keys))
    if dim <= affordable:
        return np.arange(1, dim + 1, dtype=np.int64)
    grid = np.round(np.linspace(0, dim, affordable + 1)[1:]).astype(np.int64)
    return np.union1d(grid, _powers_of_two(int(grid[0])))


def ensemble_checkpoints(steps: Whole) -> Whole:
    """Return a subset of a row's checkpoints, evenly spread and with the powers of 2 among them."""
    if steps.size <= ENSEMBLE:
        return steps
    even = steps[np.unique(np.round(np.linspace(0, steps.size - 1, ENSEMBLE)).astype(np.int64))]
    return np.union1d(even, np.intersect1d(steps, _powers_of_two(int(steps[-1]))))


def _powers_of_two(below: int) -> Whole:
    return np.int64(1) << np.arange(below.bit_length(), dtype=np.int64)
