"""Rows of keys that share a query: scores drawn exactly and their softmax summed up, at n normals a row."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.exponential import exp32
from attnsim.kernels.lanes import LANES, draw_words, normal_pair32, scratch_words
from attnsim.kernels.normals import BLOCK, NORMAL, Key, check_key, fill_floats, uint64_of
from attnsim.kernels.polynomials import F32, log64
from attnsim.kernels.row_top import top32
from attnsim.kernels.score_exact import ALONG, RESIDUAL, GaussianPair, chi_block, given_query
from attnsim.kernels.threads import run_chunks

Floats = NDArray[np.float64]

CHUNK = 1 << 20  # scores a chunk, about
GROUP = 8 * BLOCK  # normals drawn at a time, unless a row has more
STRETCH = 1024  # keys whose terms are added in float32 before they go into float64
WIDEST = 1e30  # a wider spread is one-hot all the same, and would leave float32
ZERO, ONE = F32(0.0), F32(1.0)
REST, LEAN, SQUARES, TIES = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class RowStatistics:
    """What the softmax of each row says; all float64 arrays of shape (rows,).

    Attributes
    ----------
    spread : array
        Standard deviation of the scaled scores of a row given its query.
    largest : array
        Largest weight, 1/keys..1.
    entropy : array
        In nats, 0..ln(keys).
    participation : array
        1 / sum of squared weights, 1..keys.
    """

    spread: Floats
    largest: Floats
    entropy: Floats
    participation: Floats


def row_statistics(
    key: Key,
    pair: GaussianPair,
    keys: int,
    rows: int,
    factor: float = 1.0,
    first: int = 0,
    threads: int = 1,
    stop: Callable[[], bool] | None = None,
) -> RowStatistics:
    """Draw rows of scores number first, first + 1, ... and keep their softmax statistics alone.

    Parameters
    ----------
    key : uint64 array, shape (2,)
        From `rng.stream_key`.
    pair : GaussianPair
        A query and any one of its keys, which depend on each other through the query alone.
    keys, rows : int
        Keys in a row, and rows; 1 or more.
    factor : float
        Multiplies the scores before the softmax, as 1/sqrt(dim) does. Its sign changes no law.
    first : int
        Number of the first row; any cut into pieces gives the same bits.
    threads, stop
        See `threads.run_chunks`: equal bits for any number of threads.

    Returns
    -------
    RowStatistics

    Raises
    ------
    ValueError
        If an argument is outside its limits.

    Notes
    -----
    Given the query, the scores of a row are independent normals of one mean and variance, and softmax does not see
    the mean; so a row costs its normals and nothing that grows with dim. The largest weight is kept out of the sums:
    with the rest r, ln Z = log1p(r) keeps the digits of a row near one-hot.
    """
    check_key(key)
    if min(keys, rows) < 1:
        raise ValueError(f"keys and rows must be 1 or more; got {keys} and {rows}")
    if not 0 <= first <= 2**62 // keys - rows:
        raise ValueError(f"first must lie in 0..{2**62 // keys - rows} with so many keys and rows, not {first}")
    if not math.isfinite(factor):
        raise ValueError(f"factor must be finite, not {factor}")
    out = np.empty((4, rows))
    numbers, size = pair.numbers, max(1, CHUNK // keys)

    def chunk(number: int) -> None:
        start = number * size
        part = out[:, start : start + size]
        place = uint64_of(first + start)
        _rows(part, key[0], key[1], place, keys, pair.dim, pair.plain, numbers, abs(factor))

    for _ in run_chunks(chunk, -(-rows // size), threads, stop):
        pass
    return RowStatistics(*out)


@compiled(inlined=True, freedom="any order")
def stretch_sums(z, low, high, top, spread):
    """Return sums of e, of e x and of e^2 over keys below the top, and how many share it; e = exp(x), x <= 0."""
    rest, lean, squares, ties = ZERO, ZERO, ZERO, ZERO
    for j in range(low, high):
        x = spread * (z[j] - top)
        below = x < ZERO
        e = exp32(x) if below else ZERO
        rest += e
        lean += e * x
        squares += e * e
        ties += ZERO if below else ONE
    return rest, lean, squares, ties


@compiled(inlined=True, freedom="fused")
def finish_rows(sums, out, start, taken):
    """Turn the sums of a block of rows, shape (4, LANES), into statistics."""
    for lane in range(taken):
        ties, rest = sums[TIES, lane], sums[REST, lane]
        excess = ties - 1.0 + rest
        total = 1.0 + excess
        rounded = total - 1.0
        log = log64(total) * (excess / rounded) if rounded > 0.0 else excess  # Kahan's log1p
        out[1, start + lane] = 1.0 / total
        out[2, start + lane] = log - sums[LEAN, lane] / total
        out[3, start + lane] = total * total / (ties + sums[SQUARES, lane])


@compiled(inlined=True, freedom="fused")
def spread_block(spread, chi, normal, words, first, k0, k1, dim, plain, numbers):
    """Fill spread, float64 of shape (LANES,), with the standard deviation of a score given its query."""
    chi_block(chi, normal, words, first, k0, k1, float(dim if plain else dim - 1))
    if plain:
        residual = numbers[RESIDUAL]
        for lane in range(LANES):
            spread[lane] = math.sqrt(residual * chi[lane])
    else:
        draw_words(words, first, uint64(0), uint64(ALONG), k0, k1)
        for lane in range(LANES):
            along, _ = normal_pair32(words[0, lane], words[1, lane])
            _, variance = given_query(along, chi[lane], numbers)
            spread[lane] = math.sqrt(variance)


@compiled(inlined=True, freedom="fused")
def sum_row(z, spread, sums, lane):
    """Fill in the sums of one row of standard normals under a spread."""
    keys = z.size
    top = top32(z)
    rest, lean, squares, ties = 0.0, 0.0, 0.0, 0.0
    for low in range(0, keys, STRETCH):
        a, b, c, t = stretch_sums(z, low, min(keys, low + STRETCH), top, spread)
        rest += a
        lean += b
        squares += c
        ties += t
    sums[REST, lane], sums[LEAN, lane], sums[SQUARES, lane], sums[TIES, lane] = rest, lean, squares, ties


@compiled(freedom="fused")
def _rows(out, k0, k1, first, keys, dim, plain, numbers, factor):
    words, spare = scratch_words(), np.empty(BLOCK, np.float32)
    chi, normal, spread = np.empty(LANES, np.float32), np.empty(LANES, np.float32), np.empty(LANES)
    sums = np.empty((4, LANES))
    rows = out.shape[1]
    group = min(LANES, max(1, GROUP // keys))
    z = np.empty(group * keys, np.float32)
    for start in range(0, rows, LANES):
        taken = min(LANES, rows - start)
        spread_block(spread, chi, normal, words, first + uint64(start), k0, k1, dim, plain, numbers)
        for begin in range(0, taken, group):
            size = min(group, taken - begin)
            place = (first + uint64(start + begin)) * uint64(keys)
            fill_floats(z[: size * keys], words, spare, k0, k1, place, NORMAL)
            for row in range(size):
                width = F32(min(factor * spread[begin + row], WIDEST))
                sum_row(z[row * keys : (row + 1) * keys], width, sums, begin + row)
        for lane in range(taken):
            out[0, start + lane] = factor * spread[lane]
        finish_rows(sums, out, start, taken)
