"""In what numbers attention computes: those of the machine, or those of a low-precision format, emulated."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.attention_softmax import (
    rounded_score_gradients,
    rounded_weights,
    score_gradients,
    weights_of_rows,
)
from attnsim.kernels.compiled import compiled
from attnsim.kernels.float_rounding import FORMATS, round_to, rounded

Floats = NDArray[Any]


class Arithmetic(Protocol):
    """The operations that attention is made of.

    Attributes
    ----------
    early : bool
        Whether the scale is put on the queries (fewer numbers) instead of on the scores.
    """

    early: bool

    def round(self, x: Floats) -> None:
        """Round an array in place."""

    def store(self, x: Floats) -> None:
        """Round a result in place."""

    def product(self, a: Floats, b: Floats, out: Floats) -> None:
        """Fill `out` with a @ b."""

    def add_product(self, total: Floats, a: Floats, b: Floats) -> None:
        """Add a @ b to a running total, which is rounded by the caller once it is complete."""

    def softmax(self, scores: Floats, logsumexp: Floats) -> None:
        """Turn rows of scores into weights in place; see `attention_softmax.weights_of_rows`."""

    def through_softmax(self, weights: Floats, gradients: Floats) -> None:
        """Turn gradients by weights into gradients by scores in place."""


class Plain:
    """float32 or float64, with products by BLAS and an exponential that runs in lanes."""

    early = True

    def round(self, x: Floats) -> None:
        """Do nothing: the machine has rounded."""

    def store(self, x: Floats) -> None:
        """Do nothing."""

    def product(self, a: Floats, b: Floats, out: Floats) -> None:
        """Fill `out` with a @ b."""
        np.matmul(a, b, out=out)

    def add_product(self, total: Floats, a: Floats, b: Floats) -> None:
        """Add a @ b."""
        total += a @ b

    def softmax(self, scores: Floats, logsumexp: Floats) -> None:
        """Weights of rows."""
        weights_of_rows(scores, logsumexp)

    def through_softmax(self, weights: Floats, gradients: Floats) -> None:
        """Gradients by scores."""
        score_gradients(weights, gradients)


class Fused(Plain):
    """Between inputs and results float32, as in kernels that keep scores and weights to themselves.

    Parameters
    ----------
    number_format : str
        A key of `float_rounding.FORMATS`.
    """

    def __init__(self, number_format: str) -> None:
        self._name = number_format

    def store(self, x: Floats) -> None:
        """Round to the format."""
        x[...] = round_to(x, self._name)


class Rounded:
    """A format below float32: float32 arrays that hold its numbers, rounded to nearest, ties to even.

    Parameters
    ----------
    number_format : str
        A key of `float_rounding.FORMATS`.
    stepwise : bool
        Whether sums are rounded at every step, from left to right, instead of once at their end after running in
        float32. A product of two numbers is never rounded before it is added, as in a fused multiply-add.
    """

    early = False

    def __init__(self, number_format: str, stepwise: bool) -> None:
        f = FORMATS[number_format]
        self._name, self._stepwise = number_format, stepwise
        self._fields = f.digits, f.least_exponent, f.largest, f.overflow

    def round(self, x: Floats) -> None:
        """Round to the format."""
        x[...] = round_to(x, self._name)

    def store(self, x: Floats) -> None:
        """Do nothing: every operation has rounded."""

    def product(self, a: Floats, b: Floats, out: Floats) -> None:
        """Fill `out` with a @ b, rounded."""
        out[...] = 0.0
        self.add_product(out, a, b)
        self.round(out)

    def add_product(self, total: Floats, a: Floats, b: Floats) -> None:
        """Add a @ b."""
        if self._stepwise:
            sums = np.array(total, dtype=np.float64)
            _add_stepwise(sums, np.ascontiguousarray(a), np.ascontiguousarray(b), *self._fields)
            total[...] = sums
        else:
            total += a @ b

    def softmax(self, scores: Floats, logsumexp: Floats) -> None:
        """Weights of rows: rounded once, or after every operation."""
        if self._stepwise:
            rounded_weights(scores, logsumexp, *self._fields)
        else:
            weights_of_rows(scores, logsumexp)
            self.round(scores)

    def through_softmax(self, weights: Floats, gradients: Floats) -> None:
        """Gradients by scores."""
        rounded_score_gradients(weights, gradients, self._stepwise, *self._fields)


def arithmetic(number_format: str, accumulate: str) -> Arithmetic:
    """Return the arithmetic of a format; `attention.attention` says what `accumulate` means."""
    if number_format in ("fp32", "fp64"):
        return Plain()
    return Fused(number_format) if accumulate == "fused" else Rounded(number_format, accumulate == "format")


@compiled
def _add_stepwise(total, a, b, digits, least, largest, overflow):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            factor = np.float64(a[i, j])
            for c in range(b.shape[1]):
                total[i, c] = rounded(total[i, c] + factor * b[j, c], digits, least, largest, overflow)
