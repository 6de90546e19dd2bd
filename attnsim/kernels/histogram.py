"""How many values fall into each of equal bins."""

import math
from dataclasses import dataclass
from functools import reduce
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.moments import CHUNK, real_line
from attnsim.kernels.threads import run_chunks

MOST_BINS = 1_000_000


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of values, none of which is lost.

    Attributes
    ----------
    edges : float64 array, shape (bins + 1,)
        A bin holds its left edge; the last holds both.
    counts : int64 array, shape (bins,)
    below, above, missing : int
        Values under the first edge, over the last, and nan.
    """

    edges: NDArray[np.float64]
    counts: NDArray[np.int64]
    below: int
    above: int
    missing: int

    def merge(self, other: Self) -> "Histogram":
        """Return the counts of both data together.

        Raises
        ------
        ValueError
            If the edges differ.
        """
        if not np.array_equal(self.edges, other.edges):
            raise ValueError(f"edges must be the same to merge; got shapes {self.edges.shape} and {other.edges.shape}")
        return Histogram(
            self.edges,
            self.counts + other.counts,
            self.below + other.below,
            self.above + other.above,
            self.missing + other.missing,
        )


def histogram(values: ArrayLike, low: float, high: float, bins: int = 200, threads: int = 1) -> Histogram:
    """Return how many values fall into each of `bins` equal bins from low to high.

    Parameters
    ----------
    values : array_like of real numbers, any shape
    low, high : float
        Finite, low < high.
    bins : int
        1 .. 1,000,000.
    threads : int
        The result does not depend on it.

    Returns
    -------
    Histogram
        With the counts of numpy.histogram(values, bins, (low, high)).

    Raises
    ------
    ValueError
        If the values are no real numbers, or a number leaves its range.
    """
    flat = real_line(values)
    if not 1 <= bins <= MOST_BINS:
        raise ValueError(f"bins must lie in 1..{MOST_BINS}, not {bins}")
    if not 0.0 < high - low < math.inf:
        raise ValueError(f"low must lie below high, both finite; got {low} and {high}")
    edges = np.linspace(low, high, bins + 1)

    def part(number: int) -> Histogram:
        counts, others = np.zeros(bins, dtype=np.int64), np.zeros(3, dtype=np.int64)
        _count(flat[number * CHUNK : (number + 1) * CHUNK], edges, counts, others)
        return Histogram(edges, counts, *(int(x) for x in others))

    parts = run_chunks(part, -(-flat.size // CHUNK), threads)
    return reduce(Histogram.merge, parts, Histogram(edges, np.zeros(bins, dtype=np.int64), 0, 0, 0))


@compiled
def _count(values, edges, counts, others):
    bins = counts.size
    low, high = edges[0], edges[bins]
    per_unit = bins / (high - low)
    for i in range(values.size):
        x = np.float64(values[i])
        if x < low:
            others[0] += 1
        elif x > high:
            others[1] += 1
        elif x != x:
            others[2] += 1
        else:
            place = min(int((x - low) * per_unit), bins - 1)
            if x < edges[place]:  # the product was rounded up
                place -= 1
            elif place + 1 < bins and x >= edges[place + 1]:
                place += 1
            counts[place] += 1
