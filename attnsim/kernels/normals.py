"""Normals, uniforms and signs in bulk, in float32, each a function of (seed, stream, index) alone."""

import numpy as np
from numba import uint64
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.lanes import LANES, draw_words, normal_pair32, scratch_words, unit32
from attnsim.kernels.polynomials import F32

Key = NDArray[np.uint64]
Floats32 = NDArray[np.float32]

BLOCK = 4 * LANES  # numbers that the words of one block of counters give
LARGEST_INDEX = 2**62
NORMAL, UNIFORM, SIGN, WORD = 0, 1, 2, 3
ONE, MINUS_ONE, JUST_BELOW_ONE = F32(1.0), F32(-1.0), F32(1.0 - 2.0**-24)


def normals(key: Key, count: int, first: int = 0) -> Floats32:
    """Return standard normals number first, first + 1, ... of a stream.

    Parameters
    ----------
    key : uint64 array, shape (2,)
        From `rng.stream_key`: a hash of the seed and the stream.
    count : int
        How many.
    first : int
        Index of the first; any cut of the stream into pieces gives the same bits.

    Returns
    -------
    float32 array, shape (count,)
        Within -6.76..6.76: the uniform under the logarithm is 2^-33 at least, so that what lies beyond 6.76 standard
        deviations, a share of 1.4e-11, is never drawn. For wider tails use `variates.normal_variates`, float64.

    Raises
    ------
    ValueError
        If the key has another shape, `count` is negative or the indices leave 0..2^62.

    Notes
    -----
    Philox4x32-10 with the counter (index of the block's word, 0, 0), then Box and Muller's transform.

    References
    ----------
    .. [1] J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC'11.
    .. [2] G. E. P. Box, M. E. Muller, "A note on the generation of random normal deviates", 1958.
    """
    out = np.empty(_checked(key, count, first), np.float32)
    _fill(out, key[0], key[1], uint64_of(first), NORMAL)
    return out


def uniforms(key: Key, count: int, first: int = 0) -> Floats32:
    """Return uniforms in (0, 1), never 0 or 1, with 24 bits or more; parameters as for `normals`."""
    out = np.empty(_checked(key, count, first), np.float32)
    _fill(out, key[0], key[1], uint64_of(first), UNIFORM)
    return out


def signs(key: Key, count: int, first: int = 0) -> Floats32:
    """Return -1 or +1 with equal odds, as float32; parameters as for `normals`."""
    out = np.empty(_checked(key, count, first), np.float32)
    _fill(out, key[0], key[1], uint64_of(first), SIGN)
    return out


def random_words(key: Key, count: int, first: int = 0) -> NDArray[np.uint32]:
    """Return the raw 32-bit words behind `normals`, the physical limit of all of them; parameters as there."""
    out = np.empty(_checked(key, count, first), np.uint32)
    _fill_words(out, key[0], key[1], uint64_of(first))
    return out


def uint64_of(index: int) -> np.uint64:
    """Return an index as the type in which kernels count: numba would turn uint64 plus int64 into a float."""
    return np.uint64(index)


def check_key(key: Key) -> None:
    """Raise ValueError unless `key` is what `rng.stream_key` gives."""
    shape, kind = getattr(key, "shape", None), getattr(key, "dtype", None)
    if shape != (2,) or kind != np.uint64:
        raise ValueError(f"key needs dtype uint64 and shape (2,); got {kind} and {shape}")


def _checked(key: Key, count: int, first: int) -> int:
    check_key(key)
    if count < 0:
        raise ValueError(f"count must be 0 or more, not {count}")
    if not 0 <= first <= LARGEST_INDEX - count:
        raise ValueError(f"first must lie in 0..{LARGEST_INDEX - count}, not {first}")
    return count


@compiled(inlined=True, freedom="fused")
def fill_block(block, words, k0, k1, number, kind):
    """Fill a block of float32, shape (BLOCK,), with numbers BLOCK * number and on of a stream."""
    draw_words(words, number * uint64(LANES), uint64(0), uint64(0), k0, k1)
    if kind == NORMAL:
        for half in range(2):
            for lane in range(LANES):
                x, y = normal_pair32(words[2 * half, lane], words[2 * half + 1, lane])
                block[2 * half * LANES + lane] = x
                block[(2 * half + 1) * LANES + lane] = y
    else:
        for part in range(4):
            for lane in range(LANES):
                word = words[part, lane]
                u = min(unit32(word), JUST_BELOW_ONE)
                sign = ONE if word & np.uint32(1) else MINUS_ONE
                block[part * LANES + lane] = u if kind == UNIFORM else sign


@compiled(inlined=True, freedom="fused")
def fill_floats(out, words, spare, k0, k1, first, kind):
    """Fill out, float32, with numbers first and on of a stream; words and spare, one block long, are scratch."""
    done, count = 0, out.size
    number = first // uint64(BLOCK)
    skip = np.int64(first - number * uint64(BLOCK))
    while done < count:
        whole = skip == 0 and count - done >= BLOCK
        fill_block(out[done : done + BLOCK] if whole else spare, words, k0, k1, number, kind)
        taken = min(BLOCK - skip, count - done)
        if not whole:
            for i in range(taken):
                out[done + i] = spare[skip + i]
        done += taken
        skip = np.int64(0)
        number += uint64(1)


@compiled(freedom="fused")
def _fill(out, k0, k1, first, kind):
    fill_floats(out, scratch_words(), np.empty(BLOCK, np.float32), k0, k1, first, kind)


@compiled
def _fill_words(out, k0, k1, first):
    spare = scratch_words()
    done, count = 0, out.size
    number = first // uint64(BLOCK)
    skip = np.int64(first - number * uint64(BLOCK))
    while done < count:
        whole = skip == 0 and count - done >= BLOCK
        words = out[done : done + BLOCK].reshape(4, LANES) if whole else spare
        draw_words(words, number * uint64(LANES), uint64(0), uint64(0), k0, k1)
        taken = min(BLOCK - skip, count - done)
        if not whole:
            for i in range(taken):
                out[done + i] = spare.reshape(BLOCK)[skip + i]
        done += taken
        skip = np.int64(0)
        number += uint64(1)
