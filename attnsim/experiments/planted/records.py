"""What the lab "Planted key" yields."""

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


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """The planted key along one field of the scenario; nan where nothing is known (yet).

    Attributes
    ----------
    axis : str
        "dim", "keys" or "rho".
    at : float64 array, shape (points,)
        Rising.
    rows : int64 array, shape (points,)
        Rows drawn so far.
    weight, error, low, high : float64 array, shape (rules, points)
        Mean weight of the planted key, its standard error and 95 % interval.
    expected : float64 array, shape (rules, points)
        Its exact mean.
    found, found_low, found_high : float64 array, shape (points,)
        Share of the rows in which the planted key alone has the largest score, and its 95 % interval; no rule that is
        a positive factor changes it.
    found_expected : float64 array, shape (points,)
        The exact chance.
    """

    axis: str
    at: Floats
    rows: NDArray[np.int64]
    weight: Floats
    error: Floats
    low: Floats
    high: Floats
    expected: Floats
    found: Floats
    found_low: Floats
    found_high: Floats
    found_expected: Floats

    def __post_init__(self) -> None:
        freeze(self)

    def place(self, value: float) -> int:
        """Return the point nearest to a value."""
        return int(np.argmin(np.abs(self.at - value)))


@dataclass(frozen=True, slots=True, eq=False)
class Map:
    """Exact means over two fields, of standard normal components; nan where they are not computed yet.

    Attributes
    ----------
    axis : str
        "dim" or "rho", the other field being the number of keys.
    at, keys : float64 array, shape (columns,), (lines,)
        Rising.
    weight : float64 array, shape (rules, lines, columns)
    found : float64 array, shape (lines, columns)
    """

    axis: str
    at: Floats
    keys: Floats
    weight: Floats
    found: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """The planted key's exact mean weight in the scenario's row under any factor; nan where it is not computed.

    Attributes
    ----------
    at : float64 array, shape (points,)
        Factor of the raw score times the root of d, rising: 1 is 1/sqrt(d).
    weight : float64 array, shape (points,)
    """

    at: Floats
    weight: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Planted:
    """Result of the lab "Planted key".

    Attributes
    ----------
    scenario : Scenario
        As it was asked for; what is drawn has one aligned key, no mask and double precision.
    rules : tuple of Rule
        At the scenario's own dimension and keys.
    sweeps : tuple of Sweep
        Along dim, keys and rho; the scenario's own value is a point of each.
    maps : tuple of Map
        Over (dim, keys) and (rho, keys).
    scale : Scale
        Over the factor of the score.
    why_silent : str
        Why theory says nothing about the weight; empty where it does.
    """

    experiment: ClassVar[str] = "planted"

    scenario: Scenario
    rules: tuple[Rule, ...]
    sweeps: tuple[Sweep, ...]
    maps: tuple[Map, ...]
    scale: Scale
    why_silent: str
    fraction: float
    vectors: Vectors | None = None

    @property
    def moments(self) -> NDArray[np.int64]:
        """Nothing moves."""
        return STILL

    def sweep(self, axis: str) -> Sweep:
        """Return the sweep along a field."""
        return next(each for each in self.sweeps if each.axis == axis)

    def map(self, axis: str) -> Map:
        """Return the map over a field and the number of keys."""
        return next(each for each in self.maps if each.axis == axis)
