"""What the gradients' experiment yields: this row, many rows, and the training run."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from attnsim.choices.scalings import Rule
from attnsim.experiments.records import Floats, Row, Whole, freeze
from attnsim.experiments.result import STILL
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

QUANTITIES = ("jacobian", "scores", "query", "keys")
"""Whose norm is measured: the softmax's derivative itself, and the loss's by logits x, query q and keys K."""


@dataclass(frozen=True, slots=True, eq=False)
class RowGradients:
    """Gradients of one row: the row of the lab "Walk to weights".

    Attributes
    ----------
    row : Row
    factors : float64 array, shape (rules,)
        Multiplier of each rule; nan for a rule that is no factor of the score.
    weights, score_gradients : float64 array, shape (rules, keys)
        p, and the loss's derivative by the logits that enter the softmax.
    query_gradients : float64 array, shape (rules, dim), or None
        By q; None where the components are not known one by one.
    query : float64 array, shape (dim,), or None
        q itself: the derivative by key j is factor * score_gradient_j * q.
    target : int64 array, shape (rules,)
        The key that the loss speaks of.
    norms : float64 array, shape (quantities, rules)
        Of `QUANTITIES`; nan where unknown.
    """

    row: Row
    factors: Floats
    weights: Floats
    score_gradients: Floats
    query_gradients: Floats | None
    query: Floats | None
    target: Whole
    norms: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Gradients over many rows.

    Attributes
    ----------
    dims : int64 array, shape (dims,)
        Rising; the scenario's own is number `place`.
    place, rows : int
    norms : float64 array, shape (quantities, rules, rows)
        At the scenario's dimension, row by row; nan where unknown.
    median, mean, rms : float64 array, shape (3, quantities, rules, dims)
        Value and both ends of the 95 % interval; nan where unknown.
    theory : float64 array, shape (quantities, rules, dims)
        RMS by closed form; nan where there is none, or where it is not computed yet.
    """

    dims: Whole
    place: int
    rows: int
    norms: Floats
    median: Floats
    mean: Floats
    rms: Floats
    theory: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """A small training run under each rule, from the same first matrices and on the same examples.

    Attributes
    ----------
    dim, tokens, width : int
        d_k, tokens of an example, width of a token; `dim` and `tokens` may be smaller than the scenario's.
    seeds, wanted : int
        Runs that have begun, and that are wanted.
    loss, accuracy, needle, score_sd, gradient : float64 array, shape (steps + 1, rules, wanted)
        Loss; share of queries whose largest weight is on the needle; mean weight on it; standard deviation of the
        scaled scores; norm of the gradient by both matrices. nan where a run is not there yet, or has overflowed.
    """

    dim: int
    tokens: int
    width: int
    seeds: int
    wanted: int
    loss: Floats
    accuracy: Floats
    needle: Floats
    score_sd: Floats
    gradient: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Rates:
    """Where the training run learns.

    Attributes
    ----------
    rates : float64 array, shape (rates,)
        Learning rates, rising.
    steps : int
        Of each run.
    accuracy : float64 array, shape (rates, rules, runs)
        Mean over the last steps; nan where a run is not made yet.
    """

    rates: Floats
    steps: int
    accuracy: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Gradients:
    """Result of the lab "Gradients".

    Attributes
    ----------
    scenario : Scenario
    rules : tuple of Rule
    row : RowGradients
    spread : Spread or None
        None before its first rows, or where a single row would take too long (`too_large`).
    training : Training or None
        None before its first steps, or when it is switched off.
    rates : Rates or None
        None unless they are asked for.
    fraction : float
    too_large : bool
        Whether rows of this law and size are too costly for an ensemble.
    """

    experiment: ClassVar[str] = "gradients"

    scenario: Scenario
    rules: tuple[Rule, ...]
    row: RowGradients
    spread: Spread | None = None
    training: Training | None = None
    rates: Rates | None = None
    fraction: float = 1.0
    too_large: bool = False
    vectors: Vectors | None = None

    @property
    def moments(self) -> Whole:
        """The steps of the training run."""
        options = self.scenario.section
        return STILL if options.training == "off" else _steps(options.training_steps)


def _steps(last: int) -> Whole:
    return np.arange(last + 1, dtype=np.int64)
