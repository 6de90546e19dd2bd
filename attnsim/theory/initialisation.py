"""Spread of the scores that an initialisation of the projections gives, and of scores of one shared input."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnsim.theory.limits import within
from attnsim.words import _

Floats = NDArray[np.float64]

# variance of one weight of W_Q (or W_K) from (model width D, head dimension d)
WEIGHT_VARIANCES: dict[str, Callable[[float, float], float]] = {
    "lecun": lambda width, dim: 1.0 / width,
    "xavier_square": lambda width, dim: 1.0 / width,
    "xavier_per_head": lambda width, dim: 2.0 / (width + dim),
    "xavier_fused": lambda width, dim: 0.5 / width,
    "xavier_gain_inverse_sqrt_2": lambda width, dim: 0.5 / width,
    "linear_default": lambda width, dim: 1.0 / (3.0 * width),
    "kaiming_normal": lambda width, dim: 2.0 / width,
    "normal_0_02": lambda width, dim: 0.0004,
    "small": lambda width, dim: 0.4 / width,
}


@dataclass(frozen=True, slots=True)
class Initialisation:
    """What an initialisation makes of an input of squared length D, as a layer norm gives.

    Attributes
    ----------
    name : str
    component_variance : float
        Var q_i, D times the variance of a weight.
    score_sd : float
        Of the scores divided by sqrt(d).
    multiplier : float
        That gives the raw scores spread 1.
    """

    name: str
    component_variance: float
    score_sd: float
    multiplier: float


def initialisation(name: str, width: float, dim: float) -> Initialisation:
    """Return what an initialisation gives.

    Parameters
    ----------
    name : str
        A key of `WEIGHT_VARIANCES`. `xavier_square` is Xavier on D x D, `xavier_per_head` on D x d, `xavier_fused` on
        3D x D at once; `linear_default` is uniform within 1/sqrt(D); `normal_0_02` has sd 0.02; `small` is
        sqrt(2/(5 D)).
    width : float
        D, 1 or more.
    dim : float
        d, 1 or more.

    Raises
    ------
    ValueError
        If there is no such name, or a size is below 1.
    """
    if name not in WEIGHT_VARIANCES:
        known = ", ".join(WEIGHT_VARIANCES)
        raise ValueError(_("initialisation must be among {known}, not {value}").format(known=known, value=repr(name)))
    within("width", width, 1.0)
    within("dim", dim, 1.0)
    return _record(name, width * WEIGHT_VARIANCES[name](width, dim), dim)


def _record(name: str, variance: float, dim: float) -> Initialisation:
    return Initialisation(name, variance, variance, 1.0 / (math.sqrt(dim) * variance))


def initialisation_table(width: float, dim: float) -> list[Initialisation]:
    """Return what each initialisation gives for model width D and head dimension d."""
    return [initialisation(name, width, dim) for name in WEIGHT_VARIANCES]


def shared_input_moments(
    dim: float, width: float, *, tied: bool = False, same_token: bool = False, on_a_line: bool = False
) -> tuple[float, float]:
    """Return mean and variance of q . k for q = W_Q x, k = W_K y with standard normal x, y, Var W_ij = 1/D.

    The average is over tokens and over W. All follow from the law of x . y or of two Wishart-like forms.

    Parameters
    ----------
    dim, width : float
        d and D, 1 or more.
    tied : bool
        Whether W_Q = W_K.
    same_token : bool
        Whether y = x.
    on_a_line : bool
        Whether all tokens are normal multiples of one direction of squared length D; then x and y are two of them.

    Raises
    ------
    ValueError
        If a size is below 1, or a token on a line is paired with itself, which has no entry here.
    """
    d, D = float(within("dim", dim, 1.0)), float(within("width", width, 1.0))
    if on_a_line:
        if same_token:
            raise ValueError(_("on_a_line goes with different tokens only; same_token must be false, not true"))
        return (0.0, d * (d + 2.0)) if tied else (0.0, d)
    if not tied:
        return 0.0, d * (1.0 + 2.0 / D) if same_token else d
    if same_token:
        return d, (1.0 + 2.0 / D) * d * (d + 2.0) - d * d
    return 0.0, d * (1.0 + (d + 1.0) / D)
