"""Attention: softmax(q k^T / sqrt(d)) v, a block of queries at a time."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.kernels.attention_arithmetic import Arithmetic, arithmetic
from attnsim.kernels.attention_blocks import Buffer, blocks, fill_scores, queries
from attnsim.kernels.attention_inputs import Options, Problem, checked
from attnsim.kernels.attention_products import add_seen, tame

Floats = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Attention:
    """What attention gives.

    Attributes
    ----------
    output : array, shape (..., n, value_width), or None
        float32 or float64, float16 for "float16"; the other formats' numbers come in float32. None without values.
    logsumexp : float32 or float64 array, shape (..., n)
        ln(sum(exp(score))) over the visible keys; -inf where there are none.
    weights : array, shape (..., n, m), or None
        Each row sums to 1, or is 0 throughout where every key is hidden.
    """

    output: Floats | None
    logsumexp: Floats
    weights: Floats | None = None


def attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike | None = None,
    *,
    scale: float | None = None,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    causal: str | bool = False,
    window: int | None = None,
    softcap: float | None = None,
    dtype: Any = "float32",
    accumulate: str = "float32",
    return_weights: bool = False,
) -> Attention:
    """Return softmax(scores) @ v, with score = bias + cap(scale * q.k) of each query and key.

    Parameters
    ----------
    q : array_like, shape (n, d), (heads, n, d) or (batch, heads, n, d)
        Queries.
    k : array_like, shape (m, d), (kv_heads, m, d) or (batch, kv_heads, m, d)
        Keys. `kv_heads` divides `heads`; query head h sees key head h // (heads / kv_heads).
    v : array_like, shape (..., m, value_width), optional
        Values, of the keys' batch and heads. Without them only `logsumexp` (and `weights`) are computed.
    scale : float, optional
        1 / sqrt(d) when left out; 0 is allowed.
    mask : bool array_like, broadcast to (batch, heads, n, m), optional
        True where the query may attend to the key.
    bias : array_like of numbers, broadcast to (batch, heads, n, m), optional
        Added after scale and soft-cap.
    causal : {False, "top-left", "bottom-right"}
        Query i sees key j where j <= i + offset; the offset is 0 ("top-left"), or m - n, so that the last query sees
        the last key ("bottom-right").
    window : int, optional
        Query i does not see key j where (i + offset) - j > window, the offset being m - n for "bottom-right", else 0.
        The window alone hides no later key.
    softcap : float, optional
        Scores become softcap * tanh(score / softcap) before bias and masks.
    dtype : {"float32", "float64", "float16", "bfloat16", "tf32", "fp8_e4m3", "fp8_e5m2"} or numpy dtype
        In which to compute. What comes in another is converted first.
    accumulate : {"float32", "format", "fused"}
        For the formats below float32: in what their sums run; see the notes.
    return_weights : bool
        Also give the weights, the one n x m matrix that is ever made.

    Returns
    -------
    Attention
        With `output`, `logsumexp` and `weights`.

    Raises
    ------
    ValueError
        Names the argument, what was wanted (its shape) and what came.

    Notes
    -----
    - A key is hidden by the mask, by causality, by the window, or by a bias of -inf; then nothing that its vectors hold
      (nan, infinities) reaches the query. A score that is -inf by itself hides its key too.
    - A row without a visible key, because all are hidden or m = 0, has output 0, weights 0 and logsumexp -inf.
    - The most negative finite number as bias hides nothing: a row of it alone has equal weights.
    - A bias, or a score, of +inf makes its row nan, as inf - inf is, and logsumexp +inf. A nan in a visible key, value
      or bias, or in the query, makes its row nan. In both cases weights of hidden keys stay 0.
    - Formats below float32 are emulated: q, k, v are rounded to the format, and so is the result of each operation:
      product q.k, scale, soft-cap (quotient, tanh, product), bias, softmax, output. Sums run in float32 and are rounded
      once. With `accumulate="format"` they are rounded at every step, from left to right, and so are the softmax's
      difference, exponential, running sum and quotient. With "fused" everything between the inputs and the output is
      float32, as in kernels that never write scores down. logsumexp is not rounded.
    - Memory beyond inputs and results: one block of at most 256 queries and 2^23 scores.

    References
    ----------
    .. [1] A. Vaswani et al., "Attention is all you need", 2017, Eq. 1.
    .. [2] J. Ainslie et al., "GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints",
       2023.
    """
    problem = checked(q, k, v, Options(scale, mask, bias, causal, window, softcap, dtype, accumulate))
    numbers = arithmetic(problem.number_format, problem.accumulate)
    with np.errstate(all="ignore"):  # nan, infinities and overflow are as the notes say
        output, logsumexp, weights = _forward(problem, numbers, return_weights)
    final = np.float16 if problem.number_format == "fp16" else problem.q.dtype
    return Attention(
        None if output is None else output.reshape(*problem.outer, *output.shape[2:]).astype(final, copy=False),
        logsumexp.reshape(*problem.outer, logsumexp.shape[2]).astype(problem.q.dtype),
        None if weights is None else weights.reshape(*problem.outer, *weights.shape[2:]).astype(final, copy=False),
    )


def _forward(
    problem: Problem, numbers: Arithmetic, keep: bool
) -> tuple[Floats | None, NDArray[np.float64], Floats | None]:
    """Return output, logsumexp and weights; the first without values and the last unless kept are None."""
    q, k, v = problem.q, problem.k, problem.v
    output = None if v is None else np.zeros((*q.shape[:3], v.shape[3]), dtype=q.dtype)
    weights = np.zeros((*q.shape[:3], k.shape[2]), dtype=q.dtype) if keep else None
    logsumexp = np.full(q.shape[:3], -np.inf)
    buffer, calm = Buffer(problem), tame(v)
    for block in blocks(problem):
        if 0 in block.shape:
            continue
        here = block.batch, block.head, block.rows
        scores = buffer.of(block)
        fill_scores(problem, numbers, block, queries(problem, numbers, block), scores)
        seen = None if calm else scores != -np.inf
        numbers.softmax(scores, logsumexp[here])
        if weights is not None:
            weights[(*here, block.keys)] = scores
        if output is not None and v is not None:
            _weigh(numbers, scores, v[block.batch, block.kv_head, block.keys], seen, output[here])
    return output, logsumexp, weights


def _weigh(numbers: Arithmetic, weights: Floats, v: Floats, seen: NDArray[np.bool_] | None, out: Floats) -> None:
    """Fill `out`, which is 0, with weights @ v."""
    if seen is None:
        numbers.product(weights, v, out)
    else:
        add_seen(numbers, out, weights, v, seen)
        numbers.round(out)
    numbers.store(out)
