"""What the softmax of each row says, without writing the weights down."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.exponential import exponential
from attnsim.kernels.polynomials import log64
from attnsim.kernels.row_top import row_top
from attnsim.kernels.softmax_rows import BLOCK, checked_rows, clear_masked, in_shape

Floats = NDArray[np.float64]

EDGE = -1e4  # exp is 0 there; stands for -inf, since 0 * -inf is nan
LIFT = 2.0**50  # keeps the square of a small float32 weight among the normal numbers


@dataclass(frozen=True, slots=True)
class SoftmaxStatistics:
    """Of the weights p of each row; 0 for a row that is fully masked, nan for one with a nan or +inf in it.

    Attributes
    ----------
    largest : float64 array, the shape of the scores without their axis
        Largest weight, 1/keys .. 1.
    entropy : float64 array
        In nats, 0 .. ln(keys).
    participation : float64 array
        1 / sum p^2: by how many keys the weight is shared, 1 .. keys.
    jacobian_norm : float64 array
        Frobenius norm of diag(p) - p p^T, the derivative of the weights by the scores, 0 .. 1/sqrt(2).
    weights : float32 or float64 array of the shape of the scores, or None
        p itself, if asked for.
    """

    largest: Floats
    entropy: Floats
    participation: Floats
    jacobian_norm: Floats
    weights: NDArray[np.floating] | None = None


def softmax_statistics(
    x: ArrayLike, axis: int = -1, dtype: object = None, keep_weights: bool = False
) -> SoftmaxStatistics:
    """Return largest weight, entropy, participation ratio and Jacobian norm of softmax(x), in one go.

    Parameters
    ----------
    x : array_like of real numbers, any shape with an axis
        Scores; -inf masks a key out.
    axis : int
        Along which the weights sum to 1.
    dtype : {"float32", "float64"}, optional
        In which the exponentials are computed and added up in lanes; that of `x` when left out (float32 for float16,
        float64 for whole numbers).
    keep_weights : bool
        Return the weights too.

    Returns
    -------
    SoftmaxStatistics

    Raises
    ------
    ValueError
        If `x` has no axis, no keys or no real numbers, or there is no such axis or dtype.

    Notes
    -----
    Near one-hot nothing cancels: the sums leave out one key at the maximum. With s_m the sum of p^m over the other
    keys, p the largest weight and r = s_1 = 1 - p, the entropy is ln(1 + r/p) - sum p_i (x_i - max), and

        |J|_F^2 = p^2 r^2 + s_2 (1 + 2 p^2 + s_2) - 2 s_3,

    where the plain formula sum p^2 - 2 sum p^3 + (sum p^2)^2 subtracts nearly equal numbers.
    """
    if dtype is None and np.asarray(x).dtype == np.float16:
        dtype = "float32"
    scores, name, lines = checked_rows(x, axis, dtype)
    if name not in ("float32", "float64"):
        raise ValueError(f"dtype must be float32 or float64 for statistics; got {name}")
    if lines.shape[1] == 0:
        raise ValueError(f"x needs a key at least along axis {axis}; got {scores.shape}")
    sums, numbers = np.empty((5, lines.shape[0])), np.empty((4, lines.shape[0]))
    weights = np.empty(lines.shape if keep_weights else (1, min(BLOCK, lines.shape[1])), dtype=lines.dtype)
    strange = _statistics(lines, weights, keep_weights, sums)
    _finish(sums, numbers)
    if strange:
        clear_masked(lines, numbers.T)
        if keep_weights:
            clear_masked(lines, weights)
    shape = list(scores.shape)
    del shape[axis]
    kept = in_shape(weights, scores, axis) if keep_weights else None
    largest, entropy, participation, jacobian = (line.reshape(shape) for line in numbers)
    return SoftmaxStatistics(largest, entropy, participation, jacobian, kept)


@compiled(freedom="any order")
def _statistics(x, weights, keep, out):
    """Fill in the numbers of each row; return whether a sum is nan, which a fully masked row's is too."""
    strange = False
    for b in range(x.shape[0]):
        row = x[b]
        top = row_top(row)
        one, two, three, lean, ties = 0.0, 0.0, 0.0, 0.0, -1.0
        for start in range(0, row.size, BLOCK):
            scores = row[start : start + BLOCK]
            line = weights[b, start : start + BLOCK] if keep else weights[0, : scores.size]
            a, b2, c, d, e = _sums(scores, top, line)
            one, two, three, lean, ties = one + a, two + b2, three + c, lean + d, ties + e
        out[0, b], out[1, b], out[2, b], out[3, b], out[4, b] = one, two, three, lean, ties
        total = 1.0 + one + ties
        strange |= total != total
        if keep:
            inverse = x.dtype.type(1.0 / total)
            line = weights[b]
            for j in range(line.size):
                line[j] *= inverse
    return strange


@compiled(inlined=True, freedom="any order")
def _sums(scores, top, line):
    """Return sums of e, (LIFT e)^2, LIFT^2 e^3 and e (x - top) over the scores below the top, and how many are at it.

    All in one type and without a branch: a count in whole numbers, or a branch, costs the loop its lanes. Two loops,
    because the sums of one would not fit the machine's registers.
    """
    zero, unit, lift, edge = line.dtype.type(0.0), line.dtype.type(1.0), line.dtype.type(LIFT), line.dtype.type(EDGE)
    one, two, three, lean, ties = zero, zero, zero, zero, zero
    for j in range(scores.size):
        difference = scores[j] - top
        e = exponential(difference)
        line[j] = e
        lean += e * (edge if difference < edge else difference)
    for j in range(scores.size):
        at_top = unit if scores[j] == top else zero
        ties += at_top
        e = line[j] - at_top
        square = (e * lift) * (e * lift)
        one += e
        two += square
        three += square * e
    return one, two, three, lean, ties


@compiled(freedom="fused")
def _finish(sums, out):
    """Turn each row's sums into its statistics; `ties` counts the other keys at the maximum."""
    for b in range(sums.shape[1]):
        ties = sums[4, b]
        rest = sums[0, b] + ties
        total = 1.0 + rest
        p, r = 1.0 / total, rest / total
        s2 = (sums[1, b] / LIFT / LIFT + ties) * p * p
        s3 = (sums[2, b] / LIFT / LIFT + ties) * p * p * p
        out[0, b] = p
        out[1, b] = log64(total) - ((total - 1.0) - rest) * p - sums[3, b] * p  # the second term: what 1 + rest lost
        out[2, b] = 1.0 / (p * p + s2)
        out[3, b] = np.sqrt(p * p * r * r + s2 * (1.0 + 2.0 * p * p + s2) - 2.0 * s3)
