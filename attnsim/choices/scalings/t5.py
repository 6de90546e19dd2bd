"""T5: no factor in the softmax, because the initialisation of the query holds it."""

import numpy as np

from attnsim.choices.scalings.rule import Floats, Scaling, Setting, Value
from attnsim.words import mark


def multiplier(dims: Floats, value: Value, setting: Setting) -> Floats:
    """Return d^(-1/2), the factor that the initialisation puts into the query."""
    return 1.0 / np.sqrt(dims)


SCALING = Scaling(
    key="t5",
    title=mark("T5 (in the weights)"),
    formula=r"q \cdot k,\quad W_q \sim N(0, 1/(D d))",
    source="Raffel et al., JMLR 21, 2020 (T5); standard deviation (D d)^(-1/2) of W_q in the released initialisation",
    sentences=(
        mark("Divides by nothing: the weights of the query start √d times smaller instead."),
        mark("At the start its numbers are those of ÷ √d, and training may leave them."),
    ),
    color="rule_t5",
    multiplier=multiplier,
)
