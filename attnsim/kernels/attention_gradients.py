"""Gradients of attention by queries, keys and values, a block of queries at a time."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.kernels.attention_arithmetic import Arithmetic, arithmetic
from attnsim.kernels.attention_blocks import Block, Buffer, blocks, fill_scores, queries
from attnsim.kernels.attention_inputs import Options, Problem, check_shape, checked, converted, in_four, real
from attnsim.kernels.attention_products import add_seen, tame
from attnsim.words import _

Floats = NDArray[Any]

LARGE = 1e3  # scales below it let no product of tame numbers overflow


def attention_gradients(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    grad_output: ArrayLike,
    *,
    scale: float | None = None,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    causal: str | bool = False,
    window: int | None = None,
    softcap: float | None = None,
    dtype: Any = "float32",
    accumulate: str = "float32",
) -> tuple[Floats, Floats, Floats]:
    """Return the gradients of a loss by q, k and v, given the one by the output of `attention`.

    Parameters
    ----------
    q, k, v
        As in `attention`; v is needed here.
    grad_output : array_like, shape (..., n, value_width)
        Derivative of the loss by each number of the output.
    scale, mask, bias, causal, window, softcap, dtype, accumulate
        As in `attention`.

    Returns
    -------
    dq, dk, dv : arrays of the shapes of q, k and v
        float32 or float64, float16 for "float16". Those of a key head that several query heads share are summed.

    Raises
    ------
    ValueError
        Names the argument, what was wanted (its shape) and what came.

    Notes
    -----
    - With weights p and g = grad_output @ v^T, the scores' gradient is p (g - sum p g), times 1 - tanh^2 if capped.
    - What is hidden passes no gradient, whatever it holds: a row without a visible key has dq = 0 and adds nothing to
      dk and dv; a key hidden from all queries has dk = dv = 0. A row that is nan makes nan the dk and dv of the keys
      it sees.
    - Formats below float32 are emulated as in `attention`. Here too grad_output, g, the sum over p g, the difference,
      the product with p, the soft-cap's factor and each of dq, dk, dv (product, scale) are rounded; weights are those
      of the forward pass.
    - Scores are computed anew. Memory beyond inputs and results: two blocks (three with a soft-cap) of at most 2^23
      scores.

    References
    ----------
    .. [1] T. Dao et al., "FlashAttention", 2022, Appendix B.2.
    """
    problem = checked(q, k, v, Options(scale, mask, bias, causal, window, softcap, dtype, accumulate))
    if problem.v is None:
        raise ValueError(_("v must be given for its gradient; got None"))
    given = real("grad_output", grad_output)
    wanted = (*problem.outer, problem.q.shape[2], problem.v.shape[3])
    check_shape("grad_output", wanted, given.shape)
    numbers = arithmetic(problem.number_format, problem.accumulate)
    with np.errstate(all="ignore"):  # nan, infinities and overflow are as the notes say
        incoming = in_four(converted(given, problem.number_format))
        totals = Backward(problem, numbers, incoming).run()
    final = np.float16 if problem.number_format == "fp16" else problem.q.dtype
    dq, dk, dv = (x.reshape(x.shape[2 - len(problem.outer) :]).astype(final, copy=False) for x in totals)
    return dq, dk, dv


class Backward:
    """A walk through the blocks of a problem, with running totals of the shapes of q, k and v.

    Parameters
    ----------
    problem : Problem
        With values.
    numbers : Arithmetic
    incoming : array, shape (batch, heads, n, value_width)
        Gradient by the output.
    """

    def __init__(self, problem: Problem, numbers: Arithmetic, incoming: Floats) -> None:
        self._problem, self._numbers, self._incoming = problem, numbers, incoming
        self._values: Floats = problem.v if problem.v is not None else np.empty((0, 0, 0, 0))
        self._totals = tuple(np.zeros_like(x) for x in (problem.q, problem.k, self._values))
        self._memory = [Buffer(problem) for _part in range(2 if problem.softcap is None else 3)]
        self._calm = tame(problem.q, problem.k, self._values, incoming) and abs(problem.scale) < LARGE

    def run(self) -> tuple[Floats, Floats, Floats]:
        """Return the gradients."""
        for block in blocks(self._problem):
            if 0 not in block.shape:
                self._add(block)
        scale, (dq, dk, dv) = self._problem.scale, self._totals
        late = 1.0 if self._numbers.early else scale  # else the queries that dk is made of were scaled
        for total, factor in ((dq, scale), (dk, late), (dv, 1.0)):
            self._numbers.round(total)
            if factor != 1.0:
                total *= total.dtype.type(factor)
                self._numbers.round(total)
            self._numbers.store(total)
        return dq, dk, dv

    def _add(self, block: Block) -> None:
        problem, numbers = self._problem, self._numbers
        weights, gradients, *capped = (memory.of(block) for memory in self._memory)
        slope = capped[0] if capped else None
        q = queries(problem, numbers, block)
        fill_scores(problem, numbers, block, q, weights, slope)
        seen = None if self._calm else weights != -np.inf
        numbers.softmax(weights, np.empty(len(weights)))
        theirs, ours = (block.batch, block.kv_head, block.keys), (block.batch, block.head, block.rows)
        incoming = self._incoming[ours]
        numbers.product(incoming, self._values[theirs].T, gradients)
        if seen is not None:
            gradients[~seen] = 0.0
        numbers.through_softmax(weights, gradients)
        if slope is not None:
            gradients *= slope
            numbers.round(gradients)
            if seen is not None:
                gradients[~seen] = 0.0
        dq, dk, dv = self._totals
        across = None if seen is None else seen.T
        add_seen(numbers, dq[ours], gradients, problem.k[theirs], seen)
        add_seen(numbers, dk[theirs], gradients.T, q, across)
        add_seen(numbers, dv[theirs], weights.T, incoming, across)
