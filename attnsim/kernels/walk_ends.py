"""Where random walks of +-1 steps end."""

from functools import lru_cache

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.lanes import LANES, philox_lane
from attnsim.kernels.normals import check_key
from attnsim.kernels.polynomials import bit_count
from attnsim.kernels.rng import HALF_WORD, LOW

Key = NDArray[np.uint64]

STEPS, BINOMIAL = 0, 1  # last word of the counter: what it is for
BITS = 128  # steps that one counter of the generator gives
LONGEST, MOST = 2**30, 2**62
LEAST_ODDS = 1e-30  # of an end point against the likeliest: rarer ones are never drawn
ONE, ALL = uint64(1), uint64(0xFFFFFFFFFFFFFFFF)


def walk_ends(key: Key, dim: int, walks: int, first_walk: int = 0) -> NDArray[np.int32]:
    """Return the end points of random walks, every step drawn.

    Parameters
    ----------
    key : uint64 array, shape (2,)
        From `rng.stream_key`.
    dim : int
        Steps of a walk, each -1 or +1 with equal odds.
    walks, first_walk : int
        How many, and the index of the first: a walk depends on its index alone.

    Returns
    -------
    int32 array, shape (walks,)
        The last column of `walk_paths.sign_paths` for the same arguments.

    Raises
    ------
    ValueError
        If the key has another shape or a number leaves its range.

    Notes
    -----
    A random word holds the signs of 32 steps: its number of ones, counted in one instruction, is their sum.
    """
    check_walks(key, dim, walks, first_walk)
    out = np.empty(walks, dtype=np.int32)
    _walk_ends(out, dim, np.uint64(first_walk), key[0], key[1])
    return out


def check_walks(key: Key, dim: int, walks: int, first_walk: int) -> None:
    """Raise ValueError, naming the argument, unless such walks can be drawn."""
    check_key(key)
    if not 1 <= dim <= LONGEST:
        raise ValueError(f"dim must lie in 1..{LONGEST}, not {dim}")
    if walks < 0:
        raise ValueError(f"walks must be 0 or more, not {walks}")
    if not 0 <= first_walk <= MOST - walks:
        raise ValueError(f"first_walk must lie in 0..{MOST - walks}, not {first_walk}")


@compiled(inlined=True)
def low_bits(count):
    """Return a word with its lowest `count` bits set, all 64 if there are more."""
    if count <= 0:
        return uint64(0)
    return ALL if count >= 64 else (ONE << uint64(count)) - ONE


@compiled
def _walk_ends(out, dim, first, k0, k1):
    pluses = np.empty(LANES, dtype=np.uint64)
    for start in range(0, out.size, LANES):
        lanes = min(LANES, out.size - start)
        pluses[:] = uint64(0)
        place = first + uint64(start)
        for chunk in range((dim + BITS - 1) // BITS):
            left = dim - chunk * BITS
            low, high = low_bits(left), low_bits(left - 64)
            for lane in range(lanes):
                walk = place + uint64(lane)
                a, b, c, d = philox_lane(walk & LOW, walk >> HALF_WORD, uint64(chunk), uint64(STEPS), k0, k1)
                pluses[lane] += bit_count((a | (b << HALF_WORD)) & low) + bit_count((c | (d << HALF_WORD)) & high)
        for lane in range(lanes):
            out[start + lane] = 2 * np.int64(pluses[lane]) - dim


def binomial_ends(key: Key, dim: int, walks: int, first_walk: int = 0) -> NDArray[np.int32]:
    """Return end points of random walks from their law, at a cost that does not depend on `dim`.

    Parameters and errors are those of `walk_ends`; the law is the same, the walks are not.

    Returns
    -------
    int32 array, shape (walks,)

    Notes
    -----
    The number of steps up is binomial. One 64-bit word picks a column of an alias table and one of the two values
    that share it; the table's masses are exact to 1e-11 and cut to 48 bits or more.

    References
    ----------
    .. [1] A. J. Walker, "An efficient method for generating discrete random variables with general distributions",
       ACM TOMS 3, 1977.
    """
    check_walks(key, dim, walks, first_walk)
    values, others, shares, bits = _alias_table(dim)
    out = np.empty(walks, dtype=np.int32)
    _binomial_ends(out, np.uint64(first_walk), key[0], key[1], values, others, shares, np.uint64(bits))
    return out


@lru_cache(maxsize=8)
def _alias_table(dim: int) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint64], int]:
    """Return end point and alias of each column, the first's share in units of 2^(bits - 64), and log2(columns)."""
    plus = np.arange((dim + 1) // 2, dim)
    upper = np.cumprod(np.concatenate(([1.0], (dim - plus) / (plus + 1.0))))  # of k pluses; those of the mode are 1
    upper = upper[upper > LEAST_ODDS]
    ends = dim % 2 + 2 * np.arange(upper.size)
    mirrored = slice(1 - dim % 2, None)  # an end at 0 is its own mirror
    ends = np.concatenate((-ends[mirrored][::-1], ends))
    odds = np.concatenate((upper[mirrored][::-1], upper))
    bits = max(1, int(odds.size - 1).bit_length())
    columns = 1 << bits
    heights, values = np.zeros(columns), np.zeros(columns, dtype=np.int32)
    heights[: odds.size], values[: odds.size] = odds * (columns / odds.sum()), ends
    aliases = np.arange(columns)
    _share_columns(heights, aliases)
    return values, values[aliases], (heights * 2.0 ** (64 - bits)).astype(np.uint64), bits


@compiled
def _share_columns(heights, aliases):
    """Level the columns at 1: what one lacks it gets from one that has more, its alias (M. D. Vose 1991)."""
    low, high = np.empty(heights.size, dtype=np.int64), np.empty(heights.size, dtype=np.int64)
    lows, highs = 0, 0
    for i in range(heights.size):
        if heights[i] < 1.0:
            low[lows] = i
            lows += 1
        else:
            high[highs] = i
            highs += 1
    excess = heights.copy()
    while lows > 0 and highs > 0:
        lows -= 1
        poor, rich = low[lows], high[highs - 1]
        heights[poor], aliases[poor] = excess[poor], rich
        excess[rich] -= 1.0 - excess[poor]
        if excess[rich] < 1.0:
            highs -= 1
            low[lows] = rich
            lows += 1
    for i in range(lows):
        heights[low[i]] = 1.0
    for i in range(highs):
        heights[high[i]] = 1.0


@compiled
def _binomial_ends(out, first, k0, k1, values, others, shares, bits):
    words = np.empty(2 * LANES, dtype=np.uint64)
    mask = (ONE << bits) - ONE
    pair = first >> ONE  # two walks share a counter
    done, skip = 0, np.int64(first & ONE)
    while done < out.size:
        for lane in range(LANES):
            place = pair + uint64(lane)
            a, b, c, d = philox_lane(place & LOW, place >> HALF_WORD, uint64(0), uint64(BINOMIAL), k0, k1)
            words[2 * lane] = a | (b << HALF_WORD)
            words[2 * lane + 1] = c | (d << HALF_WORD)
        taken = min(2 * LANES - skip, out.size - done)
        for i in range(taken):
            word = words[skip + i]
            column = np.int64(word & mask)
            out[done + i] = values[column] if (word >> bits) < shares[column] else others[column]
        done += taken
        skip = np.int64(0)
        pair += uint64(LANES)
