"""Rows of Gaussian scores at checkpoints, exactly, at a cost that does not depend on the block's length."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.rng import chi_square, normal_pair, uniform_pair

Floats = NDArray[np.float64]

SHIFT, NORM, FACTOR, INCREMENT, COMMON, CHOICE = 0, 1, 2, 3, 4, 5  # last word of the counter: what it is for


@dataclass(frozen=True, slots=True)
class Coupling:
    """How a key leans on its query: k_i given q.

    k_i = offset + slope q_i + tilt Q + common g + own b_i, with g (one a key) and b_i standard
    normal, and Q the sum of all components of the query.
    """

    offset: float
    slope: float
    tilt: float
    common: float
    own: float


def numbers_of(coupling: Coupling) -> Floats:
    """Return the fields of a coupling in order, as the loops take them."""
    return np.array([coupling.offset, coupling.slope, coupling.tilt, coupling.common, coupling.own])


def query_blocks(
    key: NDArray[np.uint64],
    sizes: NDArray[np.int64],
    rows: int,
    first_row: int,
    *,
    sigma: float,
    mean: float,
    r: float,
) -> tuple[Floats, Floats]:
    """Draw the sums of q_i and of q_i^2 over blocks of components.

    Parameters
    ----------
    key : uint64 array, shape (2,)
        From `rng.stream_key`.
    sizes : int64 array, shape (blocks,)
        Components in each block, 1 or more.
    rows, first_row : int
        Which queries.
    sigma, mean, r : float
        Standard deviation and mean of a component, correlation between two components of one query.

    Returns
    -------
    sums, squares : float64 array, shape (rows, blocks)

    Notes
    -----
    With q_i = m + s a_i given the query's common factor, a block of size n has sum of a_i = sqrt(n) z
    and sum of a_i^2 = z^2 + chi^2_{n-1}, z and chi^2 independent (Cochran).
    """
    if sizes.ndim != 1 or sizes.size == 0 or sizes.min() < 1:
        raise ValueError(f"sizes needs shape (blocks,) with entries of 1 or more; got {sizes.shape}")
    sums, squares = np.empty((rows, sizes.size)), np.empty((rows, sizes.size))
    _query_blocks(key, sizes, first_row, sigma * math.sqrt(1.0 - r), mean, sigma * math.sqrt(r), sums, squares)
    return sums, squares


@compiled
def _query_blocks(key, sizes, first_row, own, mean, shared, sums, squares):
    k0, k1 = key[0], key[1]
    for b in range(sums.shape[0]):
        row = first_row + b
        factor, _ = normal_pair(0, 0, row, FACTOR, k0, k1)
        middle = mean + shared * factor
        for t in range(sizes.size):
            n = sizes[t]
            z, _ = normal_pair(0, t, row, SHIFT, k0, k1)
            rest = chi_square(n - 1, t, row, NORM, k0, k1)
            shift = own * math.sqrt(float(n)) * z
            sums[b, t] = n * middle + shift
            squares[b, t] = n * middle * middle + 2.0 * middle * shift + own * own * (z * z + rest)


def gaussian_walks(
    key: NDArray[np.uint64],
    sums: Floats,
    squares: Floats,
    keys: int,
    first_row: int,
    first_key: int,
    coupling: Coupling,
    first_coupling: Coupling,
    first_share: float,
) -> Floats:
    """Draw the running scores of the keys of each row at the ends of the query's blocks.

    Parameters
    ----------
    key : uint64 array, shape (2,)
    sums, squares : float64 array, shape (rows, blocks)
        From `query_blocks`.
    keys, first_row, first_key : int
        Which keys of which rows; `first_key` is even.
    coupling : Coupling
        Of all keys but key 0.
    first_coupling : Coupling
        Of key 0, in a share `first_share` of the rows; elsewhere key 0 is like the others.

    Returns
    -------
    float64 array, shape (rows, blocks, keys)

    Notes
    -----
    Given q and its own factor g a key's increment over a block is normal with mean
    (offset + tilt Q + common g) sum q + slope sum q^2 and variance own^2 sum q^2.
    """
    if first_key % 2:
        raise ValueError(f"first_key must be even, not {first_key}")
    rows, blocks = sums.shape
    walks = np.empty((rows, blocks, keys))
    usual, first = numbers_of(coupling), numbers_of(first_coupling)
    totals = sums.sum(axis=1)
    _gaussian_walks(key, sums, squares, totals, first_row, first_key, usual, first, first_share, walks)
    return walks


@compiled
def _gaussian_walks(key, sums, squares, totals, first_row, first_key, usual, first, first_share, walks):
    k0, k1 = key[0], key[1]
    rows, blocks, keys = walks.shape
    leaning = np.empty(keys)
    for b in range(rows):
        row = first_row + b
        chosen, _ = uniform_pair(0, 0, row, CHOICE, k0, k1)
        special = first_key == 0 and chosen < first_share
        leans(k0, k1, row, first_key, usual, first, totals[b], special, leaning)
        for t in range(blocks):
            spread = math.sqrt(squares[b, t])
            for j in range(0, keys, 2):
                x, y = normal_pair((first_key + j) >> 1, t, row, INCREMENT, k0, k1)
                c = first if special and j == 0 else usual
                before = walks[b, t - 1, j] if t > 0 else 0.0
                walks[b, t, j] = before + leaning[j] * sums[b, t] + c[1] * squares[b, t] + c[4] * spread * x
                if j + 1 < keys:
                    before = walks[b, t - 1, j + 1] if t > 0 else 0.0
                    step = leaning[j + 1] * sums[b, t] + usual[1] * squares[b, t] + usual[4] * spread * y
                    walks[b, t, j + 1] = before + step


@compiled
def leans(k0, k1, row, first_key, usual, first, total, special, out):
    """Fill in what multiplies the sum of q in each key's score: its offset and its own factor."""
    for j in range(0, out.size, 2):
        g, h = 0.0, 0.0
        if usual[3] != 0.0 or first[3] != 0.0:
            g, h = normal_pair((first_key + j) >> 1, 0, row, COMMON, k0, k1)
        c = first if special and j == 0 else usual
        out[j] = c[0] + c[2] * total + c[3] * g
        if j + 1 < out.size:
            out[j + 1] = usual[0] + usual[2] * total + usual[3] * h
