"""Options of the lab "Score spread": the cases that are laid beside the scenario."""

from dataclasses import dataclass

from attnsim.choices.declared import check_fields, knob


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadOptions:
    """What the cases of the lab take where the scenario itself sets nothing.

    Attributes
    ----------
    case_rho : float
        Corr(q_i, k_i) of the case with correlation.
    case_r : float
        r_q = r_k of the case with common factors.
    case_mean : float
        Mean of the components of q and of k in the case with means.
    largest_dim : int
        How far the curves over d go; farther where the scenario's own dimension is larger.

    Raises
    ------
    ValueError
        Names the field, its limits and the value.
    """

    case_rho: float = knob(0.9, -1.0, 1.0)
    case_r: float = knob(0.3, 0.0, 1.0)
    case_mean: float = knob(1.0, -100.0, 100.0)
    largest_dim: int = knob(4096, 16, 65_536, whole=True, logarithmic=True)

    def __post_init__(self) -> None:
        check_fields(self)
