"""What a number format is made of."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberFormat:
    """A number format as the registry knows it.

    Attributes
    ----------
    key : str
        The id in files, options and the API.
    title, formula, source : str
    sentences : tuple of str
        What it is, and what it does to attention.
    digits : int
        Significant bits, the hidden one included.
    least_exponent : int
        Of the smallest normal number m 2^e with 1/2 <= m < 1; below it lie the subnormals.
    largest : float
        Largest finite number.
    overflow : float
        What a larger one becomes: inf, or nan in a format without infinities.
    """

    key: str
    title: str
    formula: str
    source: str
    sentences: tuple[str, str]
    digits: int
    least_exponent: int
    largest: float
    overflow: float = math.inf

    @property
    def unit_roundoff(self) -> float:
        """Largest relative error of rounding to nearest, 2^-digits."""
        return math.ldexp(1.0, -self.digits)

    @property
    def smallest_normal(self) -> float:
        """Smallest number with all its digits."""
        return math.ldexp(1.0, self.least_exponent - 1)

    @property
    def smallest(self) -> float:
        """Smallest positive number, a subnormal."""
        return math.ldexp(1.0, self.least_exponent - self.digits)

    @property
    def exp_overflow(self) -> float:
        """From which x on exp(x) is larger than the largest number."""
        return math.log(self.largest)

    @property
    def exp_normal_floor(self) -> float:
        """Below which x exp(x) loses digits."""
        return math.log(self.smallest_normal)

    @property
    def exp_zero(self) -> float:
        """Below which x exp(x) is rounded to 0: half the smallest number."""
        return math.log(self.smallest) - math.log(2.0)

    def round(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values rounded to the nearest number of the format, ties to even.

        Parameters
        ----------
        values : float64 array, any shape
        """
        if self.digits >= 53:
            return values
        from attnsim.kernels.float_rounding import Format, round_to

        rounded = round_to(values, Format(self.digits, self.least_exponent, self.largest, self.overflow))
        return np.asarray(rounded, dtype=np.float64)
