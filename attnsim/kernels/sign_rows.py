"""Rows of scores of +-1 components at checkpoints, exactly: binomial increments."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.rng import uniform_pair

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

LONGEST_TABLED = 1024
QUERY, AGREEMENT, SECOND, CHOICE = 0, 1, 2, 3  # last word of the counter: what it is for


@lru_cache(maxsize=16)
def binomial_table(trials: tuple[int, ...], odds: float) -> tuple[Whole, Floats]:
    """Return cumulative binomial probabilities, so that one uniform gives one exact variate.

    Parameters
    ----------
    trials : tuple of int
        Numbers of trials wanted, each 0 or more.
    odds : float
        Chance of success, 0..1.

    Returns
    -------
    line : int64 array, shape (max(trials) + 1,)
        Which line of the table holds a number of trials; -1 where none does.
    table : float64 array, shape (len(trials), max(trials) + 1)
        P(successes <= k), 1 beyond the end.
    """
    most = max(trials)
    log_factorial = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1.0, most + 1.0)))))
    line = np.full(most + 1, -1, dtype=np.int64)
    table = np.ones((len(trials), most + 1))
    for place, n in enumerate(trials):
        line[n] = place
        k = np.arange(n + 1)
        if odds in (0.0, 1.0):
            mass = (k == n * odds).astype(np.float64)
        else:
            ways = log_factorial[n] - log_factorial[k] - log_factorial[n - k]
            mass = np.exp(ways + k * math.log(odds) + (n - k) * math.log1p(-odds))
        total = np.cumsum(mass)
        table[place, : n + 1] = total / total[-1]
    line.flags.writeable = table.flags.writeable = False
    return line, table


def query_pluses(key: NDArray[np.uint64], sizes: Whole, rows: int, first_row: int) -> Whole:
    """Draw how many components of each block of a query are +1.

    Parameters
    ----------
    key : uint64 array, shape (2,)
        From `rng.stream_key`.
    sizes : int64 array, shape (blocks,)
        Components in each block, 1 or more.
    rows, first_row : int
        Which queries.

    Returns
    -------
    int64 array, shape (rows, blocks)
    """
    if sizes.ndim != 1 or sizes.size == 0 or sizes.min() < 1:
        raise ValueError(f"sizes needs shape (blocks,) with entries of 1 or more; got {sizes.shape}")
    line, table = binomial_table(tuple(np.unique(sizes).tolist()), 0.5)
    pluses = np.empty((rows, sizes.size), dtype=np.int64)
    _query_pluses(key, sizes, first_row, line, table, pluses)
    return pluses


def sign_walks(
    key: NDArray[np.uint64],
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
) -> Floats:
    """Draw the running scores of the keys of each row at the ends of the query's blocks.

    Parameters
    ----------
    key : uint64 array, shape (2,)
    sizes : int64 array, shape (blocks,)
        At most `LONGEST_TABLED` components a block unless both means are 0.
    pluses : int64 array, shape (rows, blocks)
        From `query_pluses`.
    keys, first_row, first_key : int
        Which keys of which rows; `first_key` is even.
    scale, mean : tuple of float
        Of q and of k: a component is mean + scale * (+-1).
    rho : float
        A key's sign is that of the query with chance (1 + rho)/2; for all keys but key 0.
    first_rho, first_share : float
        The same for key 0 in a share `first_share` of the rows; elsewhere key 0 is like the others.

    Returns
    -------
    float64 array, shape (rows, blocks, keys)
    """
    if first_key % 2:
        raise ValueError(f"first_key must be even, not {first_key}")
    centred = mean == (0.0, 0.0)
    if not centred and sizes.max() > LONGEST_TABLED:
        raise ValueError(f"sizes must be at most {LONGEST_TABLED} when a mean is not 0; got {sizes.max()}")
    trials = np.unique(sizes) if centred else np.arange(sizes.max() + 1)
    line, usual = binomial_table(tuple(trials.tolist()), 0.5 * (1.0 + rho))
    _, first = binomial_table(tuple(trials.tolist()), 0.5 * (1.0 + first_rho))
    walks = np.empty((pluses.shape[0], sizes.size, keys))
    numbers = np.array([scale[0], scale[1], mean[0], mean[1]])
    places = np.array([first_row, first_key], dtype=np.int64)
    _sign_walks(key, sizes, pluses, places, line, usual, first, first_share, numbers, centred, walks)
    return walks


@compiled
def successes(uniform, n, cumulative):
    """Return the least k with P(successes <= k) >= uniform."""
    low, high = 0, n
    while low < high:
        middle = (low + high) >> 1
        if cumulative[middle] >= uniform:
            high = middle
        else:
            low = middle + 1
    return low


@compiled
def _query_pluses(key, sizes, first_row, line, table, out):
    for b in range(out.shape[0]):
        for t in range(sizes.size):
            u, _ = uniform_pair(0, t, first_row + b, QUERY, key[0], key[1])
            out[b, t] = successes(u, sizes[t], table[line[sizes[t]]])


@compiled
def _sign_walks(key, sizes, pluses, places, line, usual, first, first_share, numbers, centred, walks):
    k0, k1 = key[0], key[1]
    rows, blocks, keys = walks.shape
    for b in range(rows):
        row = places[0] + b
        chosen, _ = uniform_pair(0, 0, row, CHOICE, k0, k1)
        special = places[1] == 0 and chosen < first_share
        for t in range(blocks):
            n, plus = sizes[t], pluses[b, t]
            for j in range(0, keys, 2):
                pair = (places[1] + j) >> 1
                u, v = uniform_pair(pair, t, row, AGREEMENT, k0, k1)
                x, y = 0.0, 0.0
                if not centred:
                    x, y = uniform_pair(pair, t, row, SECOND, k0, k1)
                table = first if special and j == 0 else usual
                before = walks[b, t - 1, j] if t > 0 else 0.0
                walks[b, t, j] = before + _increment(u, x, n, plus, line, table, numbers, centred)
                if j + 1 < keys:
                    before = walks[b, t - 1, j + 1] if t > 0 else 0.0
                    walks[b, t, j + 1] = before + _increment(v, y, n, plus, line, usual, numbers, centred)


@compiled
def _increment(u, v, n, plus, line, table, numbers, centred):
    """Return a key's sum of q_i k_i over a block of n, from how often its sign is the query's."""
    scale_q, scale_k, mean_q, mean_k = numbers[0], numbers[1], numbers[2], numbers[3]
    if centred:
        return scale_q * scale_k * (2 * successes(u, n, table[line[n]]) - n)
    minus = n - plus
    same_plus = successes(u, plus, table[line[plus]])
    same_minus = successes(v, minus, table[line[minus]])
    products = 2 * (same_plus + same_minus) - n
    key_signs = (2 * same_plus - plus) - (2 * same_minus - minus)
    return (
        n * mean_q * mean_k
        + mean_q * scale_k * key_signs
        + mean_k * scale_q * (plus - minus)
        + scale_q * scale_k * products
    )
