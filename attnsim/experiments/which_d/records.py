"""What the lab "Which d?" yields."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.sections.which_d import VARIANTS, WhichD
from attnsim.experiments.records import Estimate, freeze
from attnsim.experiments.result import STILL
from attnsim.scenario import Scenario

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

SYMPTOMS = ("spread", "entropy", "largest", "gradient")


@dataclass(frozen=True, slots=True, eq=False)
class Symptoms:
    """Symptoms of every variant, in the order of `VARIANTS`.

    Attributes
    ----------
    scenario : Scenario
        With a `WhichD` section.
    letters : tuple of str
        The variants in the order in which they are called A, B, ..
    mystery : str
        The variant whose symptoms are to be named.
    rows, keys_drawn : int
        Rows behind the numbers, and how many keys of each; weights are measured where these are all keys.
    steps : int64 array, shape (checkpoints,)
        Dimensions up to that of the head.
    factors : float64 array, shape (variants, checkpoints)
        Of the raw score, as each variant would take it at these dimensions.
    raw : Estimate
        Spread of the raw scores within rows at each checkpoint.
    raw_theory : float64 array, shape (checkpoints,)
    spread, entropy, largest, gradient : Estimate
        Arrays of shape (variants,): spread of the scaled scores within rows; means over rows of the entropy in nats
        and of the largest weight; root of the mean square of the derivative of the weights by the raw scores
        (Frobenius norm).
    gradient_median : float64 array, shape (variants,)
        Its median over rows.
    theory : dict of str to float64 array, shape (variants,)
        The same names; nan where there is no closed form.
    fraction : float
    """

    experiment: ClassVar[str] = "which_d"

    scenario: Scenario
    letters: tuple[str, ...]
    mystery: str
    rows: int
    keys_drawn: int
    steps: Whole
    factors: Floats
    raw: Estimate
    raw_theory: Floats
    spread: Estimate
    entropy: Estimate
    largest: Estimate
    gradient: Estimate
    gradient_median: Floats
    theory: dict[str, Floats]
    fraction: float = 1.0

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def vectors(self) -> None:
        """Always None: this lab draws its own."""
        return None

    @property
    def moments(self) -> Whole:
        """Nothing moves."""
        return STILL

    @property
    def section(self) -> WhichD:
        """The lab's own options."""
        return section_in(self.scenario)

    @property
    def complete(self) -> bool:
        """Whether nothing more will come."""
        return self.fraction >= 1.0

    def letter(self, variant: str) -> str:
        """Return what a variant is called while its name is hidden."""
        return "ABCDEFG"[self.letters.index(variant)]

    def factor(self, variant: str) -> float:
        """Return what a variant multiplies the raw score by at the head's dimension."""
        return float(self.factors[VARIANTS.index(variant), -1])

    def alike(self, variant: str) -> bool:
        """Return whether a variant's scores are those of the mystery, so that nobody could tell them apart."""
        return bool(np.isclose(self.factor(variant), self.factor(self.mystery), rtol=1e-9))


def section_in(scenario: Scenario) -> WhichD:
    """Return the scenario's options of this lab; the usual ones where it has none."""
    return scenario.section if isinstance(scenario.section, WhichD) else WhichD()
