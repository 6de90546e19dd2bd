"""What the lab "Score spread" yields."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.records import Ensemble, Estimate, Theory, freeze
from attnsim.experiments.result import STILL
from attnsim.experiments.spread.cases import Case
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Quantiles:
    """Quantiles of the measured scores at the chances a law gives to some scores.

    Attributes
    ----------
    scores, chances : float64 array, shape (points,)
        Raw scores x, ascending, and P(S <= x) under the law: the exact one, else the normal limit.
    normal : float64 array, shape (points,)
        Quantiles of the standard normal law at these chances.
    value, low, high : float64 array, shape (points,)
        Quantiles of the sample at these chances with 95 % intervals; nan where too few scores lie beyond.
    center, scale : float
        Mean and standard deviation of the normal limit; median and quartile range / 1.349 without a variance.
    exact : bool
        Whether the chances are those of the exact law.
    """

    scores: Floats
    chances: Floats
    normal: Floats
    value: Floats
    low: Floats
    high: Floats
    center: float
    scale: float
    exact: bool

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Growth:
    """Spread of one case along the dimension.

    Attributes
    ----------
    case : Case
    dims : int64 array, shape (points,)
        Each with rows of its own.
    rows : int64 array, shape (points,)
        0 where nothing is measured yet.
    sd, within_sd : Estimate
        Over all pairs, and root of the mean variance within a row; nan where nothing is measured.
    theory_sd, theory_within_sd : float64 array, shape (points,)
        nan where there is no closed form.
    line_dims, line_sd, line_within_sd : float64 array, shape (places,)
        The closed forms on a fine grid.
    crossover : float
        Where Var = alpha d + beta d^2 turns from the one part to the other; inf without beta.
    """

    case: Case
    dims: Whole
    rows: Whole
    sd: Estimate
    within_sd: Estimate
    theory_sd: Floats
    theory_within_sd: Floats
    line_dims: Floats
    line_sd: Floats
    line_within_sd: Floats
    crossover: float

    def __post_init__(self) -> None:
        freeze(self)

    def place(self, dim: int) -> int:
        """Return which of the points has a dimension."""
        return int(np.searchsorted(self.dims, dim))


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Result of the lab "Score spread".

    Attributes
    ----------
    scenario : Scenario
    theory : Theory
        Closed forms at the scenario's dimension.
    ensemble : Ensemble
        Many rows at the scenario's dimension.
    share_low, share_high : float64 array, shape (bins,)
        95 % interval of the share of scores in each of the ensemble's bins, from what differs between rows.
    limit : float64 array, shape (bins,)
        Mean density of the normal limit in the ensemble's bins; nan without a variance.
    quantiles : Quantiles
    cases : tuple of Growth
        Those the law allows.
    refused : tuple of Case
        The others.
    fraction : float
    vectors : None
    """

    experiment: ClassVar[str] = "spread"

    scenario: Scenario
    theory: Theory
    ensemble: Ensemble
    share_low: Floats
    share_high: Floats
    limit: Floats
    quantiles: Quantiles
    cases: tuple[Growth, ...]
    refused: tuple[Case, ...] = ()
    fraction: float = 1.0
    vectors: Vectors | None = None

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def moments(self) -> Whole:
        """Nothing moves."""
        return STILL

    def named(self, key: str) -> Growth | None:
        """Return the case of a name; None where the law refuses it."""
        return next((growth for growth in self.cases if growth.case.key == key), None)
