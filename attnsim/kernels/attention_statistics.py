"""What the scores of each query and their softmax say, for so many keys that they never stand in memory together."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.kernels.attention_arithmetic import arithmetic
from attnsim.kernels.attention_blocks import Buffer, blocks, fill_scores, queries
from attnsim.kernels.attention_inputs import Options, checked
from attnsim.kernels.compiled import compiled
from attnsim.kernels.softmax_statistics import softmax_statistics

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ScoreStatistics:
    """Of each query's scores as they enter the softmax, and of their softmax p; over the visible keys alone.

    Attributes
    ----------
    visible : float64 array, shape (..., n)
        How many keys the query sees.
    maximum, mean, variance : float64 arrays, shape (..., n)
        Of the scores; the variance divides by `visible`. Without a visible key -inf, nan and nan.
    entropy : float64 array, shape (..., n)
        In nats, 0 .. ln(visible); 0 without a visible key, as the next two.
    largest_weight : float64 array, shape (..., n)
    participation : float64 array, shape (..., n)
        1 / sum p^2: by how many keys the weight is shared.
    """

    visible: Floats
    maximum: Floats
    mean: Floats
    variance: Floats
    entropy: Floats
    largest_weight: Floats
    participation: Floats


def score_statistics(
    q: ArrayLike,
    k: ArrayLike,
    *,
    scale: float | None = None,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    causal: str | bool = False,
    window: int | None = None,
    softcap: float | None = None,
    dtype: Any = "float32",
    accumulate: str = "float32",
) -> ScoreStatistics:
    """Return maximum, mean, variance of each query's scores, and entropy, largest and 1/sum p^2 of its weights.

    Parameters
    ----------
    q, k, scale, mask, bias, causal, window, softcap, dtype, accumulate
        As in `attention`. In formats below float32 the scores are rounded, the statistics of them are not.

    Returns
    -------
    ScoreStatistics

    Raises
    ------
    ValueError
        Names the argument, what was wanted (its shape) and what came.

    Notes
    -----
    One block of at most 256 queries and 2^23 scores stands in memory at a time. A nan or +inf among a query's visible
    scores makes its entropy, weight and participation nan, and its mean and variance nan or infinite.
    """
    problem = checked(q, k, None, Options(scale, mask, bias, causal, window, softcap, dtype, accumulate))
    numbers = arithmetic(problem.number_format, problem.accumulate)
    out = np.zeros((len(fields(ScoreStatistics)), *problem.q.shape[:3]))
    out[1], out[2:4] = -np.inf, np.nan
    buffer = Buffer(problem)
    with np.errstate(all="ignore"):  # nan, infinities and overflow are as the notes say
        for block in blocks(problem):
            if 0 in block.shape:
                continue
            scores = buffer.of(block)
            fill_scores(problem, numbers, block, queries(problem, numbers, block), scores)
            lines = out[:, block.batch, block.head, block.rows]
            _moments(scores, lines)
            softmax = softmax_statistics(scores)
            lines[4:] = softmax.entropy, softmax.largest, softmax.participation
    return ScoreStatistics(*(line.reshape(*problem.outer, line.shape[2]) for line in out))


@compiled(freedom="any order")
def _moments(scores, out):
    """Fill in how many scores of each row are not -inf, and their maximum, mean and variance."""
    for b in range(scores.shape[0]):
        row = scores[b]
        count, total, top = 0.0, 0.0, -np.inf
        for j in range(row.size):
            x = np.float64(row[j])
            visible = x != -np.inf
            count += 1.0 if visible else 0.0
            total += x if visible else 0.0
        mean = total / count
        square = 0.0
        for j in range(row.size):
            x = np.float64(row[j])
            centred = x - mean if x != -np.inf else 0.0
            square += centred * centred
            top = x if x > top else top
        out[0, b], out[1, b] = count, mean if mean != mean and count > 0.0 else top
        out[2, b], out[3, b] = mean, square / count
