"""Whole paths of random walks, for the screen: +-1 steps, Gaussian steps, and the steps q_i k_i of real vectors."""

import numpy as np
from llvmlite import ir
from numba import types, uint64
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.lanes import philox_lane, scratch_words
from attnsim.kernels.normals import BLOCK, NORMAL, fill_floats
from attnsim.kernels.polynomials import bit_count
from attnsim.kernels.rng import HALF_WORD, LOW
from attnsim.kernels.walk_ends import BITS, STEPS, check_walks, low_bits

Key = NDArray[np.uint64]

LONGEST_INT16 = 2**15 - 1
HALF = 16  # steps that are summed at once
TOGETHER = 4  # walks added up side by side: one alone waits for each addition


def sign_paths(key: Key, dim: int, walks: int, first_walk: int = 0, every: int = 1) -> NDArray[np.signedinteger]:
    """Return random walks of +-1 steps.

    Parameters
    ----------
    key : uint64 array, shape (2,)
        From `rng.stream_key`.
    dim : int
        Steps of a walk, each -1 or +1 with equal odds.
    walks, first_walk : int
        How many, and the index of the first: a step depends on its walk's index and its own alone.
    every : int
        Keep the sums after `every`, 2 `every`, ... steps only.

    Returns
    -------
    int16 array, shape (walks, dim // every); int32 if `dim` is beyond 32,767
        Running sums; with `every` 1 the last are `walk_ends.walk_ends` for the same arguments.

    Raises
    ------
    ValueError
        If the key has another shape or a number leaves its range.
    """
    check_walks(key, dim, walks, first_walk)
    _check_every(every, dim)
    out = np.empty((walks, dim // every), dtype=np.int16 if dim <= LONGEST_INT16 else np.int32)
    _sign_paths(out, dim, every, np.uint64(first_walk), key[0], key[1])
    return out


def normal_paths(key: Key, dim: int, walks: int, first_walk: int = 0, every: int = 1) -> NDArray[np.float32]:
    """Return random walks of standard normal steps; parameters and errors are those of `sign_paths`.

    Returns
    -------
    float32 array, shape (walks, dim // every)
        Running sums, added up in float32: after d steps their error is about 1e-7 sqrt(d) of their spread. Step i
        of walk w is normal number w * dim + i of the stream, see `normals.normals`.
    """
    check_walks(key, dim, walks, first_walk)
    _check_every(every, dim)
    out = np.empty((walks, dim // every), dtype=np.float32)
    _normal_paths(out, dim, every, np.uint64(first_walk), key[0], key[1])
    return out


def product_paths(query: NDArray[np.floating], keys: NDArray[np.floating], every: int = 1) -> NDArray[np.float64]:
    """Return the running sums of q_i k_i for each key.

    Parameters
    ----------
    query : float array, shape (dim,)
    keys : float array, shape (keys, dim)
    every : int
        Keep the sums after `every`, 2 `every`, ... components only.

    Returns
    -------
    float64 array, shape (keys, dim // every)

    Raises
    ------
    ValueError
        If the shapes do not fit each other or `every` is not in 1..dim.
    """
    query, keys = np.asarray(query, dtype=np.float64), np.asarray(keys, dtype=np.float64)
    if query.ndim != 1 or query.size == 0:
        raise ValueError(f"query needs shape (dim,); got {query.shape}")
    if keys.ndim != 2 or keys.shape[1] != query.size:
        raise ValueError(f"keys needs shape (keys, {query.size}); got {keys.shape}")
    _check_every(every, query.size)
    products = keys * query
    _running_sums(products)
    return products if every == 1 else np.ascontiguousarray(products[:, every - 1 :: every])


def _check_every(every: int, dim: int) -> None:
    if not 1 <= every <= dim:
        raise ValueError(f"every must lie in 1..{dim}, not {every}")


@compiled(inlined=True)
def _draw_steps(bits, planes, dim, walk, k0, k1):
    """Fill bits, uint32, with a walk's random words; a bit that is set is a step up, those past `dim` are cleared.

    The words of all counters come first, each of the four in a line of `planes`: stored in turn they cost the loop
    its lanes.
    """
    for chunk in range(planes.shape[1]):
        a, b, c, d = philox_lane(walk & LOW, walk >> HALF_WORD, uint64(chunk), uint64(STEPS), k0, k1)
        planes[0, chunk] = a
        planes[1, chunk] = b
        planes[2, chunk] = c
        planes[3, chunk] = d
    for chunk in range(planes.shape[1]):
        for word in range(4):
            bits[4 * chunk + word] = planes[word, chunk]
    for word in range(dim // 32, bits.size):
        bits[word] &= np.uint32(low_bits(dim - 32 * word) & LOW)


@intrinsic
def _store_sums(_typing, line, place, here, half):
    """Store the 16 running sums that begin at `here` and take the steps of `half`, a uint16.

    The sum after bit j is here + 2 popcount(half & lowest j + 1 bits) - (j + 1). Written as a vector, because the
    compiler unrolls so short a loop before it looks for lanes.
    """
    if not isinstance(line, types.Array) or half != types.uint16:
        return None
    narrow, wide = ir.VectorType(ir.IntType(16), HALF), ir.VectorType(ir.IntType(line.dtype.bitwidth), HALF)

    def constant(kind, values):
        return ir.Constant(kind, [ir.Constant(kind.element, value) for value in values])

    def splat(builder, scalar, kind):
        first = builder.insert_element(ir.Constant(kind, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
        spread = ir.Constant(ir.VectorType(ir.IntType(32), HALF), [ir.Constant(ir.IntType(32), 0)] * HALF)
        return builder.shuffle_vector(first, ir.Constant(kind, ir.Undefined), spread)

    def store(context, builder, signature, arguments):
        array, offset, start, word = arguments
        up_to = constant(narrow, [(2 << j) - 1 for j in range(HALF)])
        count = cgutils.get_or_insert_function(builder.module, ir.FunctionType(narrow, [narrow]), "llvm.ctpop.v16i16")
        ups = builder.call(count, [builder.and_(splat(builder, word, narrow), up_to)])
        ups = ups if wide == narrow else builder.zext(ups, wide)
        start = builder.trunc(start, wide.element)
        steps = constant(wide, range(1, HALF + 1))
        sums = builder.add(splat(builder, start, wide), builder.sub(builder.add(ups, ups), steps))
        data = context.make_array(line)(context, builder, array).data
        target = builder.bitcast(builder.gep(data, [offset]), ir.PointerType(wide))
        builder.store(sums, target, align=line.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.none(line, types.intp, types.int64, types.uint16), store


@compiled
def _sign_paths(out, dim, every, first, k0, k1):
    planes = np.empty((4, (dim + BITS - 1) // BITS), dtype=np.uint32)
    bits = np.empty(planes.size, dtype=np.uint32)
    whole = dim // HALF
    halves, tail = bits.view(np.uint16), np.empty(HALF, dtype=out.dtype)
    scratch = np.empty(dim if every > 1 else 0, dtype=out.dtype)
    for w in range(out.shape[0]):
        _draw_steps(bits, planes, dim, first + uint64(w), k0, k1)
        line, here = out[w] if every == 1 else scratch, np.int64(0)
        for h in range(whole):
            _store_sums(line, h * HALF, here, halves[h])
            here += 2 * np.int64(bit_count(uint64(halves[h]))) - HALF
        if whole * HALF < dim:
            _store_sums(tail, 0, here, halves[whole])
            for j in range(dim - whole * HALF):
                line[whole * HALF + j] = tail[j]
        if every > 1:
            for i in range(out.shape[1]):
                out[w, i] = line[(i + 1) * every - 1]


@compiled(inlined=True)
def _running_sums_of_four(a, b, c, d):
    """Turn four lines of steps into their running sums, side by side."""
    w, x, y, z = a[0], b[0], c[0], d[0]
    for i in range(1, a.size):
        w += a[i]
        a[i] = w
        x += b[i]
        b[i] = x
        y += c[i]
        c[i] = y
        z += d[i]
        d[i] = z


@compiled
def _running_sums(lines):
    rows = lines.shape[0]
    for r in range(0, rows - TOGETHER + 1, TOGETHER):
        _running_sums_of_four(lines[r], lines[r + 1], lines[r + 2], lines[r + 3])
    for r in range(rows - rows % TOGETHER, rows):
        for i in range(1, lines.shape[1]):
            lines[r, i] += lines[r, i - 1]


@compiled
def _normal_paths(out, dim, every, first, k0, k1):
    words, spare = scratch_words(), np.empty(BLOCK, dtype=np.float32)
    group = max(TOGETHER, min(64, 65_536 // dim))
    scratch = np.empty((group if every > 1 else 0, dim), dtype=np.float32)
    for w in range(0, out.shape[0], group):
        rows = min(group, out.shape[0] - w)
        lines = out[w : w + rows] if every == 1 else scratch[:rows]
        fill_floats(lines.reshape(-1), words, spare, k0, k1, (first + uint64(w)) * uint64(dim), NORMAL)
        _running_sums(lines)
        if every > 1:
            for r in range(rows):
                for i in range(out.shape[1]):
                    out[w + r, i] = lines[r, (i + 1) * every - 1]
