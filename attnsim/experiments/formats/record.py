"""What the number formats yield: limits, chances of overflow, errors of weights and sums; exact and measured."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.scalings import Rule
from attnsim.experiments.records import freeze
from attnsim.experiments.result import STILL
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

NAMES = ("fp64", "fp32", "tf32", "bf16", "fp16", "fp8_e5m2", "fp8_e4m3")
NARROW = NAMES[1:]  # those compared with fp64
WAYS = ("scores", "naive", "stable", "online", "wide")  # of computing weights
ORDERS = ("sequential", "pairwise", "float32")  # of adding up


@dataclass(frozen=True, slots=True, eq=False)
class Limits:
    """Where exp leaves each format, shape (formats,): exact, and found by trying.

    Attributes
    ----------
    largest : float64 array
        Largest finite number.
    overflow, normal, zero : float64 array
        The score beyond which exp overflows, below which it loses digits, below which it is 0.
    found_overflow, found_zero : float64 array
        The same two by bisection with the rounding kernel.
    """

    largest: Floats
    overflow: Floats
    normal: Floats
    zero: Floats
    found_overflow: Floats
    found_zero: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """Chances over draws, against the dimension.

    Attributes
    ----------
    dims : float64 array, shape (dims,)
    row_overflow : float64 array, shape (rules, formats, dims)
        P(exp of some score of a row overflows) without subtracting the maximum; nan without closed form.
    beyond : float64 array, shape (dims,)
        P(|score| > claim); nan without closed form.
    border : float64 array, shape (dims,)
        |score| that one pair in a million of independent standard normal vectors exceeds.
    sigmas, product : float64 array, shape (sigmas,), (formats, sigmas)
        Sizes sigma_q sigma_k, and P(|score| overflows the format) at the scenario's dimension.
    """

    dims: Floats
    row_overflow: Floats
    beyond: Floats
    border: Floats
    sigmas: Floats
    product: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """The same from drawn rows, shares and standard errors; nan where nothing is drawn.

    Attributes
    ----------
    dims : float64 array, shape (samples,)
        The last is the scenario's own.
    rows : int64 array, shape (samples,)
    row_overflow, row_error : float64 array, shape (rules, formats, samples)
    beyond, beyond_error : float64 array, shape (samples,)
    product, product_error : float64 array, shape (formats, sigmas)
    """

    dims: Floats
    rows: Whole
    row_overflow: Floats
    row_error: Floats
    beyond: Floats
    beyond_error: Floats
    product: Floats
    product_error: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Rounding:
    """Errors of weights against fp64, root mean square of |p' - p|_2 over rows.

    Attributes
    ----------
    error, low, high : float64 array, shape (rules, narrow formats, ways)
        Over the rows that survive, with the ends of the 95 % interval; nan where none does.
    lost : float64 array, the same shape
        Share of rows with inf or nan.
    lost_after : float64 array, shape (rules, narrow formats)
        Share of rows lost already by a score too large for the format, when the scale comes after the product.
    predicted : float64 array, shape (rules, narrow formats)
        By rounding of the logits alone, to first order; nan where a logit is beyond the format.
    rows, keys : int
    """

    error: Floats
    low: Floats
    high: Floats
    lost: Floats
    lost_after: Floats
    predicted: Floats
    rows: int
    keys: int

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Sums by the order of adding up.

    Attributes
    ----------
    counts : float64 array, shape (counts,)
    flat : float64 array, shape (formats, orders, counts)
        What n ones add up to, over n; nan where it overflows.
    flat_exact : float64 array, shape (formats, counts)
        The same from left to right, by theory.
    dims : float64 array, shape (dims,)
    error, spread : float64 array, shape (narrow formats, orders, dims)
        Root mean square error of q . k of standard normal vectors over sqrt(d), and its standard error; nan where a
        sum overflows or is not computed yet.
    predicted : float64 array, the same shape
        By independent rounding errors; nan where they are not.
    """

    counts: Floats
    flat: Floats
    flat_exact: Floats
    dims: Floats
    error: Floats
    spread: Floats
    predicted: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Formats:
    """All of it; parts that are not computed yet are None.

    Attributes
    ----------
    factors : float64 array, shape (rules,)
        Multiplier of the raw score at the scenario's dimension; nan for a rule that is none.
    own_overflow : float64 array, shape (rules, formats), or None
        P(exp of some score of a row overflows) at the scenario's own dimension, unrounded; nan where unknown.
    own_beyond : float
        P(|score| > claim) there; nan where unknown.
    note : str
        Why chances have no closed form; else empty.
    """

    experiment: ClassVar[str] = "formats"

    scenario: Scenario
    rules: tuple[Rule, ...]
    factors: Floats
    limits: Limits
    own_overflow: Floats | None
    own_beyond: float
    chances: Chances | None
    drawn: Drawn | None
    rounding: Rounding | None
    sums: Sums | None
    note: str
    fraction: float
    vectors: Vectors | None = None

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def moments(self) -> Whole:
        """Nothing moves."""
        return STILL

    @property
    def claim(self) -> float:
        """The score that is said to be reached easily."""
        return float(self.scenario.section.claim_score)
