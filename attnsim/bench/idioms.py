"""What a user of numpy writes for the statistics our kernels gather while they draw."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

BINS = 200


def score_statistics(scores: NDArray[Any], reach: float) -> tuple[Any, ...]:
    """Return mean, variance, skewness, kurtosis and a histogram over -reach..reach.

    Parameters
    ----------
    scores : array, shape (scores,)
    reach : float

    Returns
    -------
    tuple

    Notes
    -----
    Powers by products: numpy's `x**4` takes several times as long, and who measures speed knows it.
    """
    mean = scores.mean()
    centred = scores - mean
    square = centred * centred
    variance = square.mean()
    skewness = (square * centred).mean() / variance**1.5
    kurtosis = (square * square).mean() / variance**2
    return mean, variance, skewness, kurtosis, np.histogram(scores, bins=BINS, range=(-reach, reach))


def softmax_statistics(scores: NDArray[Any]) -> tuple[Any, ...]:
    """Return largest weight, entropy and participation ratio of each row's softmax; scores of shape (rows, keys)."""
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    logs = np.log(np.maximum(weights, np.finfo(weights.dtype).tiny))
    entropy = -(weights * logs).sum(axis=1)
    return weights.max(axis=1), entropy, 1.0 / (weights * weights).sum(axis=1)
