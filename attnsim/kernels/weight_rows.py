"""What the softmax of each row says: its largest weight and its entropy."""

import math

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled

Floats = NDArray[np.float64]


def weight_rows(scores: Floats, factor: float) -> tuple[Floats, Floats]:
    """Return the largest weight and the entropy of softmax(factor * scores), row by row.

    Parameters
    ----------
    scores : float64 array, shape (rows, keys)
        Finite.
    factor : float
        The scale rule's multiplier.

    Returns
    -------
    largest : float64 array, shape (rows,)
        1/keys .. 1.
    entropy : float64 array, shape (rows,)
        In nats, 0 .. ln(keys).

    Notes
    -----
    With x measured from the row's maximum, ln Z >= 0 and the entropy is ln Z - sum p x: both terms
    are positive, so nothing cancels near one-hot.
    """
    if scores.ndim != 2 or scores.shape[1] == 0:
        raise ValueError(f"scores needs shape (rows, keys) with a key at least; got {scores.shape}")
    largest, entropy = np.empty(scores.shape[0]), np.empty(scores.shape[0])
    _weight_rows(scores, factor, largest, entropy)
    return largest, entropy


@compiled
def _weight_rows(scores, factor, largest, entropy):
    rows, keys = scores.shape
    for b in range(rows):
        top = factor * scores[b, 0]
        for j in range(1, keys):
            top = max(top, factor * scores[b, j])
        rest, lean = 0.0, 0.0
        seen_top = False
        for j in range(keys):
            x = factor * scores[b, j] - top
            if x == 0.0 and not seen_top:
                seen_top = True  # kept out of the sum, so that log1p keeps a small rest's digits
                continue
            e = math.exp(x)
            rest += e
            lean += e * x
        largest[b] = 1.0 / (1.0 + rest)
        entropy[b] = math.log1p(rest) - lean / (1.0 + rest)
