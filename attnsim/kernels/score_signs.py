"""Dot products of +-1 vectors: signs as bits, products as exclusive or, sums as bit counts."""

import math
from collections.abc import Callable

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.lanes import LANES, philox_lane
from attnsim.kernels.normals import Key, check_key, uint64_of
from attnsim.kernels.polynomials import bit_count
from attnsim.kernels.rng import HALF_WORD, LOW
from attnsim.kernels.score_sums import Grid, ScoreSums, add_block, gather

Floats = NDArray[np.float64]

SIGNS = 24  # last word of the counter
CALL = 64  # components of q and of k that one call of the generator gives
ALL_BITS = uint64(0xFFFFFFFFFFFFFFFF)


def sign_scores(key: Key, dim: int, count: int, first: int = 0) -> Floats:
    """Return dot products of two +-1 vectors, number first, first + 1, ... of a stream.

    Parameters
    ----------
    key : uint64 array, shape (2,)
        From `rng.stream_key`.
    dim : int
        Components, 1 or more; a bit of each vector is drawn for every one.
    count, first : int
        Which scores; any cut of the stream into pieces gives the same bits.

    Returns
    -------
    float64 array, shape (count,)
        Whole numbers dim, dim - 2, ... -dim.

    Raises
    ------
    ValueError
        If the key has another shape or a number is outside its limits.
    """
    _check(key, dim)
    if count < 0 or not 0 <= first <= 2**62 - count:
        raise ValueError(f"count must be 0 or more and first in 0..2^62 - count; got {count} and {first}")
    out = np.empty(count)
    _scores(out, key[0], key[1], uint64_of(first), dim)
    return out


def sign_score_sums(
    key: Key,
    dim: int,
    count: int,
    grid: Grid | None = None,
    threads: int = 1,
    stop: Callable[[], bool] | None = None,
) -> ScoreSums:
    """Draw scores as `sign_scores` does, and keep their moments and histogram alone.

    Parameters
    ----------
    key, dim, count
        See `sign_scores`.
    grid : Grid, optional
        0 +- 6 sqrt(dim) in 200 bins unless given.
    threads, stop
        See `score_sums.gather`: equal bits for any number of threads.

    Returns
    -------
    ScoreSums
    """
    _check(key, dim)
    root = math.sqrt(dim)
    grid = grid or Grid(0.0, root, -6.0 * root, 6.0 * root)
    measures = grid.numbers

    def kernel(first: int, size: int, powers: Floats, tally: NDArray[np.int64]) -> None:
        _sums(size, key[0], key[1], uint64_of(first), dim, measures, powers, tally)

    return gather(kernel, count, grid, threads, stop)


def _check(key: Key, dim: int) -> None:
    check_key(key)
    if dim < 1 or dim != int(dim):
        raise ValueError(f"dim must be a whole number, 1 or more, not {dim}")


@compiled(inlined=True)
def sign_block(values, unequal, first, k0, k1, dim):
    """Fill values, float64 of shape (LANES,), with the scores first .. ; unequal is uint64 scratch."""
    for lane in range(LANES):
        unequal[lane] = uint64(0)
    calls = (dim + CALL - 1) // CALL
    tail = dim % CALL
    for call in range(calls):
        kept = ALL_BITS
        if tail > 0 and call == calls - 1:
            kept = ALL_BITS >> uint64(CALL - tail)
        for lane in range(LANES):
            place = first + uint64(lane)
            w0, w1, w2, w3 = philox_lane(place & LOW, place >> HALF_WORD, uint64(call), uint64(SIGNS), k0, k1)
            query, keys = (w0 << HALF_WORD) | w1, (w2 << HALF_WORD) | w3
            unequal[lane] += bit_count((query ^ keys) & kept)
    for lane in range(LANES):
        values[lane] = float(np.int32(dim - 2 * np.int64(unequal[lane])))


@compiled
def _scores(out, k0, k1, first, dim):
    values, unequal = np.empty(LANES), np.empty(LANES, np.uint64)
    for start in range(0, out.size, LANES):
        sign_block(values, unequal, first + uint64(start), k0, k1, dim)
        taken = min(LANES, out.size - start)
        for lane in range(taken):
            out[start + lane] = values[lane]


@compiled
def _sums(count, k0, k1, first, dim, measures, powers, tally):
    values, unequal, places = np.empty(LANES), np.empty(LANES, np.uint64), np.empty(LANES, np.int32)
    for start in range(0, count, LANES):
        sign_block(values, unequal, first + uint64(start), k0, k1, dim)
        add_block(values, min(LANES, count - start), measures, places, powers, tally)
