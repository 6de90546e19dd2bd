"""Moments of data to fourth order, which parts of the data can be merged from."""

import math
from dataclasses import dataclass
from functools import reduce
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.threads import run_chunks

CHUNK = 1 << 17  # values; fixed, since where sums are cut enters their last digit
LEAST_EXPONENT = -1000  # 2^1000 still is a number; subnormal data would need more
BLOCK = 128  # values summed plainly, in lanes; their sums are then added with what rounding lost


@dataclass(frozen=True, slots=True)
class Moments:
    """Count, mean and central power sums of data, kept so that they neither cancel nor overflow.

    Attributes
    ----------
    count : int
    exponent : int
        All that follows is in units of 2^exponent (and of its powers), so that fourth powers of data near 1e150
        still are numbers.
    center, shift : float
        The mean is center + shift; shift is what float64 cannot hold of it.
    sum2, sum3, sum4 : float
        Sums of the powers of (value - mean).
    """

    count: int = 0
    exponent: int = 0
    center: float = math.nan
    shift: float = 0.0
    sum2: float = 0.0
    sum3: float = 0.0
    sum4: float = 0.0

    @property
    def mean(self) -> float:
        """Mean; nan without data."""
        return _scaled(self.center + self.shift, self.exponent)

    @property
    def variance(self) -> float:
        """Mean squared deviation from the mean (divided by the count)."""
        return _scaled(self.sum2 / self.count, 2 * self.exponent) if self.count else math.nan

    @property
    def sample_variance(self) -> float:
        """The unbiased estimate (divided by the count less 1); nan of less than two values."""
        return _scaled(self.sum2 / (self.count - 1), 2 * self.exponent) if self.count > 1 else math.nan

    @property
    def sample_sd(self) -> float:
        """Square root of `sample_variance`."""
        return _scaled(math.sqrt(self.sum2 / (self.count - 1)), self.exponent) if self.count > 1 else math.nan

    @property
    def skewness(self) -> float:
        """Third standardised moment; nan where all values are alike."""
        return self.sum3 / self.count / (self.sum2 / self.count) ** 1.5 if self.sum2 > 0.0 else math.nan

    @property
    def excess_kurtosis(self) -> float:
        """Fourth standardised moment less 3; nan where all values are alike."""
        return self.sum4 * self.count / self.sum2 / self.sum2 - 3.0 if self.sum2 > 0.0 else math.nan

    def merge(self, other: Self) -> "Moments":
        """Return the moments of both data together.

        References
        ----------
        .. [1] P. Pebay, "Formulas for robust, one-pass parallel computation of covariances and arbitrary-order
           statistical moments", SAND2008-6212, 2008, Sec. 3.
        """
        if not self.count or not other.count:
            return self if self.count else other
        exponent = max(self.exponent, other.exponent)
        a, b = self._in_units(exponent), other._in_units(exponent)
        n, m, total = float(a.count), float(b.count), float(a.count + b.count)
        d = (b.center - a.center) + (b.shift - a.shift)
        center, shift = _two_sum(a.center, a.shift + d * (m / total))
        sum2 = a.sum2 + b.sum2 + d * d * n * m / total
        sum3 = a.sum3 + b.sum3 + d**3 * n * m * (n - m) / total**2 + 3.0 * d * (n * b.sum2 - m * a.sum2) / total
        sum4 = (
            a.sum4 + b.sum4
            + d**4 * n * m * (n * n - n * m + m * m) / total**3
            + 6.0 * d * d * (n * n * b.sum2 + m * m * a.sum2) / total**2
            + 4.0 * d * (n * b.sum3 - m * a.sum3) / total
        )  # fmt: skip
        return Moments(a.count + b.count, exponent, center, shift, sum2, sum3, sum4)

    def _in_units(self, exponent: int) -> "Moments":
        by = self.exponent - exponent
        if by == 0:
            return self
        scaled = (math.ldexp(self.center, by), math.ldexp(self.shift, by))
        sums = (math.ldexp(self.sum2, 2 * by), math.ldexp(self.sum3, 3 * by), math.ldexp(self.sum4, 4 * by))
        return Moments(self.count, exponent, *scaled, *sums)


def moments(values: ArrayLike, threads: int = 1) -> Moments:
    """Return the moments of data.

    Parameters
    ----------
    values : array_like of real numbers, any shape
        Taken in order of memory rows; nan or an infinity makes everything but the count nan.
    threads : int
        The result's bits do not depend on it.

    Returns
    -------
    Moments
        To 14 digits and more, also where the mean is 10^7 standard deviations away from 0.

    Raises
    ------
    ValueError
        If the values are no real numbers, or `threads` is less than 1.
    """
    flat = real_line(values)
    if flat.size == 0:
        return Moments()
    reach = float(max(flat.max(), -flat.min()))
    exponent = max(math.frexp(reach)[1], LEAST_EXPONENT) if math.isfinite(reach) else 0
    if reach == 0.0:
        exponent = LEAST_EXPONENT  # zeros, merged with data however small, must not set the unit
    unit = math.ldexp(1.0, -exponent)

    def part(number: int) -> Moments:
        chunk = flat[number * CHUNK : (number + 1) * CHUNK]
        return Moments(chunk.size, exponent, *(float(x) for x in _chunk_sums(chunk, unit)))

    parts = run_chunks(part, -(-flat.size // CHUNK), threads)
    return reduce(Moments.merge, parts)


def real_line(values: ArrayLike) -> NDArray[Any]:
    """Return values in one line, float32 or float64; ValueError if they are no real numbers."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise ValueError(f"values needs real numbers of 64 bits at most; got dtype {array.dtype}")
    kind = np.float32 if array.dtype == np.float32 else np.float64
    return np.ascontiguousarray(array.reshape(-1), dtype=kind)


def _scaled(x: float, exponent: int) -> float:
    try:
        return math.ldexp(x, exponent)
    except OverflowError:
        return math.copysign(math.inf, x)


def _two_sum(a: float, b: float) -> tuple[float, float]:
    """Return a + b and what rounding it lost (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@compiled
def _chunk_sums(chunk, unit):
    """Return center, shift and the central power sums of a chunk times `unit`: two passes, the second corrects."""
    n = float(chunk.size)
    total, lost = 0.0, 0.0
    for start in range(0, chunk.size, BLOCK):
        one, _, _, _ = _block_sums(chunk[start : start + BLOCK], unit, 0.0)
        total, error = two_sum(total, one)
        lost += error
    center = (total + lost) / n
    sums, losses = np.zeros(4), np.zeros(4)
    for start in range(0, chunk.size, BLOCK):
        powers = _block_sums(chunk[start : start + BLOCK], unit, center)
        for k in range(4):
            sums[k], error = two_sum(sums[k], powers[k])
            losses[k] += error
    s1, s2, s3, s4 = sums + losses
    d = s1 / n
    sum2 = s2 - d * s1
    sum3 = s3 - 3.0 * d * s2 + 2.0 * n * d * d * d
    sum4 = s4 - 4.0 * d * s3 + 6.0 * d * d * s2 - 3.0 * n * d * d * d * d
    return center, d, sum2, sum3, sum4


@compiled
def two_sum(a, b):
    """Return a + b and what rounding it lost (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@compiled(inlined=True, freedom="any order")
def _block_sums(block, unit, center):
    """Return sums of the first four powers of unit * value - center."""
    one, two, three, four = 0.0, 0.0, 0.0, 0.0
    for i in range(block.size):
        x = np.float64(block[i]) * unit - center
        square = x * x
        one += x
        two += square
        three += square * x
        four += square * square
    return one, two, three, four
