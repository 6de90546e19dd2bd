"""What the lab "Initialisation and depth" yields."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.scalings import Rule
from attnsim.choices.sections.initialisation import Depth
from attnsim.experiments.result import STILL
from attnsim.experiments.tally import Means
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors


@dataclass(frozen=True, slots=True, eq=False)
class Initialised:
    """Result of the lab "Initialisation and depth".

    Attributes
    ----------
    scenario : Scenario
        `dim` and `d_model` are those of the head whose scores are looked at.
    section : Depth
    names : tuple of str
        Initialisers of W_Q and W_K.
    scores : Means, shape (names,)
        Standard deviation of the scores divided by the root of d, at the start.
    schemes : tuple of str
        Stacks of layers: an initialiser, or a normalisation.
    signal, gradient : Means, shape (schemes, layers + 1)
        Mean square of a unit behind each layer, the input first; and of the loss's derivative by it, in units of that
        behind the last layer.
    rules : tuple of Rule
        The scale rules of the attention layers, at the width of the tokens.
    pure, skip : Means, shape (rules, layers + 1)
        Geometric mean of 1 - mean cosine of two tokens behind each layer of attention alone, and with skips.
    nets : int
        Stacks drawn so far.
    """

    experiment: ClassVar[str] = "initialisation"

    scenario: Scenario
    section: Depth
    names: tuple[str, ...]
    scores: Means
    schemes: tuple[str, ...]
    signal: Means
    gradient: Means
    rules: tuple[Rule, ...]
    pure: Means
    skip: Means
    nets: int
    fraction: float
    vectors: Vectors | None = None

    @property
    def moments(self) -> NDArray[np.int64]:
        """Nothing moves."""
        return STILL
