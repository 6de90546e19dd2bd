"""What a scale rule is made of: it turns a row's raw scores into what enters the softmax."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.choices.scalings.formula import Expression, Formula
from attnsim.words import _

Floats = NDArray[np.float64]
Value = float | Expression | None

LONGEST_TITLE = 26  # characters of a typed formula in a legend


def number(value: Value) -> float:
    """Return the parameter of a rule that has a number."""
    assert isinstance(value, float)
    return value


@dataclass(frozen=True, slots=True)
class Parameter:
    """The one number a rule may have, both limits included."""

    name: str
    default: float
    low: float
    high: float

    def read(self, key: str, text: str) -> float:
        """Return the number that was typed.

        Raises
        ------
        ValueError
            Names the rule, the parameter, its limits and what was typed.
        """
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not self.low <= value <= self.high:
            raise ValueError(
                _("scalings: the {parameter} of {key} must lie in {low:g}..{high:g}, not {value}").format(
                    parameter=self.name, key=key, low=self.low, high=self.high, value=text[:40]
                )
            )
        return value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Setting:
    """What a rule may know beside a row's scores.

    Attributes
    ----------
    keys : int
        Keys that the softmax sees, n.
    d_model, layer : int
        Width of the model, and number of the layer, from 1.
    sigma_q, sigma_k, rho : float
        Of the scenario's components.
    steps : float64 array, shape (checkpoints,)
        Dimensions at which `spread` is known, ascending.
    spread : float64 array, shape (checkpoints,), or None
        Standard deviation within a row that theory gives there; None where nobody has asked theory.
    """

    keys: int = 64
    d_model: int = 512
    layer: int = 1
    sigma_q: float = 1.0
    sigma_k: float = 1.0
    rho: float = 0.0
    steps: Floats = field(default_factory=lambda: np.zeros(1))
    spread: Floats | None = None

    def within_sd(self, dims: Floats) -> Floats:
        """Return the standard deviation of the raw scores within a row at each dimension."""
        if self.spread is None:
            return self.sigma_q * self.sigma_k * np.sqrt(dims)  # of independent components without means
        return np.asarray(np.interp(dims, self.steps, self.spread))


def log_keys(setting: Setting) -> float:
    """Return ln n, of 2 keys where there is but one, so that the factor stays positive."""
    return math.log(max(setting.keys, 2))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sums:
    """Raw scores of rows at one dimension, and the sums behind the lengths of their vectors.

    Attributes
    ----------
    scores : float64 array, shape (..., keys)
        Sums of q_i k_i over the first `dim` components.
    dim : int
        0 or more.
    query_sum, query_square : float64 array, shape (..., 1), or None
        Sums of q_i and q_i^2.
    key_sums, key_squares : float64 array, shape (..., keys), or None
        Sums of k_i and k_i^2; known only where a rule of the scenario asks for them.
    """

    scores: Floats
    dim: int
    query_sum: Floats | None = None
    query_square: Floats | None = None
    key_sums: Floats | None = None
    key_squares: Floats | None = None


Multiplier = Callable[[Floats, Value, Setting], Floats]
Logits = Callable[[Sums, Value, Setting], Floats]


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
        Mathtext of what enters the softmax.
    source : str
        Paper and equation.
    sentences : tuple of str
        What it does, and why one would want it.
    color : str
        Role of its colour; colour means the scaling rule everywhere.
    multiplier : callable or None
        (dims float64 array, parameter, Setting) -> positive factors of the raw score, float64 array of the same shape.
    logits : callable or None
        (Sums, parameter, Setting) -> float64 array, shape (..., keys): for a rule that is no factor of the score.
    parameter : Parameter, Formula or None
    label : str
        What a list calls it when no parameter is chosen yet; the title when left out.
    needs_norms : bool
        Whether it reads `Sums.key_sums` and `Sums.key_squares`.
    sink : bool
        Whether a logit of 0 that belongs to no key joins the softmax.
    reads_spread : bool
        Whether it divides by the spread within a row, which must then exist.
    """

    key: str
    title: str
    formula: str
    source: str
    sentences: tuple[str, str]
    color: str
    multiplier: Multiplier | None = None
    logits: Logits | None = None
    parameter: Parameter | Formula | None = None
    label: str = ""
    needs_norms: bool = False
    sink: bool = False
    reads_spread: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A scale rule with its parameter filled in.

    Attributes
    ----------
    name : str
        As the user wrote it: `power:0.25`. It names the rule in results and files.
    scaling : Scaling
    value : float, Expression or None
        The parameter.
    setting : Setting
        What the rule knows beside the scores.
    """

    name: str
    scaling: Scaling
    value: Value
    setting: Setting = field(default_factory=Setting, compare=False, repr=False)

    @property
    def title(self) -> str:
        """The name a legend shows."""
        value = f"{self.value:g}" if isinstance(self.value, float) else str(self.value or "")
        if len(value) > LONGEST_TITLE:
            value = value[: LONGEST_TITLE - 1] + "…"
        return _(self.scaling.title).format(value=value)

    @property
    def is_linear(self) -> bool:
        """Whether the rule is a factor of the raw score."""
        return self.scaling.multiplier is not None

    def at(self, setting: Setting) -> "Rule":
        """Return the same rule with what it may know."""
        return replace(self, setting=setting)

    def multiplier(self, dim: ArrayLike) -> Floats:
        """Return the factor of a raw score at each dimension, which is 1 or more (0 counts as 1).

        Raises
        ------
        ValueError
            If the rule is no factor; `is_linear` tells.
        """
        if self.scaling.multiplier is None:
            raise ValueError(_("scalings: {name} is no factor of the score").format(name=self.name))
        dims = np.maximum(np.asarray(dim, dtype=np.float64), 1.0)
        return np.asarray(self.scaling.multiplier(dims, self.value, self.setting), dtype=np.float64)

    def factor(self, dim: ArrayLike) -> Floats:
        """Return the multiplier, or nan where weights are not the softmax of a multiple of the score."""
        if self.is_linear and not self.scaling.sink:
            return self.multiplier(dim)
        return np.full(np.shape(dim), np.nan)

    def logits(self, sums: Sums) -> Floats:
        """Return what enters the softmax, shape (..., keys).

        Raises
        ------
        ValueError
            If the rule needs the lengths of the keys and they are not known.
        """
        if self.scaling.logits is None:
            return sums.scores * float(self.multiplier(sums.dim))
        if self.scaling.needs_norms and sums.key_squares is None:
            raise ValueError(
                _("scalings: {name} needs the lengths of the keys, which this law does not give").format(name=self.name)
            )
        return self.scaling.logits(sums, self.value, self.setting)
