"""Options of the lab "Scaling rules side by side"."""

from dataclasses import dataclass

from attnsim.choices.declared import check_fields, knob


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalingsOptions:
    """How far the curves go, and how many keys the first seed is taken to mean.

    Attributes
    ----------
    up_to_dim, up_to_keys : int
        Last dimension and number of keys of the curves; farther where the scenario's own lie beyond.
    seed_keys : int
        Keys of a row in the comparison with the printed table, which names none.

    Raises
    ------
    ValueError
        Names the field, its limits and the value.
    """

    up_to_dim: int = knob(4096, 16, 65_536, whole=True, logarithmic=True)
    up_to_keys: int = knob(4096, 16, 65_536, whole=True, logarithmic=True)
    seed_keys: int = knob(16, 2, 65_536, whole=True, logarithmic=True)

    def __post_init__(self) -> None:
        check_fields(self)
