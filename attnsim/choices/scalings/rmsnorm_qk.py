"""RMSNorm of the query and of each key."""

from attnsim.choices.scalings.cosines import cosine, root
from attnsim.choices.scalings.rule import Floats, Parameter, Scaling, Setting, Sums, Value, number
from attnsim.words import mark


def logits(sums: Sums, value: Value, setting: Setting) -> Floats:
    """Return gain^2 sqrt(d) cos(q, k)."""
    return number(value) ** 2 * root(sums.dim) * cosine(sums)


SCALING = Scaling(
    key="rmsnorm_qk",
    title=mark("RMSNorm γ = {value}"),
    formula=r"\gamma^2 \sqrt{d}\,\cos(q, k)",
    source="Zhang & Sennrich, NeurIPS 2019 (RMSNorm); per head before ÷ √d in Qwen3 and Gemma 3",
    sentences=(
        mark("Gives the query and every key the length γ √d before ÷ √d."),
        mark("The spread is γ² at every dimension, whatever the spread of the components, and no score exceeds γ² √d."),
    ),
    color="rule_rmsnorm_qk",
    logits=logits,
    label=mark("RMSNorm of q and k"),
    needs_norms=True,
    parameter=Parameter(name="gain", default=1.0, low=0.001, high=1000.0),
)
