"""Rows of any law that makes queries and keys from tokens: q = x W_Q and k_j = x_j W_K.

Every row has tokens and matrices of its own. Given the query and W_K a row's keys are independent, and a score
mean_k sum q_i + sigma_k x_j . u, with u = sum q_i w_i over the columns w_i of W_K, is normal.
"""

import math
from typing import Any

import numpy as np

from attnsim.choices.laws.law import Draws, Floats, Request

MOST_NUMBERS = 2_000_000  # 16 MB at a time
PRODUCTS = 8  # multiplications that take as long as one random number

REFUSES = ("rho", "r_q", "r_k")


def work(width: int, checkpoints: int) -> tuple[int, int]:
    """Return what a row takes by itself, and what each of its keys takes, in random numbers."""
    return width * (checkpoints + 1), width * (1 + checkpoints // PRODUCTS)


def draw(request: Request, *, width: int, tied: bool = False, uniform: bool = False) -> Draws:
    """Draw rows of keys made from normal tokens of a width.

    Parameters
    ----------
    request : Request
        `sigma_q` and `sigma_k` are those of a component.
    width : int
        Components of a token.
    tied : bool
        Whether W_Q is W_K.
    uniform : bool
        Whether the entries of the matrices, of variance 1/width, are uniform; else they are normal.

    Returns
    -------
    Draws
    """
    walks = np.empty((request.rows, request.steps.size, request.keys))
    laws = []
    at_once = max(1, MOST_NUMBERS // (request.steps.size * width))
    for start in range(0, request.rows, at_once):
        rows = min(at_once, request.rows - start)
        sums, square, direction = (
            _uniform(request, start, rows, width) if uniform else _normal(request, start, rows, width, tied)
        )
        _walks(request, start, sums, direction, walks[start : start + rows])
        laws.append((request.mean_k * sums, request.sigma_k * np.sqrt((direction**2).sum(axis=2)), square))
    mean, sd, square = (np.concatenate(parts) for parts in zip(*laws, strict=True))
    return Draws(walks, mean, sd, mean, sd, square, np.zeros_like(square))


def _keys(request: Request) -> dict[str, Any]:
    from attnsim.kernels.rng import stream_key

    return {side: stream_key(request.seed, f"{request.stream}/{side}") for side in ("q", "k", "x", "w")}


def _normal(request: Request, start: int, rows: int, width: int, tied: bool) -> tuple[Floats, Floats, Floats]:
    """Return running sums of q_i, q_i^2 and q_i w_i for normal matrices.

    Notes
    -----
    q_i = mean + sigma r z_i with r the length of the query's token over sqrt(width) and z normal. Given q the sum of
    q_i w_i over a block is normal with variance sum q_i^2 / width a coordinate, but for the one along the query's
    token when W_Q is W_K: there w_i is z_i / sqrt(width). The law does not change when the token's direction is
    taken for the first axis.
    """
    from attnsim.kernels.gaussian_rows import query_blocks
    from attnsim.kernels.variates import normal_variates

    first, key = request.first_row + start, _keys(request)
    sizes = np.diff(request.steps, prepend=0)
    z, z_square = query_blocks(key["q"], sizes, rows, first, sigma=1.0, mean=0.0, r=0.0)
    token = normal_variates(key["x"], rows, 1, width, first)[:, 0]
    spread = request.sigma_q * np.sqrt((token**2).sum(axis=1, keepdims=True) / width)
    sums = request.mean_q * sizes + spread * z
    squares = request.mean_q**2 * sizes + 2.0 * request.mean_q * spread * z + spread**2 * z_square
    squares = np.maximum(squares, 0.0)
    steps = normal_variates(key["w"], rows, sizes.size, width, first)
    steps *= np.sqrt(squares / width)[:, :, None]
    if tied:
        steps[:, :, 0] = (request.mean_q * z + spread * z_square) / math.sqrt(width)
    return np.cumsum(sums, axis=1), np.cumsum(squares, axis=1), np.cumsum(steps, axis=1)


def _uniform(request: Request, start: int, rows: int, width: int) -> tuple[Floats, Floats, Floats]:
    """Return the same for uniform matrices, whose every entry is drawn."""
    from attnsim.kernels.projected_rows import uniform_projections
    from attnsim.kernels.variates import normal_variates

    first, key = request.first_row + start, _keys(request)
    token = np.ascontiguousarray(normal_variates(key["x"], rows, 1, width, first)[:, 0])
    return uniform_projections(token, key["q"], key["w"], first, request.steps, request.mean_q, request.sigma_q)


def _walks(request: Request, start: int, sums: Floats, direction: Floats, walks: Floats) -> None:
    """Fill in the walks of a few rows."""
    from attnsim.kernels.projected_rows import token_scores
    from attnsim.kernels.variates import normal_variates

    rows, _checkpoints, width = direction.shape
    key = _keys(request)["k"]
    most = max(1, MOST_NUMBERS // (rows * width))
    for j in range(0, request.keys, most):
        keys = min(most, request.keys - j)
        tokens = normal_variates(key, rows, keys, width, request.first_row + start, request.first_key + j)
        scores = token_scores(tokens, direction)
        walks[:, :, j : j + keys] = request.mean_k * sums[:, :, None] + request.sigma_k * scores
