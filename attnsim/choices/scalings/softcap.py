"""Soft-cap: scores pass through a hyperbolic tangent and stay below a bound."""

import numpy as np

from attnsim.choices.scalings.cosines import root
from attnsim.choices.scalings.rule import Floats, Parameter, Scaling, Setting, Sums, Value, number
from attnsim.words import mark


def logits(sums: Sums, value: Value, setting: Setting) -> Floats:
    """Return c tanh(S / (sqrt(d) c))."""
    cap = number(value)
    return np.asarray(cap * np.tanh(sums.scores / (root(sums.dim) * cap)))


SCALING = Scaling(
    key="softcap",
    title=mark("soft-cap {value}"),
    formula=r"c \tanh\!\left(q \cdot k / (c \sqrt{d})\right)",
    source="Gemma Team, Gemma 2, 2024: attn_logit_softcapping = 50",
    sentences=(
        mark("Bends ÷ √d so that no score exceeds c."),
        mark("It protects number formats and gradients; with c = 50 it does not keep the softmax from saturating."),
    ),
    color="rule_softcap",
    logits=logits,
    label=mark("soft-cap"),
    parameter=Parameter(name="cap", default=50.0, low=0.001, high=1000000.0),
)
