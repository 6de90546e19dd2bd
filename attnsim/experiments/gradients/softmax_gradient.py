"""What passes through the softmax of rows: diag(p) - p p^T, its norm, and its product with an upstream gradient.

Near a row that one key has to itself, 1 - p and p (g - sum p g) lose all digits when they are written as they stand.
Both are made here of what the other keys hold, so that gradients of 1e-200 keep theirs.
"""

import numpy as np

from attnsim.experiments.records import Floats, Whole


def jacobian(weights: Floats) -> Floats:
    """Return diag(p) - p p^T of each row of weights.

    Parameters
    ----------
    weights : float64 array, shape (..., keys)

    Returns
    -------
    float64 array, shape (..., keys, keys)
    """
    matrix = -weights[..., :, None] * weights[..., None, :]
    keys = np.arange(weights.shape[-1])
    matrix[..., keys, keys] = weights * _rest(weights)
    return np.asarray(matrix)


def jacobian_norm(weights: Floats) -> Floats:
    """Return the Frobenius norm of diag(p) - p p^T of each row, shape (...).

    Parameters
    ----------
    weights : float64 array, shape (..., keys)
        Non-negative; what they leave of 1, under a mask or beside a sink, belongs to no key.
    """
    top = np.argmax(weights, axis=-1)[..., None]
    largest = np.take_along_axis(weights, top, axis=-1)
    others = weights.copy()
    np.put_along_axis(others, top, 0.0, axis=-1)
    squares = others**2
    second = squares.sum(axis=-1)
    own = (weights * _rest(weights)) ** 2
    pairs = 2.0 * largest[..., 0] ** 2 * second + np.maximum(second**2 - (squares**2).sum(axis=-1), 0.0)
    return np.asarray(np.sqrt(own.sum(axis=-1) + pairs))


def through_softmax(weights: Floats, upstream: Floats) -> Floats:
    """Return the gradient by what entered the softmax, p (g - sum p g), of each row.

    Parameters
    ----------
    weights, upstream : float64 array, shape (..., keys)
        p, and the loss's derivative g by each weight.
    """
    top = np.argmax(weights, axis=-1)[..., None]
    beyond = upstream - np.take_along_axis(upstream, top, axis=-1)  # 0 at the largest weight: nothing to cancel there
    mean = (weights * beyond).sum(axis=-1, keepdims=True)
    lost = 1.0 - weights.sum(axis=-1, keepdims=True)  # a sink's share pulls at all keys by the upstream itself
    lost[np.abs(lost) < 1e-12] = 0.0
    return np.asarray(weights * (beyond - mean + lost * np.take_along_axis(upstream, top, axis=-1)))


def of_cross_entropy(weights: Floats, target: Whole) -> Floats:
    """Return the gradient of -ln p_target by what entered the softmax, p - 1 at the target, of each row.

    Parameters
    ----------
    weights : float64 array, shape (rows, keys)
    target : int64 array, shape (rows,)
    """
    gradient = weights.copy()
    place = target[:, None]
    rest = np.take_along_axis(_rest(weights), place, axis=-1)
    np.put_along_axis(gradient, place, -rest, axis=-1)
    return gradient


def _rest(weights: Floats) -> Floats:
    """Return 1 - p of each key: for the largest one the sum of the others, and what belongs to no key."""
    top = np.argmax(weights, axis=-1)[..., None]
    others = weights.copy()
    np.put_along_axis(others, top, 0.0, axis=-1)
    lost = 1.0 - weights.sum(axis=-1, keepdims=True)
    lost[np.abs(lost) < 1e-12] = 0.0
    rest = 1.0 - weights
    np.put_along_axis(rest, top, others.sum(axis=-1, keepdims=True) + lost, axis=-1)
    return np.asarray(rest)
