"""Softmax of one row, with what is shown of it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RowWeights:
    """Weights of one row under one rule.

    Attributes
    ----------
    top : float64 array
        Weights of the keys asked for.
    largest : float
        Largest weight of the row.
    entropy : float
        In nats, 0 to ln(keys).
    """

    top: Floats
    largest: float
    entropy: float


def largest_keys(scores: Floats, most: int) -> NDArray[np.int64]:
    """Return the keys of the largest scores, largest first; equal scores in the order of the keys."""
    if scores.size > most:
        # a partition, not a sort: a row may hold 65,536 scores on every frame
        chosen = np.sort(np.argpartition(scores, scores.size - most)[scores.size - most :])
    else:
        chosen = np.arange(scores.size)
    return chosen[np.argsort(-scores[chosen], kind="stable")].astype(np.int64)


def row_weights(scores: Floats, multiplier: float, keys: NDArray[np.int64]) -> RowWeights:
    """Return the softmax of scores times a positive multiplier.

    Parameters
    ----------
    scores : float64 array, shape (keys,)
        Raw scores.
    multiplier : float
    keys : int64 array
        Whose weights to return.

    Notes
    -----
    The largest score is subtracted first, so no exponential overflows. Entropy is ln Z - sum p x.
    """
    below = scores - scores.max()
    below *= multiplier
    weights = np.exp(below)
    total = float(weights.sum())
    entropy = float(np.log(total) - float(weights @ below) / total)
    return RowWeights(
        top=weights[keys] / total, largest=1.0 / total, entropy=min(max(entropy, 0.0), float(np.log(scores.size)))
    )
