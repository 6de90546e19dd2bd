"""Initialisation and depth: where scores start, and what a deep stack does to signal, gradient and rank."""

from attnsim.labs.lab import Control, Lab
from attnsim.words import mark

CONTROLS = (
    ("layers", Control(title=mark("Layers"), name=mark("layers"), meaning=mark("layers of a stack"))),
    (
        "width",
        Control(
            title=mark("Width <i>N</i>"), name=mark("width"), meaning=mark("units of a layer, components of a token")
        ),
    ),
    (
        "activation",
        Control(
            title=mark("Activation"),
            name=mark("Activation"),
            meaning=mark("what follows each layer's weights"),
            options=(("relu", mark("ReLU")), ("linear", mark("linear")), ("tanh", mark("tanh"))),
        ),
    ),
    (
        "weight_sd",
        Control(
            title=mark("<i>σ</i> of the weights"),
            name=mark("spread of the weights"),
            meaning=mark("standard deviation of the weights of the stack that follows no rule"),
        ),
    ),
    ("nets", Control(title=mark("Nets"), name=mark("nets"), meaning=mark("random stacks that are drawn"))),
    (
        "tokens",
        Control(
            title=mark("Tokens"),
            name=mark("tokens"),
            meaning=mark("tokens that go through a stack of attention layers"),
        ),
    ),
)

LAB = Lab(
    key="initialisation",
    title=mark("Initialisation and depth"),
    lesson=mark(
        "÷ √d gives scores unit spread only if the projections give unit variance: real ones start at 0.2 to 2. In a "
        "deep stack a factor that is not 1 in each layer grows or dies, and attention alone makes all tokens alike."
    ),
    experiment="initialisation",
    knobs=(
        (mark("Head"), ("dim", "d_model", "seed")),
        (mark("Stack"), ("layers", "width", "activation", "weight_sd", "nets")),
        (mark("Attention layers"), ("tokens",)),
    ),
    figures=("initialisation_scores", "initialisation_signal", "initialisation_gradient", "initialisation_collapse"),
    titles=(mark("Scores"), mark("Signal"), mark("Gradient"), mark("Rank collapse")),
    controls=CONTROLS,
    usual=(("dim", 64),),
)
