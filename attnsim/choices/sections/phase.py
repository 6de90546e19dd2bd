"""Options of the phase diagram."""

from dataclasses import dataclass

from attnsim.choices.declared import check_fields, choice


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseOptions:
    """What the map's axes are.

    Attributes
    ----------
    plane : {"spread", "dimension"}
        Across: the spread of a row's scaled scores, the same for every rule; or the dimension, under one rule. Upwards
        the number of keys.
    """

    plane: str = choice("spread", "spread", "dimension")

    def __post_init__(self) -> None:
        check_fields(self)
