"""What a scale rule is made of."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.words import _

Multiplier = Callable[[NDArray[np.float64], float | None], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Parameter:
    """The one number a rule may have, both limits included."""

    name: str
    default: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaling:
    """A scale rule as the registry knows it.

    Attributes
    ----------
    key : str
        The id in files, options and the API.
    title : str
        Short, for a legend; may hold `{value}`.
    formula : str
        Mathtext of the factor.
    source : str
        Paper and equation.
    sentences : tuple of str
        What it does, and why one would want it.
    color : str
        Role of its colour; colour means the scaling rule everywhere.
    multiplier : callable
        (dims float64 array, parameter) -> factors, float64 array of the same shape.
    """

    key: str
    title: str
    formula: str
    source: str
    sentences: tuple[str, str]
    color: str
    multiplier: Multiplier
    parameter: Parameter | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A scale rule with its parameter filled in.

    Attributes
    ----------
    name : str
        As the user wrote it: `power:0.25`. It names the rule in results and files.
    scaling : Scaling
    value : float or None
        The parameter.
    """

    name: str
    scaling: Scaling
    value: float | None

    @property
    def title(self) -> str:
        """The name a legend shows."""
        value = "" if self.value is None else f"{self.value:g}"
        return _(self.scaling.title).format(value=value)

    def multiplier(self, dim: ArrayLike) -> NDArray[np.float64]:
        """Return the factor of a raw score at each dimension, which is 1 or more (0 counts as 1)."""
        dims = np.maximum(np.asarray(dim, dtype=np.float64), 1.0)
        return self.scaling.multiplier(dims, self.value)
