"""No scaling: the softmax of the raw score."""

import numpy as np

from attnsim.choices.scalings.rule import Floats, Scaling, Setting, Value
from attnsim.words import mark


def multiplier(dims: Floats, value: Value, setting: Setting) -> Floats:
    """Return 1 for every dimension."""
    return np.ones_like(dims)


SCALING = Scaling(
    key="none",
    title=mark("no scaling"),
    formula=r"q \cdot k",
    source="Luong, Pham & Manning, EMNLP 2015, eq. 8 (dot)",
    sentences=(
        mark("The raw dot product goes into the softmax."),
        mark("Its spread grows with the dimension, so one key takes nearly all the weight."),
    ),
    color="rule_none",
    multiplier=multiplier,
)
