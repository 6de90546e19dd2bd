"""Softmax along an axis: stable in lanes, or naive, online and in low precision, one operation after the other."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.exponential import exponential
from attnsim.kernels.float_rounding import FORMATS, round_to
from attnsim.kernels.row_top import is_masked, row_top
from attnsim.kernels.softmax_rounded import METHODS, rounded_rows

Floats = NDArray[Any]

FORMAT_OF = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64"}
BLOCK = 4096  # float32 terms are added up in lanes for so long, then float64 takes over


def softmax(x: ArrayLike, axis: int = -1, method: str = "stable", dtype: Any = None) -> Floats:
    """Return exp(x) / sum(exp(x)) along an axis.

    Parameters
    ----------
    x : array_like of real numbers, any shape
        Scores; -inf masks a key out.
    axis : int
        Along which the weights sum to 1.
    method : {"stable", "naive", "online"}
        "stable" subtracts the row's maximum first. "naive" does not, and overflows as the formula does: inf/inf is
        nan, and 0/0 too where every exponential underflows. "online" goes once over the row with a running
        maximum [1]_: m' = max(m, x), l' = l exp(m - m') + exp(x - m').
    dtype : {"float16", "bfloat16", "float32", "float64"} or numpy dtype, optional
        In which to compute; that of `x` when left out (float64 for whole numbers).

    Returns
    -------
    array of the shape of `x`
        In `dtype`; float32 that holds bfloat16 numbers for "bfloat16".

    Raises
    ------
    ValueError
        If `x` has no axis or no real numbers, or there is no such axis, method or dtype.

    Notes
    -----
    - A row of -inf alone is fully masked and gives 0 everywhere, by convention, with every method.
    - A nan anywhere in a row makes the whole row nan. So does +inf under "stable" and "online" (inf - inf); under
      "naive" it gives nan at its place and 0 elsewhere.
    - An empty axis gives an empty array.
    - "stable" in float32 and float64 sums in lanes; the relative error of a weight exp(x - max) is about
      |x - max| * 2^-24 in float32 and 1e-15 in float64. float32 exponentials below 2^-126 count as 0.
    - "float16" and "bfloat16", and "naive" and "online" in every dtype, round to nearest, ties to even, after each
      operation, from left to right: the score itself, the difference to the maximum, the exponential, (online: the
      product with the old sum,) the running sum, and the quotient. The exponentials are correctly rounded.

    References
    ----------
    .. [1] M. Milakov, N. Gimelshein, "Online normalizer calculation for softmax", 2018.
    """
    scores, name, lines = checked_rows(x, axis, dtype)
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}; got {method!r}")
    if method == "stable" and name in ("float32", "float64"):
        out = np.empty_like(lines)
        if _stable_rows(lines, out):
            clear_masked(lines, out)
    else:
        number_format = FORMATS[FORMAT_OF[name]]
        rows = round_to(lines.astype(np.float64), FORMAT_OF[name])
        out = rounded_rows(rows, method, number_format)
        out = out.astype("float32" if name == "bfloat16" else name)
    return in_shape(out, scores, axis)


def in_shape(rows: Floats, scores: Floats, axis: int) -> Floats:
    """Return rows along an axis in the shape of the scores they came from."""
    if axis in (-1, scores.ndim - 1):
        return rows.reshape(scores.shape)
    return np.moveaxis(rows.reshape(np.moveaxis(scores, axis, -1).shape), -1, axis)


def checked_rows(x: ArrayLike, axis: int, dtype: Any) -> tuple[Floats, str, Floats]:
    """Return x as an array, the name of the dtype to compute in, and x as contiguous rows along the axis.

    Rows are float32 where they are to be computed so, else float64.
    """
    scores = np.asarray(x)
    if scores.dtype.kind not in "biuf" or scores.dtype.itemsize > 8:
        raise ValueError(f"x needs real numbers of 64 bits at most; got dtype {scores.dtype}")
    if scores.ndim == 0:
        raise ValueError("x needs shape (..., keys); got ()")
    if not isinstance(axis, (int, np.integer)) or not -scores.ndim <= axis < scores.ndim:
        ends = f"{-scores.ndim}..{scores.ndim - 1}"
        raise ValueError(f"axis must lie in {ends} for x of shape {scores.shape}; got {axis}")
    name = _dtype_name(scores, dtype)
    moved = scores if axis in (-1, scores.ndim - 1) else np.moveaxis(scores, axis, -1)
    keys = moved.shape[-1]
    kind = np.float32 if name == "float32" else np.float64
    if scores.dtype == kind:
        lines = np.ascontiguousarray(moved)
    else:
        with np.errstate(over="ignore"):  # a score too large for float32 is +inf there
            lines = np.ascontiguousarray(moved, dtype=kind)
    return scores, name, lines.reshape(lines.size // keys if keys else 0, keys)


def _dtype_name(scores: Floats, dtype: Any) -> str:
    if dtype is None:
        return f"float{8 * scores.dtype.itemsize}" if scores.dtype.kind == "f" else "float64"
    try:
        name = dtype if isinstance(dtype, str) and dtype in FORMAT_OF else np.dtype(dtype).name
    except TypeError:
        name = str(dtype)
    if name not in FORMAT_OF:
        raise ValueError(f"dtype must be one of {', '.join(FORMAT_OF)}; got {name}")
    return name


@compiled(freedom="any order")
def _stable_rows(x, out):
    """Fill in the weights of each row; return whether a sum is nan, which a fully masked row's is too."""
    strange = False
    for b in range(x.shape[0]):
        row, line = x[b], out[b]
        top = row_top(row)
        total = 0.0
        for start in range(0, row.size, BLOCK):
            scores, weights = row[start : start + BLOCK], line[start : start + BLOCK]
            part = x.dtype.type(0.0)
            for j in range(scores.size):
                e = exponential(scores[j] - top)
                weights[j] = e
                part += e
            total += part
        strange |= total != total
        inverse = x.dtype.type(1.0 / total)
        for j in range(line.size):
            line[j] *= inverse
    return strange


@compiled
def clear_masked(x, out):
    """Set the lines of rows that are -inf throughout to 0."""
    for b in range(x.shape[0]):
        if is_masked(x[b]):
            out[b, :] = 0.0
