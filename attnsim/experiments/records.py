"""What an experiment yields: frozen numbers, at checkpoints of the dimension."""

import math
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.masks import Sight
from attnsim.choices.scalings import Rule, Sums
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


def freeze(record: Any) -> None:
    """Make the arrays of a record read-only: panels share them."""
    for f in fields(record):
        value = getattr(record, f.name)
        if isinstance(value, np.ndarray):
            value.flags.writeable = False


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured quantity at each checkpoint, with its uncertainty.

    Attributes
    ----------
    value, error : float64 array, shape (checkpoints,)
        The estimate, and its standard error; nan where nothing can be said.
    low, high : float64 array, shape (checkpoints,)
        Ends of the 95 % interval.
    """

    value: Floats
    error: Floats
    low: Floats
    high: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)  # eq would ask arrays for one truth value; identity is enough
class Row:
    """One query and its keys: n walks, whose end points are the scores.

    Attributes
    ----------
    steps : int64 array, shape (checkpoints + 1,)
        Number of components summed; starts at 0 and ends at the dimension.
    walks : float32 or float64 array, shape (checkpoints + 1, keys)
        Running sums of q_i k_ji; row 0 is zero, the last row holds the raw scores.
    mean, sd : float64 array, shape (checkpoints + 1,)
        Law of a key's running sum given this query, for the keys that share one law; `sd` is nan
        where there is none.
    aligned_mean, aligned_sd : float64 array, shape (checkpoints + 1,)
        The same for the aligned key; equal to `mean`, `sd` unless only one key is aligned.
    query_norm : float64 array, shape (checkpoints + 1,)
        sqrt(sum of q_i^2).
    kurtosis : float64 array, shape (checkpoints + 1,)
        Excess kurtosis of a key's running sum given this query; not finite where there is none.
    keys_total : int
        Keys of the row in the scenario; `walks` holds fewer while the rest is still being drawn.
    aligned_key : int or None
        The one aligned key, if only one is.
    query_sum : float64 array, shape (checkpoints + 1,), or None
        Running sum of q_i.
    key_sums, key_squares : float64 or float32 array, shape (checkpoints + 1, keys), or None
        Running sums of k_i and k_i^2; the three of them only where a rule reads the lengths of the keys.
    """

    steps: Whole
    walks: NDArray[np.floating[Any]]
    mean: Floats
    sd: Floats
    aligned_mean: Floats
    aligned_sd: Floats
    query_norm: Floats
    kurtosis: Floats
    keys_total: int
    aligned_key: int | None = None
    query_sum: Floats | None = None
    key_sums: NDArray[np.floating[Any]] | None = None
    key_squares: NDArray[np.floating[Any]] | None = None

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def keys(self) -> int:
        """Keys drawn so far."""
        return int(self.walks.shape[1])

    @property
    def dim(self) -> int:
        """The last checkpoint."""
        return int(self.steps[-1])

    def index(self, playhead: int | None) -> int:
        """Return the checkpoint at or just below a dimension; the last for None."""
        if playhead is None:
            return len(self.steps) - 1
        return int(np.searchsorted(self.steps, playhead, side="right")) - 1

    def scores(self, index: int) -> Floats:
        """Return the raw scores at a checkpoint, shape (keys,)."""
        return np.asarray(self.walks[index], dtype=np.float64)

    def sums(self, index: int) -> Sums:
        """Return what a scale rule may read at a checkpoint."""
        scores, dim = self.scores(index), int(self.steps[index])
        if self.query_sum is None or self.key_sums is None or self.key_squares is None:
            return Sums(scores=scores, dim=dim)
        return Sums(
            scores=scores,
            dim=dim,
            query_sum=self.query_sum[[index]],
            query_square=self.query_norm[[index]] ** 2,
            key_sums=np.asarray(self.key_sums[index], dtype=np.float64),
            key_squares=np.asarray(self.key_squares[index], dtype=np.float64),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Ensemble:
    """Many rows at checkpoints: what scores do over draws.

    Attributes
    ----------
    steps : int64 array, shape (checkpoints,)
        A subset of the row's checkpoints, without 0; the last is the dimension.
    rows, keys_per_row : int
        How many rows were drawn, and how many keys of each.
    mean, sd, within_sd, skewness, excess_kurtosis : Estimate
        Of the raw score over all pairs; `within_sd` is the root of the mean variance within a row.
    counts : int64 array, shape (checkpoints, bins)
    edges : float64 array, shape (checkpoints, bins + 1)
        Raw scores; equal bins.
    density : float64 array, shape (checkpoints, bins)
        Theory's mean density in each bin, per unit of raw score; nan where there is none.
    exact : bool
        Whether `density` is the exact law; else it is the normal limit.
    """

    steps: Whole
    rows: int
    keys_per_row: int
    mean: Estimate
    sd: Estimate
    within_sd: Estimate
    skewness: Estimate
    excess_kurtosis: Estimate
    counts: Whole
    edges: Floats
    density: Floats
    exact: bool

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def scores(self) -> int:
        """Number of scores behind the statistics."""
        return self.rows * self.keys_per_row

    def index(self, step: int) -> int:
        """Return the checkpoint nearest to a dimension."""
        return int(np.argmin(np.abs(self.steps - max(step, 1))))


@dataclass(frozen=True, slots=True, eq=False)
class Theory:
    """Closed forms at the row's checkpoints; nan where there is none.

    Attributes
    ----------
    steps : int64 array, shape (checkpoints + 1,)
    mean, sd, within_sd, skewness, excess_kurtosis : float64 array, shape (checkpoints + 1,)
        Of the raw score over draws: over all pairs, and (`within_sd`) within a row.
    exponent : float64 array, shape (checkpoints + 1,)
        d ln sd / d ln dim: 1/2 where the spread grows like the root, 1 where it grows like d.
    assumption : str
        Empty for an exact law; else what the numbers assume ("components independent").
    """

    steps: Whole
    mean: Floats
    sd: Floats
    within_sd: Floats
    skewness: Floats
    excess_kurtosis: Floats
    exponent: Floats
    assumption: str = ""

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True)
class ExpectedWeights:
    """Expected largest weight and entropy of a row at checkpoints, for each rule.

    Attributes
    ----------
    steps : int64 array, shape (checkpoints,)
    largest_weight, entropy : float64 array, shape (rules, checkpoints)
        nan where there is no closed form; entropy in nats.
    """

    steps: Whole
    largest_weight: Floats
    entropy: Floats

    def __post_init__(self) -> None:
        freeze(self)

    def at(self, rule: int, step: int) -> tuple[float, float]:
        """Return largest weight and entropy at any step, between checkpoints by interpolation in ln(step)."""
        place = math.log(max(step, 1))
        known = np.log(self.steps.astype(np.float64))
        largest, entropy = (np.interp(place, known, part[rule]) for part in (self.largest_weight, self.entropy))
        return float(largest), float(entropy)


@dataclass(frozen=True, slots=True, eq=False)
class Queries:
    """Walks of a few more queries, each with keys of its own.

    Attributes
    ----------
    steps : int64 array, shape (checkpoints + 1,)
        From 0 to the dimension.
    walks : float64 array, shape (queries, checkpoints + 1, keys)
    mean, sd : float64 array, shape (queries, checkpoints + 1)
        Law of a key's running sum given the query; nan where there is none.
    """

    steps: Whole
    walks: Floats
    mean: Floats
    sd: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """Result of the lab "Walk to weights": one draw, its ensemble, and theory.

    Attributes
    ----------
    scenario : Scenario
    row : Row
    theory : Theory
    ensemble : Ensemble or None
        None until its first rows are drawn.
    vectors : Vectors or None
        The real vectors behind the row and the ensemble, if they are real.
    fraction : float
        Share of the work that is done, 0..1.
    expected : ExpectedWeights or None
        What theory expects of the weights over draws; None before it is asked, and for real vectors.
    queries : Queries or None
        A few more queries; None before the second result, for real vectors, and where they would take too long.
    """

    experiment: ClassVar[str] = "walk"

    scenario: Scenario
    row: Row
    theory: Theory
    ensemble: Ensemble | None = None
    vectors: Vectors | None = None
    fraction: float = 1.0
    expected: ExpectedWeights | None = None
    queries: Queries | None = None

    @property
    def moments(self) -> Whole:
        """The dimensions at which the playhead may stand."""
        return self.row.steps

    @property
    def sight(self) -> Sight:
        """From where the mask is looked at: a drawn row is that of the last query."""
        last = self.row.keys_total - 1
        return self.scenario.sight(last if self.vectors is None else min(self.vectors.row, last))

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The scale rules, with what they know of this scenario."""
        return _rules_of(self)

    @property
    def complete(self) -> bool:
        """Whether nothing more will come."""
        return self.fraction >= 1.0


@lru_cache(maxsize=4)
def _rules_of(result: Walk) -> tuple[Rule, ...]:
    """Return a result's rules; every figure asks for them on every frame."""
    steps = result.theory.steps.astype(np.float64)
    return result.scenario.rules_of(result.sight, steps=steps, spread=result.theory.within_sd)
