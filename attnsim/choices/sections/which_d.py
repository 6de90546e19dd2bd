"""Options of the lab "Which d?"."""

from dataclasses import dataclass

from attnsim.choices.declared import check_fields, choice, knob

VARIANTS = ("right", "quartic", "one_side", "missing", "sqrt_d_model", "sqrt_n", "twice")


@dataclass(frozen=True, slots=True, kw_only=True)
class WhichD:
    """What the code under suspicion may have used in place of the head's dimension.

    Attributes
    ----------
    heads : int
        Heads of the layer; the model is `heads` times as wide as a head.
    guess : str
        Which line of code the reader takes the mystery for: "none" yet, or one of `VARIANTS`.
    """

    heads: int = knob(8, 1, 256, whole=True, logarithmic=True)
    guess: str = choice("none", "none", *VARIANTS)

    def __post_init__(self) -> None:
        check_fields(self)
