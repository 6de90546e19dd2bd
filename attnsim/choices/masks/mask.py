"""What a mask is made of: which keys a query may see."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """From where keys are looked at.

    Attributes
    ----------
    query : int
        Position of the query among the keys, from 0: the last one in a row that is drawn.
    keys : int
        Keys of the whole row; fewer may be drawn so far.
    size : int
        The mask's number: how wide, how many, how far apart.
    seed, first_row : int
        Rows of a random mask differ from each other, and depend on nothing else.
    """

    query: int
    keys: int
    size: int
    seed: int = 0
    first_row: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mask:
    """A mask as the registry knows it.

    Attributes
    ----------
    key : str
        The id in files, options and the API.
    title, formula, source : str
    sentences : tuple of str
        What it hides, and what that does to the softmax.
    visible : callable
        (logits float64 array of shape (rows, keys), Sight) -> bool array of the same shape, or None where nothing is
        hidden. The logits are those of the row's first keys.
    count : callable
        Sight -> how many keys of the whole row are visible.
    size_title : str
        What the Scenario's `mask_size` means to it; empty where it means nothing.
    """

    key: str
    title: str
    formula: str
    source: str
    sentences: tuple[str, str]
    visible: Callable[[Floats, Sight], Flags | None]
    count: Callable[[Sight], int]
    size_title: str = ""


def for_all_rows(line: Flags, logits: Floats) -> Flags:
    """Return the flags of one row for every row."""
    return np.broadcast_to(line, logits.shape)
