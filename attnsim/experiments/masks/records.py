"""What the lab "Masks and sparsity" yields."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.scalings import Rule
from attnsim.experiments.records import freeze
from attnsim.experiments.result import STILL
from attnsim.experiments.tally import Means
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Weights of earlier queries, whom a mask shows fewer keys.

    Attributes
    ----------
    masks : tuple of str
    at : int64 array, shape (positions,)
        Places of the query among the keys, from 0.
    seen : int64 array, shape (masks, positions)
    largest, entropy : Means, shape (masks, rules, positions)
    """

    masks: tuple[str, ...]
    at: Whole
    seen: Whole
    largest: Means
    entropy: Means

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """What is left when the k largest scores of a row are kept.

    Attributes
    ----------
    at : int64 array, shape (points,)
        k.
    spread : Means, shape (points,)
        Standard deviation of the kept scores, in units of that of all; theory is asymptotic in n and k.
    shared, rescaled : Means, shape (points,)
        1/sum p^2 as a share of k, of scores of unit spread, and after dividing the kept ones by their own spread.
    """

    at: Whole
    spread: Means
    shared: Means
    rescaled: Means

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Empty:
    """The softmax of a row in which every key is hidden, under three conventions; each float64 array, shape (keys,).

    Attributes
    ----------
    zeros : array
        What this program's attention gives.
    undefined : array
        exp(-inf - (-inf)) over its sum: nan.
    uniform : array
        -inf replaced by the most negative finite number: all keys alike, the hidden ones.
    output : float64 array, shape (3, width)
        What the row gives out under each, zeros first.
    """

    zeros: Floats
    undefined: Floats
    uniform: Floats
    output: Floats

    def __post_init__(self) -> None:
        freeze(self)


@dataclass(frozen=True, slots=True, eq=False)
class Masks:
    """Result of the lab "Masks and sparsity".

    Attributes
    ----------
    scenario : Scenario
        Its own mask is one of those shown, and its `mask_size` is that of all.
    masks : tuple of str
        All masks, in the registry's order.
    rules : tuple of Rule
        As they are without a mask.
    rows : int
        Rows drawn so far.
    seen : int64 array, shape (masks,)
        Keys that the last query sees.
    spread : Means, shape (masks,)
        Standard deviation of the raw scores that are seen.
    sparse : Means, shape (2,)
        The same of all scores when a share of the components is not zero: those scaled up to keep their variance,
        and left as they are.
    largest, entropy : Means, shape (masks, rules)
    pattern : float64 array, shape (masks, rules, queries, keys)
        Weights of some first queries; nan where a key is hidden.
    positions : Positions
    selection : Selection
    empty : Empty
    """

    experiment: ClassVar[str] = "masks"

    scenario: Scenario
    masks: tuple[str, ...]
    rules: tuple[Rule, ...]
    rows: int
    seen: Whole
    spread: Means
    sparse: Means
    largest: Means
    entropy: Means
    pattern: Floats
    positions: Positions
    selection: Selection
    empty: Empty
    fraction: float
    vectors: Vectors | None = None

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def moments(self) -> Whole:
        """Nothing moves."""
        return STILL
