"""What the lab "Scaling rules side by side" yields."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.records import Estimate, Walk, freeze
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """What each rule makes of rows along the dimension, or along the number of keys.

    Attributes
    ----------
    field : {"dim", "keys"}
        What changes; all else is the scenario's.
    at : int64 array, shape (points,)
        Values of the field that are measured, each on rows of its own that all rules share.
    rows : int64 array, shape (points,)
        0 where nothing is measured (yet).
    largest, median, entropy : Estimate, of shape (rules, points)
        Mean and median over rows of the largest weight, and mean entropy in nats; nan where nothing is measured.
    line_at : int64 array, shape (places,)
    line_largest, line_entropy : float64 array, shape (rules, places)
        What theory expects on average, averaged over the query's length; nan where there is no closed form or none yet.
    reasons : tuple of str
        Why points are left out; empty where none is.
    """

    field: str
    at: Whole
    rows: Whole
    largest: Estimate
    median: Estimate
    entropy: Estimate
    line_at: Whole
    line_largest: Floats
    line_entropy: Floats
    reasons: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True)
class SeedLine:
    """One row of the printed table beside what it should say.

    Attributes
    ----------
    dim : int
    scaling : str
    mean, sd, largest : float
        As printed.
    measured : dict
        A record of `experiments.table`, with as many keys as were asked for.
    theory_largest : float
        Exact mean of the largest weight for these keys.
    ceiling : float
        The same for two keys, the fewest: no mean can be larger.
    keys : float
        Number of keys for which the printed largest weight is the exact mean; nan beyond the ceiling.
    """

    dim: int
    scaling: str
    mean: float
    sd: float
    largest: float
    measured: dict[str, Any]
    theory_largest: float
    ceiling: float
    keys: float


@dataclass(frozen=True, slots=True, eq=False)
class Scalings:
    """Result of the lab "Scaling rules side by side".

    Attributes
    ----------
    scenario : Scenario
    walk : Walk
        The row that all rules weigh, along the dimension, without an ensemble.
    by_dim, by_keys : Scan
    table : tuple of dict
        Records of `experiments.table`, a dimension and a rule each, with theory's `theory_largest_weight` and
        `theory_entropy` beside them.
    seed : tuple of SeedLine
    fraction : float
    vectors : None
    """

    experiment: ClassVar[str] = "scalings"

    scenario: Scenario
    walk: Walk
    by_dim: Scan
    by_keys: Scan
    table: tuple[dict[str, Any], ...] = ()
    seed: tuple[SeedLine, ...] = ()
    fraction: float = 1.0
    vectors: Vectors | None = None

    @property
    def moments(self) -> Whole:
        """The dimensions at which the row's weights are known."""
        return self.walk.row.steps
