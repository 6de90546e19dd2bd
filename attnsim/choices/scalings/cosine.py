"""Cosine attention with a temperature."""

from attnsim.choices.scalings.cosines import cosine
from attnsim.choices.scalings.rule import Floats, Parameter, Scaling, Setting, Sums, Value, number
from attnsim.words import mark


def logits(sums: Sums, value: Value, setting: Setting) -> Floats:
    """Return cos(q, k) / tau."""
    return cosine(sums) / number(value)


SCALING = Scaling(
    key="cosine",
    title=mark("cos ÷ {value}"),
    formula=r"\cos(q, k) / \tau",
    source="Liu et al., CVPR 2022 (Swin V2): cosine attention, τ learned and at least 0.01",
    sentences=(
        mark("Lengths do not count, only the angle between query and key."),
        mark("With a fixed τ the spread 1/(τ √d) shrinks with d, and no score exceeds 1/τ."),
    ),
    color="rule_cosine",
    logits=logits,
    label=mark("cosine ÷ τ"),
    needs_norms=True,
    parameter=Parameter(name="temperature", default=0.1, low=0.0001, high=10000.0),
)
