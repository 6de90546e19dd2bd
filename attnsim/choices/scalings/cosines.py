"""Cosines between a query and its keys, from the sums behind their lengths."""

import math

import numpy as np

from attnsim.choices.scalings.rule import Floats, Sums


def cosine(sums: Sums) -> Floats:
    """Return q.k / (|q| |k|), shape (..., keys); 0 where a vector has no length."""
    assert sums.query_square is not None
    assert sums.key_squares is not None
    return _ratio(sums.scores, sums.query_square, sums.key_squares)


def centred_cosine(sums: Sums) -> Floats:
    """Return the same after each vector's own mean is taken away, as LayerNorm does it: Pearson's correlation."""
    assert sums.query_square is not None
    assert sums.query_sum is not None
    assert sums.key_squares is not None
    assert sums.key_sums is not None
    dim = max(sums.dim, 1)
    products = sums.scores - sums.query_sum * sums.key_sums / dim
    squares_q = _above_rounding(sums.query_square - sums.query_sum**2 / dim, sums.query_square)
    squares_k = _above_rounding(sums.key_squares - sums.key_sums**2 / dim, sums.key_squares)
    return _ratio(products, squares_q, squares_k)


def _above_rounding(left: Floats, whole: Floats) -> Floats:
    return np.where(left > 1e-13 * whole, left, 0.0)  # vectors of equal components have no length left


def _ratio(products: Floats, squares_q: Floats, squares_k: Floats) -> Floats:
    scale = np.sqrt(squares_q) * np.sqrt(squares_k)
    found = np.divide(
        products, scale, out=np.zeros(np.broadcast_shapes(products.shape, scale.shape)), where=scale > 0.0
    )
    return np.asarray(np.clip(found, -1.0, 1.0, out=found))


def root(dim: int) -> float:
    """Return the square root of a dimension, 0 counting as 1."""
    return math.sqrt(max(dim, 1))
