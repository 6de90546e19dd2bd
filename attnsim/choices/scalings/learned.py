"""A learned temperature, stored as a logarithm."""

import math

import numpy as np

from attnsim.choices.scalings.rule import Floats, Parameter, Scaling, Setting, Value, number
from attnsim.words import mark


def multiplier(dims: Floats, value: Value, setting: Setting) -> Floats:
    """Return e^theta / sqrt(d)."""
    return np.asarray(math.exp(number(value)) / np.sqrt(dims))


SCALING = Scaling(
    key="learned",
    title=mark("× e^{value} ÷ √d"),
    formula=r"e^{\theta}\, q \cdot k / \sqrt{d}",
    source="Radford et al., ICML 2021 (CLIP), fig. 3: a temperature kept as exp(t); here on top of ÷ √d",
    sentences=(
        mark("Multiplies ÷ √d by a positive factor that training is free to choose."),
        mark("It can absorb any constant; the best value makes the spread within a row the one wanted."),
    ),
    color="rule_learned",
    multiplier=multiplier,
    label=mark("× learned e^θ ÷ √d"),
    parameter=Parameter(name="log temperature", default=0.5, low=-20.0, high=20.0),
)
