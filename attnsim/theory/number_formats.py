"""Limits of number formats, and the chance that an unshifted softmax overflows in them."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.limits import within
from attnsim.theory.row_spread import query_norms
from attnsim.words import _

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FormatLimits:
    """A binary floating-point format.

    Attributes
    ----------
    digits : int
        Bits of the significand, the leading one counted.
    lowest : int
        Exponent e of the least normal number 2^(e - 1).
    largest : float
        The largest finite number.
    """

    digits: int
    lowest: int
    largest: float

    @property
    def rounding(self) -> float:
        """Unit roundoff 2^-p."""
        return 2.0**-self.digits

    @property
    def overflow_score(self) -> float:
        """The score beyond which exp rounds to infinity (or the format has no number for it)."""
        if self.digits == 53:
            return math.log(self.largest)
        half = 2.0 ** (math.floor(math.log2(self.largest)) - self.digits)
        return math.log(self.largest + half)

    @property
    def normal_score(self) -> float:
        """The score below which exp is subnormal."""
        return (self.lowest - 1) * math.log(2.0)

    @property
    def zero_score(self) -> float:
        """The score below which exp rounds to 0, where the format has subnormal numbers."""
        return (self.lowest - self.digits - 1) * math.log(2.0)


FORMATS = {
    "fp64": FormatLimits(53, -1021, 1.7976931348623157e308),
    "fp32": FormatLimits(24, -125, (2.0 - 2.0**-23) * 2.0**127),
    "tf32": FormatLimits(11, -125, (2.0 - 2.0**-10) * 2.0**127),
    "bf16": FormatLimits(8, -125, (2.0 - 2.0**-7) * 2.0**127),
    "fp16": FormatLimits(11, -13, 65504.0),
    "fp8_e4m3": FormatLimits(4, -5, 448.0),
    "fp8_e5m2": FormatLimits(3, -13, 57344.0),
}


def format_limits(name: str) -> FormatLimits:
    """Return the limits of a format by its id; ValueError names the known ones."""
    if name not in FORMATS:
        raise ValueError(_("format must be among {known}, not {value}").format(known=", ".join(FORMATS), value=name))
    return FORMATS[name]


def score_overflow_probability(name: str, dim: float, multiplier: float = 1.0) -> float:
    """Return P(exp of one score overflows), standard normal components, exact: a normal tail averaged over ||q||."""
    return row_overflow_probability(name, dim, 1.0, multiplier)


def row_overflow_probability(name: str, dim: float, keys: float, multiplier: float = 1.0) -> float:
    """Return P(exp of any score of a row overflows) in a softmax that does not subtract the maximum.

    Parameters
    ----------
    name : str
        Id of a format.
    dim : float
        1 or more; standard normal components.
    keys : float
        1 or more; they share the query.
    multiplier : float
        Of the raw scores, above 0. With the maximum subtracted nothing overflows.

    Returns
    -------
    float
        Exact to full relative accuracy, in the far tail too. The sum of the row may overflow where no
        single term does: `sum_overflow_probability`.
    """
    within("multiplier", multiplier, 0.0, beyond_low=True)
    return float(beyond_probability(format_limits(name).overflow_score / multiplier, dim, keys))


def beyond_probability(score: ArrayLike, dim: float, keys: float = 1.0) -> Floats:
    """Return P(the largest raw score of a row of `keys` exceeds `score`), for any dimension, odd or even.

    Parameters
    ----------
    score : array_like
        0 or more; any shape.
    dim, keys : float
        1 or more.
    """
    from scipy.special import log_ndtr

    x, n = within("score", score, 0.0), float(within("keys", keys, 1.0))
    norms, chances = query_norms(dim, 0.02)
    with np.errstate(under="ignore"):
        below = -np.exp(log_ndtr(-x[..., None] / norms))
        return np.asarray(-np.expm1(n * np.log1p(below)) @ chances, dtype=np.float64)


def sum_overflow_probability(name: str, dim: float, keys: float, multiplier: float = 1.0) -> float:
    """Return P(the sum of exp(score) of a row, added up exactly, overflows).

    Arguments are those of `row_overflow_probability`. Approximate: beside the largest score the others are taken at
    their mean given it. Within 0.01 of simulations, and within 20 % where that is less.
    """
    within("multiplier", multiplier, 0.0, beyond_low=True)
    n = float(within("keys", keys, 1.0))
    norms, chances = query_norms(dim, 0.05)
    kept = chances > 1e-13
    limit = format_limits(name).overflow_score
    beyond = [_sum_beyond(limit, multiplier * float(norm), n) for norm in norms[kept]]
    return float(np.array(beyond) @ chances[kept] / chances[kept].sum())


def _sum_beyond(limit: float, spread: float, keys: float) -> float:
    from scipy.optimize import brentq
    from scipy.special import log_ndtr

    if keys == 1.0:
        return float(np.exp(log_ndtr(-limit / spread)))

    def excess(largest: float) -> float:
        others = math.log(keys - 1.0) + 0.5 * spread**2 + log_ndtr(largest - spread) - log_ndtr(largest)
        return float(np.logaddexp(spread * largest, others)) - limit

    lowest = -30.0
    if excess(lowest) >= 0.0:
        return 1.0
    return float(-np.expm1(keys * log_ndtr(brentq(excess, lowest, limit / spread + 1.0))))


def expected_overflows(name: str, dim: float, rows: float, keys: float, multiplier: float = 1.0) -> float:
    """Return how many of rows x keys scores overflow on average."""
    within("rows", rows, 1.0)
    return rows * float(within("keys", keys, 1.0)) * score_overflow_probability(name, dim, multiplier)


def score_rounding(name: str, score: ArrayLike) -> Floats:
    """Return the root mean square error of rounding a score of this size, ulp/sqrt(12).

    It is the relative error of the score's weight as well: the argument for scaling that the subtracted
    maximum leaves. `score` is any array within the format's range; 0 has none.
    """
    limits = format_limits(name)
    size = within("|score|", np.abs(np.asarray(score, dtype=np.float64)), 0.0, limits.largest)
    exponent = np.maximum(np.frexp(size)[1], limits.lowest)
    return np.where(size == 0.0, 0.0, np.ldexp(1.0, exponent - limits.digits) / math.sqrt(12.0))


def stagnation(name: str) -> float:
    """Return 2^p, where a sum of ones in this format stops growing."""
    return 2.0 ** format_limits(name).digits
