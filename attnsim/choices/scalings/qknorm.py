"""QKNorm: cosines times a gain that grows with the length of the sequence."""

import math

from attnsim.choices.scalings.cosines import cosine
from attnsim.choices.scalings.rule import Floats, Parameter, Scaling, Setting, Sums, Value, number
from attnsim.words import mark


def logits(sums: Sums, value: Value, setting: Setting) -> Floats:
    """Return log2(L^2 - L) cos(q, k)."""
    length = number(value)
    return math.log2(length**2 - length) * cosine(sums)


SCALING = Scaling(
    key="qknorm",
    title=mark("QKNorm L = {value}"),
    formula=r"\log_2(L^2 - L)\,\cos(q, k)",
    source="Henry et al., Findings of EMNLP 2020: g_0 = log2(L^2 − L), L the 97.5th percentile of the lengths",
    sentences=(
        mark("Lengths do not count; a gain g, learned from log₂(L² − L) on, makes up for it."),
        mark("The largest weight is at most 1/(1 + (n − 1) e^(−2g)), so that no row can be one-hot."),
    ),
    color="rule_qknorm",
    logits=logits,
    label=mark("QKNorm"),
    needs_norms=True,
    parameter=Parameter(name="sequence length", default=100.0, low=2.0, high=1000000000.0),
)
