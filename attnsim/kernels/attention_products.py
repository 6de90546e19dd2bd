"""Products with weights in which a hidden key counts for nothing, even where it holds nan or infinity."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.attention_arithmetic import Arithmetic

Floats = NDArray[Any]
Booleans = NDArray[np.bool_]

TAME = {np.dtype(np.float32): 1e15, np.dtype(np.float64): 1e150}  # sums of products of such numbers stay finite


def tame(*arrays: Floats | None) -> bool:
    """Return whether all numbers are finite and so small that no product of them overflows."""
    return all(
        x is None or x.size == 0 or (x.max() < TAME[x.dtype] and x.min() > -TAME[x.dtype])  # false for nan
        for x in arrays
    )


def add_seen(arithmetic: Arithmetic, total: Floats, a: Floats, b: Floats, seen: Booleans | None) -> None:
    """Add a @ b to a total.

    Parameters
    ----------
    arithmetic : Arithmetic
    total : array, shape (rows, columns)
    a : array, shape (rows, terms)
        Exactly 0 where not seen.
    b : array, shape (terms, columns)
    seen : bool array of the shape of `a`, or None
        None where b is known to be finite: 0 * nan is nan, so that a plain product would let out what is hidden.
    """
    if seen is None:
        arithmetic.add_product(total, a, b)
        return
    wild: Booleans = ~np.asarray(np.isfinite(b).all(axis=1))
    arithmetic.add_product(total, a, np.where(wild[:, None], b.dtype.type(0.0), b))
    for j in np.flatnonzero(wild & seen.any(axis=0)):
        rows = seen[:, j]
        total[rows] += a[rows, j, None] * b[j]
