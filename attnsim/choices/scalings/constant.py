"""A constant divisor, as when a scale tuned for one dimension is kept for all."""

import numpy as np

from attnsim.choices.scalings.rule import Floats, Parameter, Scaling, Setting, Value, number
from attnsim.words import mark


def multiplier(dims: Floats, value: Value, setting: Setting) -> Floats:
    """Return one over the divisor, whatever the dimension."""
    return np.full_like(dims, 1.0 / number(value))


SCALING = Scaling(
    key="constant",
    title=mark("÷ {value}"),
    formula=r"q \cdot k / c",
    source="the fixed 8 of a head of 64 components, kept when the dimension changes",
    sentences=(
        mark("Divides by one number whatever the dimension is."),
        mark("Right at one dimension only: 8 fits d = 64."),
    ),
    color="rule_constant",
    multiplier=multiplier,
    label=mark("÷ a number"),
    parameter=Parameter(name="divisor", default=8.0, low=1e-6, high=1e9),
)
