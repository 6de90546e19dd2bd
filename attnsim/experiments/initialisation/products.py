"""Matrix products on one thread."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ALONE = 262_144  # multiplications up to which OpenBLAS wakes no second thread


def product(a: Floats, b: Floats) -> Floats:
    """Return a @ b for float64 matrices, a few rows at a time.

    On a busy machine the threads of many small products wait for each other: a stack took 15 times its own time.
    """
    rows = max(1, ALONE // (b.shape[0] * b.shape[1]))
    out = np.empty((a.shape[0], b.shape[1]))
    for first in range(0, a.shape[0], rows):
        np.matmul(a[first : first + rows], b, out=out[first : first + rows])
    return out
