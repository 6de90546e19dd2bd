"""Independent float32 variates of unit variance for kernels that draw every component."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.exponential import exp32
from attnsim.kernels.lanes import LANES, TO_ANGLE, normal_pair32, unit32
from attnsim.kernels.polynomials import F32, I32, bits_of, float_of, log32, sine_cosine32

Law = Literal["normal", "uniform", "laplace", "sign", "student_t", "lognormal", "sparse"]

NORMAL, UNIFORM, LAPLACE, SIGN, STUDENT, LOGNORMAL, SPARSE = 0, 1, 2, 3, 4, 5, 6
ROOT_12, ROOT_3, ROOT_HALF = F32(math.sqrt(12.0)), F32(math.sqrt(3.0)), F32(math.sqrt(0.5))
MINUS_ONE, ONE, HALF, ZERO = F32(-1.0), F32(1.0), F32(0.5), F32(0.0)
THIRD, QUARTER, SERIES_BELOW = F32(1.0 / 3.0), F32(0.25), F32(0.05)
SIGN_SHIFT = I32(31)


@dataclass(frozen=True, slots=True)
class LawKind:
    """What the loops and their wrappers know of a law.

    Attributes
    ----------
    code : int
    shape : tuple of float or None
        Limits of its parameter; None where it has none.
    wide : bool
        Whether a pair of variates takes four random words instead of two.
    """

    code: int
    shape: tuple[float, float] | None = None
    wide: bool = False


LAWS: dict[Law, LawKind] = {
    "normal": LawKind(NORMAL),
    "uniform": LawKind(UNIFORM),
    "laplace": LawKind(LAPLACE),
    "sign": LawKind(SIGN),
    "student_t": LawKind(STUDENT, shape=(0.6, 1e6), wide=True),  # degrees of freedom; unit variance above 2
    "lognormal": LawKind(LOGNORMAL, shape=(0.01, 3.0)),  # standard deviation of the logarithm; centred
    "sparse": LawKind(SPARSE, shape=(1e-4, 1.0), wide=True),  # share of components that are not 0
}


def law_numbers(law: Law, shape: float | None) -> NDArray[np.float32]:
    """Return the three numbers by which the loops draw a law.

    Parameters
    ----------
    law : str
        A name in `LAWS`.
    shape : float or None
        Its parameter, if it has one.

    Returns
    -------
    float32 array, shape (3,)

    Raises
    ------
    ValueError
        If there is no such law, or `shape` is missing, not wanted or outside its limits.
    """
    if law not in LAWS:
        raise ValueError(f"law must be one of {', '.join(LAWS)}, not {law}")
    limits = LAWS[law].shape
    if limits is None:
        if shape is not None:
            raise ValueError(f"shape must be left out for the law {law}, not {shape}")
        return np.zeros(3, np.float32)
    if shape is None or not limits[0] <= shape <= limits[1]:
        raise ValueError(f"shape must lie in {limits[0]}..{limits[1]} for the law {law}, not {shape}")
    if law == "student_t":
        numbers = [shape, 2.0 / shape, math.sqrt((shape - 2.0) / shape) if shape > 2.0 else 1.0]
    elif law == "lognormal":
        w = math.exp(shape * shape)
        numbers = [shape, math.sqrt(w), 1.0 / math.sqrt((w - 1.0) * w)]
    else:
        numbers = [shape, 0.0, 1.0 / math.sqrt(shape)]
    return np.array(numbers, np.float32)


@compiled(inlined=True, freedom="fused")
def fill_variates(x, y, words, half, law, shape):
    """Fill x and y, float32 of shape (LANES,), with independent variates of a law.

    `words`, uint32 of shape (4, LANES), feeds two such pairs, half 0 and half 1, or one where the law is wide. Each law
    has its loop: a choice inside one would keep it from running in vectors.
    """
    first, second = words[2 * half], words[2 * half + 1]
    if law == NORMAL:
        for lane in range(LANES):
            x[lane], y[lane] = normal_pair32(first[lane], second[lane])
    elif law == UNIFORM:
        for lane in range(LANES):
            x[lane], y[lane] = ROOT_12 * unit32(first[lane]) - ROOT_3, ROOT_12 * unit32(second[lane]) - ROOT_3
    elif law == LAPLACE:
        for lane in range(LANES):
            x[lane], y[lane] = _laplace(first[lane]), _laplace(second[lane])
    elif law == SIGN:
        for lane in range(LANES):
            x[lane], y[lane] = _sign(first[lane]), _sign(second[lane])
    elif law == LOGNORMAL:
        for lane in range(LANES):
            a, b = normal_pair32(first[lane], second[lane])
            x[lane], y[lane] = _lognormal(a, shape), _lognormal(b, shape)
    elif law == STUDENT:
        for lane in range(LANES):
            x[lane], y[lane] = (
                _student(first[lane], second[lane], shape),
                _student(words[2, lane], words[3, lane], shape),
            )
    else:
        for lane in range(LANES):
            a, b = normal_pair32(first[lane], second[lane])
            x[lane], y[lane] = _sparse(a, words[2, lane], shape), _sparse(b, words[3, lane], shape)


@compiled(inlined=True)
def _sign(word):
    return ONE if word & np.uint32(1) else MINUS_ONE


@compiled(inlined=True, freedom="fused")
def _lognormal(normal, shape):
    return (exp32(shape[0] * normal) - shape[1]) * shape[2]


@compiled(inlined=True, freedom="fused")
def _sparse(normal, word, shape):
    return normal * shape[2] if unit32(word) < shape[0] else ZERO


@compiled(inlined=True, freedom="fused")
def _laplace(word):
    """Return a Laplace variate; the lowest bit of its word chooses the side."""
    size = -ROOT_HALF * log32(unit32(word))
    return float_of(I32(bits_of(size) ^ I32(I32(word) << SIGN_SHIFT)))


@compiled(inlined=True, freedom="fused")
def _student(first, second, shape):
    """Return a Student variate (Bailey, Math. Comp. 62, 1994): R cos a with R^2 = nu (u^(-2/nu) - 1)."""
    y = -log32(unit32(first)) * shape[1]
    small = y * (ONE + HALF * y * (ONE + THIRD * y * (ONE + QUARTER * y)))
    grown = small if y < SERIES_BELOW else exp32(y) - ONE
    radius = F32(math.sqrt(shape[0] * grown)) * shape[2]
    turn = I32(second)
    _, cosine = sine_cosine32(F32(turn) * TO_ANGLE)
    return float_of(I32(bits_of(radius * cosine) ^ I32(turn << SIGN_SHIFT)))
