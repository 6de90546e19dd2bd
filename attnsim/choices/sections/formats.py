"""Options of the number formats."""

from dataclasses import dataclass

from attnsim.choices.declared import check_fields, knob


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatsOptions:
    """What is asked of the scores.

    Attributes
    ----------
    claim_score : float
        The score that is said to be reached "easily", and whose exponential is said to overflow.
    """

    claim_score: float = knob(100.0, 1.0, 1000.0, logarithmic=True)

    def __post_init__(self) -> None:
        check_fields(self)
