"""Options of the lab "Gradients": what pulls at the weights, and how the small training run is made."""

from dataclasses import dataclass

from attnsim.choices.declared import check_fields, choice, knob


@dataclass(frozen=True, slots=True, kw_only=True)
class GradientOptions:
    """What the lab "Gradients" adds to a Scenario.

    Attributes
    ----------
    upstream : str
        Derivative of the loss by the weights: a "random" direction of length 1; "one_key", the loss is minus the
        weight on key 0; "cross_entropy", minus its logarithm; "cross_entropy_largest", the same for the key that has
        the largest weight; "even", alike for every key.
    training : str
        Whether the training run is made: "run", also at many learning "rates", or "off".
    training_loss : str
        "output", the squared error of the attention's output, or "cross_entropy" on the needle's weight.
    optimiser : str
        "sgd", plain gradient descent, or "adam".
    learning_rate : float
    training_steps : int
    training_seeds : int
        Runs under each rule, each with its own first matrices and examples.

    Raises
    ------
    ValueError
        Names the field, its limits and the value.
    """

    upstream: str = choice("random", "random", "one_key", "cross_entropy", "cross_entropy_largest", "even")
    training: str = choice("rates", "run", "rates", "off")
    training_loss: str = choice("output", "output", "cross_entropy")
    optimiser: str = choice("sgd", "sgd", "adam")
    learning_rate: float = knob(1.0, 0.0001, 1000.0, logarithmic=True)
    training_steps: int = knob(200, 10, 2000, whole=True, logarithmic=True)
    training_seeds: int = knob(10, 1, 50, whole=True)

    def __post_init__(self) -> None:
        check_fields(self)
