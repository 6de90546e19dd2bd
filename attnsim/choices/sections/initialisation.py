"""Options of the lab "Initialisation and depth"."""

from dataclasses import dataclass

from attnsim.choices.declared import check_fields, choice, knob

ACTIVATIONS = ("relu", "linear", "tanh")


@dataclass(frozen=True, slots=True, kw_only=True)
class Depth:
    """The stacks that are simulated.

    Attributes
    ----------
    layers, width : int
        Layers of a stack, and units of a layer (or components of a token).
    activation : str
        What follows each layer's weights.
    weight_sd : float
        Standard deviation of the weights of the stack that follows no rule.
    nets : int
        Random stacks that are drawn.
    tokens : int
        Tokens that go through a stack of attention layers.
    """

    layers: int = knob(20, 1, 64, whole=True)
    width: int = knob(128, 4, 256, whole=True, logarithmic=True)
    activation: str = choice("relu", *ACTIVATIONS)
    weight_sd: float = knob(0.1, 0.001, 2.0, logarithmic=True)
    nets: int = knob(24, 2, 400, whole=True, logarithmic=True)
    tokens: int = knob(32, 2, 128, whole=True, logarithmic=True)

    def __post_init__(self) -> None:
        check_fields(self)
