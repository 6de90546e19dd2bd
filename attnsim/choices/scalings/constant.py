"""A constant divisor, as when a scale tuned for one dimension is kept for all."""

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.scalings.rule import Parameter, Scaling
from attnsim.words import mark


def multiplier(dims: NDArray[np.float64], value: float | None) -> NDArray[np.float64]:
    """Return one over the divisor, whatever the dimension."""
    return np.full_like(dims, 1.0 / (8.0 if value is None else value))


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
    parameter=Parameter(name="divisor", default=8.0, low=1e-6, high=1e9),
)
