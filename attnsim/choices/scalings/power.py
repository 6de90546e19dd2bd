"""Any power of d, so that the square root can be compared with its neighbours."""

import numpy as np

from attnsim.choices.scalings.rule import Floats, Parameter, Scaling, Setting, Value, number
from attnsim.words import mark


def multiplier(dims: Floats, value: Value, setting: Setting) -> Floats:
    """Return d^(-p)."""
    return np.asarray(dims ** -number(value), dtype=np.float64)


SCALING = Scaling(
    key="power",
    title=mark("÷ d^{value}"),
    formula=r"q \cdot k / d^{p}",
    source="the family that holds none (p = 0), 1/√d (p = 1/2) and 1/d (p = 1)",
    sentences=(
        mark("Divides by d to a power you choose."),
        mark("Below 1/2 the spread still grows with the dimension, above 1/2 it shrinks."),
    ),
    color="rule_power",
    multiplier=multiplier,
    label=mark("÷ d to a power"),
    parameter=Parameter(name="exponent", default=0.25, low=-2.0, high=4.0),
)
