"""Means over rows, added chunk by chunk."""

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.masks.records import Means

Floats = NDArray[np.float64]


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

    def means(self) -> Means:
        """Return what is known so far."""
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self._sum / self.rows
            variance = np.maximum(self._square / self.rows - mean**2, 0.0) * self.rows / (self.rows - 1.0)
            error = np.where(self.rows > 1.0, np.sqrt(variance / self.rows), np.nan)
        return Means(mean, error, self.expected.copy())

    def roots(self) -> Means:
        """Return the root of the mean, its error by the delta method, and the expected values as they are."""
        plain = self.means()
        with np.errstate(divide="ignore", invalid="ignore"):
            root = np.sqrt(plain.value)
            return Means(root, np.where(root > 0.0, 0.5 * plain.error / root, np.nan), self.expected.copy())
