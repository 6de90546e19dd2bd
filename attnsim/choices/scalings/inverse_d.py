"""One over d: the rule of maximal update parametrisation."""

from attnsim.choices.scalings.rule import Floats, Scaling, Setting, Value
from attnsim.words import mark


def multiplier(dims: Floats, value: Value, setting: Setting) -> Floats:
    """Return 1/d."""
    return 1.0 / dims


SCALING = Scaling(
    key="inverse_d",
    title=mark("÷ d"),
    formula=r"q \cdot k / d",
    source="Yang et al., Tensor Programs V, 2022 (muP)",
    sentences=(
        mark("Divides by the dimension, as a law of large numbers for aligned vectors asks."),
        mark("For independent vectors the scores shrink like 1/√d and the weights become uniform."),
    ),
    color="rule_inverse_d",
    multiplier=multiplier,
)
