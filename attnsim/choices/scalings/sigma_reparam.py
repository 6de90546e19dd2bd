"""Sigma-reparametrisation: weights divided by their largest singular value."""

import numpy as np

from attnsim.choices.scalings.rule import Floats, Parameter, Scaling, Setting, Value, number
from attnsim.words import mark


def multiplier(dims: Floats, value: Value, setting: Setting) -> Floats:
    """Return gamma^2 / ((1 + sqrt(d/D))^2 sqrt(d)), the factor of freshly drawn weights."""
    norm = 1.0 + np.sqrt(dims / setting.d_model)
    return (number(value) / norm) ** 2 / np.sqrt(dims)


SCALING = Scaling(
    key="sigma_reparam",
    title=mark("σReparam γ = {value}"),
    formula=r"\frac{\gamma^2}{(1+\sqrt{d/D})^2}\, q \cdot k / \sqrt{d}",
    source="Zhai et al., ICML 2023 (W = γ/σ(W) Ŵ); σ(W) of a random d × D matrix after Marchenko & Pastur, 1967",
    sentences=(
        mark("Divides the weights of q and of k by their largest singular value, about 1 + √(d/D) when freshly drawn."),
        mark("It bounds the scores rather than normalising them: their spread at the start is below that of ÷ √d."),
    ),
    color="rule_sigma_reparam",
    multiplier=multiplier,
    label=mark("σReparam"),
    parameter=Parameter(name="gain", default=1.0, low=0.001, high=1000.0),
)
