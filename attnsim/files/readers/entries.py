"""What every container gives: named arrays that say their shape and type before they are read."""

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


class ReadError(ValueError):
    """One sentence for the user: the file, what was wanted and what came."""


@dataclass(frozen=True, slots=True)
class Form:
    """Shape and type of an array, as its header claims them."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def count(self) -> int:
        """Number of values."""
        return math.prod(self.shape)

    @property
    def size(self) -> int:
        """Bytes of the values as stored."""
        return self.count * self.dtype.itemsize


@dataclass(frozen=True, slots=True)
class Entry:
    """One named array of a file.

    Attributes
    ----------
    file : str
        The file's name, fit to be shown.
    name : str
        As the file calls the array.
    describe : callable
        Reads the header alone.
    read : callable
        Reads the numbers, in any byte order and memory layout.
    """

    file: str
    name: str
    describe: Callable[[], Form]
    read: Callable[[], NDArray[Any]]

    @property
    def label(self) -> str:
        """What a sentence calls the array."""
        return self.file if Path(self.file).stem == self.name else f"{self.file}: {printable(self.name)}"


@dataclass(frozen=True, slots=True)
class Reader:
    """How a format is opened.

    Attributes
    ----------
    open : callable
        Gives the entries of a file; they can be read until the context ends.
    single : bool
        Whether a file holds one array, so that queries and keys come in two files.
    """

    open: Callable[[Path], AbstractContextManager[list[Entry]]]
    single: bool = False


def printable(text: str, most: int = 60) -> str:
    """Return a foreign text fit for a sentence: one line, no control characters, not endless."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def listed(names: list[str], most: int = 4) -> str:
    """Return the first few names, and dots where there are more."""
    return ", ".join([printable(name) for name in names[:most]] + ["…"] * (len(names) > most))
