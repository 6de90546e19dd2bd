"""Sums of k_i and k_i^2 of the +-1 keys whose scores `sign_rows` draws, jointly with these scores."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.rng import uniform_pair
from attnsim.kernels.sign_rows import AGREEMENT, CHOICE, SECOND, Whole, binomial_table, successes

Floats = NDArray[np.float64]

SPLIT = 0  # last word of the counter: how the agreements lie


def sign_norms(
    key: NDArray[np.uint64],
    norm_key: NDArray[np.uint64],
    sizes: Whole,
    pluses: Whole,
    keys: int,
    first_row: int,
    first_key: int,
    *,
    scale: tuple[float, float],
    mean: tuple[float, float],
    rho: float,
    first_rho: float,
    first_share: float,
) -> tuple[Floats, Floats]:
    """Return the running sums of k_i and of k_i^2 of each key, given its score.

    Parameters
    ----------
    norm_key : uint64 array, shape (2,)
        Of a stream of its own: scores do not depend on whether norms are drawn.
    key, sizes, pluses, keys, first_row, first_key, scale, mean, rho, first_rho, first_share
        As for `sign_walks`, whose uniforms are drawn again.

    Returns
    -------
    key_sums, key_squares : float64 array, shape (rows, blocks, keys)

    Notes
    -----
    With means the score is drawn from the agreements among the query's +1 and among its -1, which say how many of the
    key's components are +1. Without means it is drawn from all agreements of a block at once; given these, how many
    lie among the query's +1 is hypergeometric.
    """
    if first_key % 2:
        raise ValueError(f"first_key must be even, not {first_key}")
    centred = mean == (0.0, 0.0)
    trials = np.unique(sizes) if centred else np.arange(sizes.max() + 1)
    line, usual = binomial_table(tuple(trials.tolist()), 0.5 * (1.0 + rho))
    _, first = binomial_table(tuple(trials.tolist()), 0.5 * (1.0 + first_rho))
    signs = np.empty((pluses.shape[0], sizes.size, keys))
    places = np.array([first_row, first_key], dtype=np.int64)
    ways = _log_factorials(int(sizes.max()))
    _sign_sums(key, norm_key, sizes, pluses, places, line, usual, first, first_share, centred, ways, signs)
    count = np.cumsum(sizes).astype(np.float64)[:, None]
    middle, spread = mean[1], scale[1]
    return count * middle + spread * signs, count * (middle**2 + spread**2) + 2.0 * middle * spread * signs


@lru_cache(maxsize=8)
def _log_factorials(most: int) -> Floats:
    table = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1.0, most + 1.0)))))
    table.flags.writeable = False
    return table


@compiled
def _sign_sums(key, norm_key, sizes, pluses, places, line, usual, first, first_share, centred, ways, out):
    rows, blocks, keys = out.shape
    for b in range(rows):
        row = places[0] + b
        chosen, _ = uniform_pair(0, 0, row, CHOICE, key[0], key[1])
        special = places[1] == 0 and chosen < first_share
        for t in range(blocks):
            n, plus = sizes[t], pluses[b, t]
            for j in range(0, keys, 2):
                pair = (places[1] + j) >> 1
                u, v = uniform_pair(pair, t, row, AGREEMENT, key[0], key[1])
                if centred:
                    x, y = uniform_pair(pair, t, row, SPLIT, norm_key[0], norm_key[1])
                else:
                    x, y = uniform_pair(pair, t, row, SECOND, key[0], key[1])
                for side in range(min(2, keys - j)):
                    table = first if special and j + side == 0 else usual
                    one, two = (u, x) if side == 0 else (v, y)
                    before = out[b, t - 1, j + side] if t > 0 else 0.0
                    out[b, t, j + side] = before + _signs(one, two, n, plus, line, table, centred, ways)


@compiled
def _signs(u, v, n, plus, line, table, centred, ways):
    """Return the sum of a key's signs over a block of n."""
    minus = n - plus
    if centred:
        same = successes(u, n, table[line[n]])
        same_plus = hypergeometric(v, plus, minus, same, ways)
        same_minus = same - same_plus
    else:
        same_plus = successes(u, plus, table[line[plus]])
        same_minus = successes(v, minus, table[line[minus]])
    return (2 * same_plus - plus) - (2 * same_minus - minus)


@compiled
def hypergeometric(uniform, good, bad, draws, ways):
    """Return how many of `draws` without replacement are good, by inversion from the mode outwards.

    `ways` holds the logarithms of the factorials up to good + bad.
    """
    low, high = max(0, draws - bad), min(draws, good)
    mode = min(max((draws + 1) * (good + 1) // (good + bad + 2), low), high)
    mass = math.exp(
        ways[good] - ways[mode] - ways[good - mode]
        + ways[bad] - ways[draws - mode] - ways[bad - draws + mode]
        - ways[good + bad] + ways[draws] + ways[good + bad - draws]
    )  # fmt: skip
    left = uniform - mass
    up, down, above, below = mode, mode, mass, mass
    while left > 0.0 and (up < high or down > low):
        if up < high:
            above *= float(draws - up) * float(good - up) / (float(up + 1) * float(bad - draws + up + 1))
            up += 1
            left -= above
            if left <= 0.0:
                return up
        if down > low:
            below *= float(down) * float(bad - draws + down) / (float(draws - down + 1) * float(good - down + 1))
            down -= 1
            left -= below
            if left <= 0.0:
                return down
    return mode
