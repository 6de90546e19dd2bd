"""Scores of tokens that share two random matrices: K = X W_K seen from its query as a walk in the tokens' space.

The score of key j is x_j . u with u = sum_i q_i w_i, w_i the columns of W_K: the keys of a row share u.
"""

import math

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.rng import philox

Floats = NDArray[np.float64]
Key = NDArray[np.uint64]

LANES = 4  # words of one Philox block
TO_UNIT = 2.0**-32


def uniform_projections(
    token: Floats, key_q: Key, key_k: Key, first_row: int, steps: NDArray[np.int64], mean: float, sigma: float
) -> tuple[Floats, Floats, Floats]:
    """Draw two matrices with uniform entries for each row, and what the query's token makes of them.

    Parameters
    ----------
    token : float64 array, shape (rows, width)
        Token of each row's query.
    key_q, key_k : uint64 array, shape (2,)
        Keys of the generator for W_Q and W_K.
    first_row : int
    steps : int64 array, shape (checkpoints,)
        Ascending; the last is the dimension.
    mean, sigma : float
        q_i = mean + sigma sum_a token_a W_ai, with entries of variance 1/width.

    Returns
    -------
    sums, squares : float64 array, shape (rows, checkpoints)
        Running sums of q_i and q_i^2.
    directions : float64 array, shape (rows, checkpoints, width)
        Running sums of q_i w_i.
    """
    rows, width = token.shape
    sums, squares = np.empty((2, rows, steps.size))
    directions = np.empty((rows, steps.size, width))
    room = np.empty(width + LANES)
    _uniform_projections(token, key_q, key_k, first_row, steps, mean, sigma, sums, squares, directions, room)
    return sums, squares, directions


@compiled
def _fill_column(column, width, i, row, key, reach):
    for a in range(0, width, LANES):
        w0, w1, w2, w3 = philox(uint64(a), i, row, 0, key[0], key[1])
        column[a] = reach * (2.0 * TO_UNIT * (float(w0) + 0.5) - 1.0)
        column[a + 1] = reach * (2.0 * TO_UNIT * (float(w1) + 0.5) - 1.0)
        column[a + 2] = reach * (2.0 * TO_UNIT * (float(w2) + 0.5) - 1.0)
        column[a + 3] = reach * (2.0 * TO_UNIT * (float(w3) + 0.5) - 1.0)


@compiled
def _uniform_projections(token, key_q, key_k, first_row, steps, mean, sigma, sums, squares, directions, room):
    rows, width = token.shape
    reach = math.sqrt(3.0 / width)
    for b in range(rows):
        current = np.zeros(width)
        total = square = 0.0
        start = 0
        for t in range(steps.size):
            for i in range(start, steps[t]):
                _fill_column(room, width, i, first_row + b, key_q, reach)
                product = 0.0
                for a in range(width):
                    product += token[b, a] * room[a]
                q = mean + sigma * product
                total += q
                square += q * q
                _fill_column(room, width, i, first_row + b, key_k, reach)
                for a in range(width):
                    current[a] += q * room[a]
            start = steps[t]
            sums[b, t], squares[b, t] = total, square
            directions[b, t] = current


def token_scores(tokens: Floats, directions: Floats) -> Floats:
    """Return the products of each key's token with each of the row's directions.

    Parameters
    ----------
    tokens : float64 array, shape (rows, keys, width)
    directions : float64 array, shape (rows, checkpoints, width)

    Returns
    -------
    float64 array, shape (rows, checkpoints, keys)
        Each number depends on its two vectors alone, not on how many others there are; a matrix product of a
        library would not promise that.
    """
    if tokens.shape[0] != directions.shape[0] or tokens.shape[2] != directions.shape[2]:
        raise ValueError(f"tokens and directions must fit; got {tokens.shape} and {directions.shape}")
    out = np.empty((tokens.shape[0], directions.shape[1], tokens.shape[1]))
    _token_scores(tokens, directions, out)
    return out


@compiled(freedom="any order")
def _token_scores(tokens, directions, out):
    rows, keys, width = tokens.shape
    for b in range(rows):
        for j in range(keys):
            for t in range(out.shape[1]):
                total = 0.0
                for a in range(width):
                    total += tokens[b, j, a] * directions[b, t, a]
                out[b, t, j] = total
