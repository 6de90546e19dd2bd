"""LayerNorm of the query and of each key."""

from attnsim.choices.scalings.cosines import centred_cosine, root
from attnsim.choices.scalings.rule import Floats, Parameter, Scaling, Setting, Sums, Value, number
from attnsim.words import mark


def logits(sums: Sums, value: Value, setting: Setting) -> Floats:
    """Return gain^2 sqrt(d) times Pearson's correlation of q and k."""
    return number(value) ** 2 * root(sums.dim) * centred_cosine(sums)


SCALING = Scaling(
    key="layernorm_qk",
    title=mark("LayerNorm γ = {value}"),
    formula=r"\mathrm{LN}(q) \cdot \mathrm{LN}(k) / \sqrt{d}",
    source="Dehghani et al., ICML 2023 (ViT-22B)",
    sentences=(
        mark("Takes away the mean of the query and of each key and gives them the length γ √d."),
        mark(
            "As RMSNorm in d − 1 dimensions; besides, a mean that all components share no longer reaches the softmax."
        ),
    ),
    color="rule_layernorm_qk",
    logits=logits,
    label=mark("LayerNorm of q and k"),
    needs_norms=True,
    parameter=Parameter(name="gain", default=1.0, low=0.001, high=1000.0),
)
