"""One over the square root of d: the rule of scaled dot-product attention."""

import numpy as np

from attnsim.choices.scalings.rule import Floats, Scaling, Setting, Value
from attnsim.words import mark


def multiplier(dims: Floats, value: Value, setting: Setting) -> Floats:
    """Return d^(-1/2)."""
    return 1.0 / np.sqrt(dims)


SCALING = Scaling(
    key="inverse_sqrt",
    title=mark("÷ √d"),
    formula=r"q \cdot k / \sqrt{d}",
    source="Vaswani et al., NeurIPS 2017, eq. 1 and footnote 4",
    sentences=(
        mark("Divides by the standard deviation that independent unit components give."),
        mark("The spread of the scores, and with it the softmax, no longer depends on the dimension."),
    ),
    color="rule_inverse_sqrt",
    multiplier=multiplier,
)
