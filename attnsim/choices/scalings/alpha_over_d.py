"""Alpha over d: 1/d that agrees with 1/sqrt(d) at the dimension where a model was tuned."""

from attnsim.choices.scalings.rule import Floats, Parameter, Scaling, Setting, Value, number
from attnsim.words import mark


def multiplier(dims: Floats, value: Value, setting: Setting) -> Floats:
    """Return alpha/d."""
    return number(value) / dims


SCALING = Scaling(
    key="alpha_over_d",
    title=mark("× {value}/d"),
    formula=r"\alpha\, q \cdot k / d",
    source="Yang et al., Tensor Programs V, 2022 (muP), whose code multiplies by 8/d",
    sentences=(
        mark("Divides by d as muP does, times a number that fixes one dimension."),
        mark("With 8 it equals ÷ √d at d = 64, and at a larger d the scores of independent vectors shrink."),
    ),
    color="rule_alpha_over_d",
    multiplier=multiplier,
    label=mark("× a number / d"),
    parameter=Parameter(name="alpha", default=8.0, low=1e-06, high=1000000000.0),
)
