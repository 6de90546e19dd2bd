"""What the phase diagram yields: the same three numbers of a row's weights over a plane, exact and measured."""

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

METRICS = ("sum_p2", "entropy", "largest_weight")  # mean sum p^2, mean entropy over ln n, mean largest weight


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Means over drawn rows of the three numbers, with their standard errors.

    Attributes
    ----------
    mean, error : float64 array, shape (..., 3, keys, x)
        nan where nothing is drawn; the error also where one row is, or too few to have met the rare ones.
    theory : float64 array, the same shape
        The exact means there; nan where there is no closed form.
    rows : int64 array, shape (keys, x)
    """

    mean: Floats
    error: Floats
    theory: Floats
    rows: Whole

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def deviation(self) -> Floats:
        """(mean - theory) in standard errors."""
        with np.errstate(divide="ignore", invalid="ignore"):
            z = (self.mean - self.theory) / self.error
        return np.asarray(np.where(np.isfinite(z), z, np.nan))


@dataclass(frozen=True, slots=True, eq=False)
class Phase:
    """A map over a plane, and cuts through it at the scenario's number of keys.

    Attributes
    ----------
    plane : {"spread", "dimension"}
    rules : tuple of Rule
        Those of the scenario, at its own n.
    x : float64 array, shape (x,)
        Spreads or dimensions of the map, rising.
    keys : float64 array, shape (keys,)
    theory : float64 array, shape (maps, 3, keys, x)
        Exact means; one map for the spread, one a rule for the dimension. nan where there is no closed form.
    exact : bool array, shape (keys,)
        False for rows of the first sketch, which is within 0.09.
    cut : float64 array, shape (maps, 3, x)
        The same at the scenario's n; nan until it is computed.
    limits : float64 array, shape (3, x)
        The limit law of the condensed phase at the scenario's n, with e_n for its threshold; nan below it, and over
        the dimension.
    thresholds : float64 array, shape (2, keys)
        s_c = sqrt(2 ln n) and e_n, the mean of the largest of n standard normals.
    borders : float64 array, shape (maps, 2, keys)
        Where along x the spread reaches each of them; nan where it does not.
    own_maximum : float
        e_n at the scenario's n.
    spreads : float64 array, shape (rules,)
        Spread within a row of the scenario's scaled scores; nan where the rule is no factor.
    sample : Measured
        On a coarser grid `sample_x`, `sample_keys`, shapes (maps, 3, keys, x).
    cut_sample : Measured
        At the scenario's n over `sample_x`, shapes (maps, 3, 1, x).
    here : Measured
        At the scenario's own dimension and n, shapes (rules, 3, 1, 1).
    note : str
        Why theory is silent; else empty.
    fraction : float
    """

    experiment: ClassVar[str] = "phase"

    scenario: Scenario
    plane: str
    rules: tuple[Rule, ...]
    x: Floats
    keys: Floats
    theory: Floats
    exact: NDArray[np.bool_]
    cut: Floats
    limits: Floats
    thresholds: Floats
    borders: Floats
    own_maximum: float
    spreads: Floats
    sample_x: Floats
    sample_keys: Floats
    sample: Measured
    cut_sample: Measured
    here: Measured
    note: str
    fraction: float
    vectors: Vectors | None = None

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def moments(self) -> Whole:
        """Nothing moves."""
        return STILL
