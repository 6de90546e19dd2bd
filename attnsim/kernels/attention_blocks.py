"""Scores of a block of queries as they enter the softmax: no more of them exist at a time."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.attention_arithmetic import Arithmetic
from attnsim.kernels.attention_inputs import Problem
from attnsim.kernels.compiled import compiled

Floats = NDArray[Any]

ROWS = 256  # enough for BLAS to run at full speed; with 2048 keys a block is 2 MB
LARGEST = 1 << 23  # scores in a block


class Block(NamedTuple):
    """Some queries of one head, and the keys that causality and window show to at least one of them.

    Attributes
    ----------
    batch, head, kv_head : int
    rows, keys : slice
    """

    batch: int
    head: int
    kv_head: int
    rows: slice
    keys: slice

    @property
    def shape(self) -> tuple[int, int]:
        """Queries and keys."""
        return self.rows.stop - self.rows.start, self.keys.stop - self.keys.start


def blocks(problem: Problem) -> Iterator[Block]:
    """Yield the blocks of a problem: head by head, from the first query to the last."""
    batches, heads, n, _ = problem.q.shape
    size = rows_of_a_block(problem)
    for batch in range(batches):
        for head in range(heads):
            for start in range(0, n, size):
                stop = min(n, start + size)
                yield Block(batch, head, head // problem.group, slice(start, stop), slice(*problem.span(start, stop)))


def rows_of_a_block(problem: Problem) -> int:
    """Return how many queries a block has."""
    n, m = int(problem.q.shape[2]), int(problem.k.shape[2])
    return max(1, min(ROWS, n, LARGEST // max(1, m)))


class Buffer:
    """Memory for one block after another.

    Parameters
    ----------
    problem : Problem
    """

    def __init__(self, problem: Problem) -> None:
        self._memory = np.empty(rows_of_a_block(problem) * problem.k.shape[2], dtype=problem.q.dtype)

    def of(self, block: Block) -> Floats:
        """Return a contiguous array of a block's shape; what it held before is lost."""
        rows, keys = block.shape
        return self._memory[: rows * keys].reshape(rows, keys)


def queries(problem: Problem, arithmetic: Arithmetic, block: Block) -> Floats:
    """Return a block's queries, scaled where the arithmetic scales early."""
    q = problem.q[block.batch, block.head, block.rows]
    return q * q.dtype.type(problem.scale) if arithmetic.early else q


def fill_scores(
    problem: Problem, arithmetic: Arithmetic, block: Block, q: Floats, out: Floats, slope: Floats | None = None
) -> None:
    """Fill `out` with a block's scores: product, scale, soft-cap, bias, then -inf where hidden.

    Parameters
    ----------
    problem : Problem
    arithmetic : Arithmetic
    block : Block
    q : array, shape (rows, d)
        From `queries`.
    out : array of the block's shape
    slope : array of the block's shape, optional
        Receives the derivative of the soft-cap, 1 - tanh^2.
    """
    arithmetic.product(q, problem.k[block.batch, block.kv_head, block.keys].T, out)
    if not arithmetic.early:
        out *= out.dtype.type(problem.scale)
        arithmetic.round(out)
    if problem.softcap is not None:
        _cap(problem.softcap, arithmetic, out, slope)
    place = block.batch, block.head, block.rows, block.keys
    if problem.bias is not None:
        bias = problem.bias[place].astype(out.dtype)
        out += bias
        arithmetic.round(out)
        np.copyto(out, -np.inf, where=bias == -np.inf)  # also where the score is nan
    if problem.mask is not None:
        np.copyto(out, -np.inf, where=~problem.mask[place])
    if problem.reach is not None or problem.window is not None:
        rows, keys = block.shape
        past = rows + keys if problem.reach is None else block.rows.start + problem.reach - block.keys.start
        window = -1 if problem.window is None else problem.window
        _hide(out, past, block.rows.start + problem.offset - block.keys.start, window)


def _cap(cap: float, arithmetic: Arithmetic, out: Floats, slope: Floats | None) -> None:
    out *= out.dtype.type(1.0 / cap)
    arithmetic.round(out)
    np.tanh(out, out=out)
    arithmetic.round(out)
    if slope is not None:
        np.multiply(out, out, out=slope)
        arithmetic.round(slope)
        np.subtract(1.0, slope, out=slope)
        arithmetic.round(slope)
    out *= out.dtype.type(cap)
    arithmetic.round(out)


@compiled
def _hide(scores, reach, position, window):
    """Set to -inf the keys after i + reach and, unless window is negative, those more than it before i + position."""
    rows, keys = scores.shape
    for i in range(rows):
        for j in range(max(0, i + reach + 1), keys):
            scores[i, j] = -np.inf
        if window >= 0:
            for j in range(min(keys, max(0, i + position - window))):
                scores[i, j] = -np.inf
