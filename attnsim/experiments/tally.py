"""Means over rows, added chunk by chunk."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.records import freeze

Floats = NDArray[np.float64]

FEWEST_ROWS = 8  # from which on rows tell how far they vary: two that lie close by accident would claim anything


@dataclass(frozen=True, slots=True, eq=False)
class Means:
    """Means over rows; nan where nothing is known.

    Attributes
    ----------
    value, error : float64 array
        The mean and its standard error; that is nan for fewer than `FEWEST_ROWS` rows.
    expected : float64 array of the same shape
        Theory's mean.
    """

    value: Floats
    error: Floats
    expected: Floats

    def __post_init__(self) -> None:
        freeze(self)


class Tally:
    """Sums of a quantity and of its square.

    Parameters
    ----------
    shape : tuple of int
        Of the quantity.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.rows = np.zeros(shape)
        self._sum, self._square = np.zeros(shape), np.zeros(shape)
        self.expected = np.full(shape, np.nan)

    def add(self, place: tuple[int, ...], values: Floats) -> None:
        """Add rows at one place; rows of which the value is nan are left out."""
        known = values[np.isfinite(values)]
        self.rows[place] += known.size
        self._sum[place] += known.sum()
        self._square[place] += known @ known

    def add_each(self, place: tuple[int, ...], values: Floats) -> None:
        """Add one row that has a value at each point of a place."""
        known = np.isfinite(values)
        self.rows[place] += known
        self._sum[place] += np.where(known, values, 0.0)
        self._square[place] += np.where(known, values, 0.0) ** 2

    def means(self, most: float = np.inf) -> Means:
        """Return what is known so far; no error is named where rows vary by more than `most` times their mean.

        A mean of few rows with a long tail tells less of its own error than it seems to.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self._sum / self.rows
            variance = np.maximum(self._square / self.rows - mean**2, 0.0) * self.rows / (self.rows - 1.0)
            told = (self.rows >= FEWEST_ROWS) & (np.sqrt(variance) <= most * np.abs(mean))
            error = np.where(told, np.sqrt(variance / self.rows), np.nan)
        return Means(mean, error, self.expected.copy())

    def roots(self) -> Means:
        """Return the root of the mean, its error by the delta method, and the expected values as they are."""
        plain = self.means()
        with np.errstate(divide="ignore", invalid="ignore"):
            root = np.sqrt(plain.value)
            return Means(root, np.where(root > 0.0, 0.5 * plain.error / root, np.nan), self.expected.copy())
