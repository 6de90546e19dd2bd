"""Softmax with one more in the denominator: a row may attend to nothing."""

import numpy as np

from attnsim.choices.scalings.rule import Floats, Scaling, Setting, Value
from attnsim.words import mark


def multiplier(dims: Floats, value: Value, setting: Setting) -> Floats:
    """Return d^(-1/2)."""
    return 1.0 / np.sqrt(dims)


SCALING = Scaling(
    key="softmax1",
    title=mark("÷ √d, +1"),
    label=mark("softmax1 (sink)"),
    formula=r"e^{x_j} / (1 + \sum_i e^{x_i}),\quad x = q \cdot k / \sqrt{d}",
    source="Miller, Attention Is Off By One, 2023; a learned sink: Xiao et al., StreamingLLM, ICLR 2024",
    sentences=(
        mark("Adds a score of 0 that belongs to no key, so that the weights sum to less than 1."),
        mark("The sink takes about 1/(1 + n e^(s²/2)): next to nothing with many keys unless the scores are negative."),
    ),
    color="rule_softmax1",
    multiplier=multiplier,
    sink=True,
)
