"""Sums of k_i and k_i^2 of the keys whose scores `gaussian_rows` draws, jointly with these scores."""

import math

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.gaussian_rows import CHOICE, INCREMENT, Coupling, leans, numbers_of
from attnsim.kernels.rng import chi_square, normal_pair, uniform_pair

Floats = NDArray[np.float64]

ACROSS, REST = 0, 1  # last word of the counter: the part across the query, and (REST + block) what is left


def gaussian_norms(
    key: NDArray[np.uint64],
    norm_key: NDArray[np.uint64],
    sizes: NDArray[np.int64],
    sums: Floats,
    squares: Floats,
    keys: int,
    first_row: int,
    first_key: int,
    coupling: Coupling,
    first_coupling: Coupling,
    first_share: float,
) -> tuple[Floats, Floats]:
    """Draw the running sums of k_i and of k_i^2 of each key, given its score.

    Parameters
    ----------
    key : uint64 array, shape (2,)
        Of `gaussian_walks`: its normals are drawn again, so that the pair is that of one vector.
    norm_key : uint64 array, shape (2,)
        Of a stream of its own: scores do not depend on whether norms are drawn.
    sizes : int64 array, shape (blocks,)
    sums, squares, keys, first_row, first_key, coupling, first_coupling, first_share
        As for `gaussian_walks`.

    Returns
    -------
    key_sums, key_squares : float64 array, shape (rows, blocks, keys)

    Notes
    -----
    In a block of m components k_i = L + slope q_i + own b_i with b standard normal. The score uses x = b.q/|q| alone.
    With e = (1, .., 1)/sqrt(m) and c = e.q/|q|, an orthonormal basis of the plane of q and e gives
    sum b_i = sqrt(m) (c x + sqrt(1 - c^2) y) and sum b_i^2 = x^2 + y^2 + chi^2_{m-2}, where y, the part across q,
    and chi^2 are independent of x and of each other (Cochran).
    """
    if first_key % 2:
        raise ValueError(f"first_key must be even, not {first_key}")
    shape = (*sums.shape, keys)
    key_sums, key_squares = np.empty(shape), np.empty(shape)
    usual, first = numbers_of(coupling), numbers_of(first_coupling)
    totals = sums.sum(axis=1)
    places = np.array([first_row, first_key], dtype=np.int64)
    _gaussian_norms(
        key, norm_key, sizes, sums, squares, totals, places, usual, first, first_share, key_sums, key_squares
    )
    return key_sums, key_squares


@compiled
def _gaussian_norms(key, norm_key, sizes, sums, squares, totals, places, usual, first, first_share, ones, twos):
    rows, blocks, keys = ones.shape
    leaning = np.empty(keys)
    for b in range(rows):
        row = places[0] + b
        chosen, _ = uniform_pair(0, 0, row, CHOICE, key[0], key[1])
        special = places[1] == 0 and chosen < first_share
        leans(key[0], key[1], row, places[1], usual, first, totals[b], special, leaning)
        for t in range(blocks):
            for j in range(0, keys, 2):
                pair = (places[1] + j) >> 1
                x, x2 = normal_pair(pair, t, row, INCREMENT, key[0], key[1])
                y, y2 = 0.0, 0.0
                if sizes[t] > 1:
                    y, y2 = normal_pair(pair, t, row, ACROSS, norm_key[0], norm_key[1])
                for side in range(min(2, keys - j)):
                    i = j + side
                    c = first if special and i == 0 else usual
                    rest = chi_square(sizes[t] - 2, places[1] + i, row, REST + t, norm_key[0], norm_key[1])
                    along, across = (x, y) if side == 0 else (x2, y2)
                    one, two = _block(sizes[t], sums[b, t], squares[b, t], leaning[i], c, along, across, rest)
                    ones[b, t, i] = one + (ones[b, t - 1, i] if t > 0 else 0.0)
                    twos[b, t, i] = two + (twos[b, t - 1, i] if t > 0 else 0.0)


@compiled
def _block(size, total, square, lean, c, x, y, rest):
    """Return the sums of k_i and k_i^2 over a block, from the query's sums and the key's own three variates."""
    slope, own = c[1], c[4]
    length = math.sqrt(square)
    root = math.sqrt(float(size))
    cosine = max(-1.0, min(1.0, total / (root * length))) if length > 0.0 else 0.0
    free = root * (cosine * x + math.sqrt(1.0 - cosine * cosine) * y)
    if size == 1:
        free = x if total >= 0.0 else -x
    one = size * lean + slope * total + own * free
    two = size * lean * lean + slope * slope * square + own * own * (x * x + y * y + rest)
    two += 2.0 * (lean * slope * total + lean * own * free + slope * own * length * x)
    return one, max(two, one * one / size)
