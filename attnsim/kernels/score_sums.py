"""Moments to fourth order and a histogram of scores, gathered while they are drawn."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnsim.kernels.compiled import compiled
from attnsim.kernels.lanes import LANES
from attnsim.kernels.threads import run_chunks

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

CHUNK = 1 << 19  # scores a chunk, whole blocks; fixed, since where sums are cut enters their last digit
SMALLEST = 1e-300  # width whose inverse, times a number of bins, float64 still holds
BANKS = 4  # histograms filled in turn: two hits on one bin in a row would wait for each other
CENTER, INVERSE, LOW, PER_UNIT = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class Grid:
    """Where a score is measured from, and the bins it is counted in.

    Attributes
    ----------
    center, scale : float
        A score s enters the power sums as (s - center)/scale; near their mean and standard deviation
        nothing cancels. `scale` is positive.
    low, high : float
        Ends of the histogram.
    bins : int
    """

    center: float
    scale: float
    low: float
    high: float
    bins: int = 200

    def __post_init__(self) -> None:
        if not (math.isfinite(self.center) and SMALLEST <= self.scale < math.inf):
            raise ValueError(f"scale must be {SMALLEST} or more and center finite; got {self.scale} and {self.center}")
        if not SMALLEST <= self.high - self.low < math.inf:
            raise ValueError(f"low must lie {SMALLEST} or more below high, both finite; got {self.low} and {self.high}")
        if not 1 <= self.bins <= 1_000_000:
            raise ValueError(f"bins must lie in 1..1000000, not {self.bins}")

    @property
    def numbers(self) -> Floats:
        """What the loops need: center, 1/scale, low, bins per unit."""
        return np.array([self.center, 1.0 / self.scale, self.low, self.bins / (self.high - self.low)])

    @property
    def edges(self) -> Floats:
        """Ends of the bins, float64 array of shape (bins + 1,)."""
        return np.linspace(self.low, self.high, self.bins + 1)


@dataclass(frozen=True, slots=True)
class ScoreSums:
    """What a sample of scores says.

    Attributes
    ----------
    grid : Grid
    count : int
    powers : float64 array, shape (4,)
        Sums of the first four powers of the standardised scores.
    counts : int64 array, shape (bins,)
        Scores in each bin, the lower end included.
    below, above : int
        Scores outside the bins.
    """

    grid: Grid
    count: int
    powers: Floats
    counts: Whole
    below: int
    above: int

    def _central(self, order: int) -> float:
        """Return a central moment of the standardised scores."""
        m1, m2, m3, m4 = self.powers / self.count
        if order == 2:
            return float(m2 - m1**2)
        if order == 3:
            return float(m3 - 3.0 * m1 * m2 + 2.0 * m1**3)
        return float(m4 - 4.0 * m1 * m3 + 6.0 * m1**2 * m2 - 3.0 * m1**4)

    @property
    def mean(self) -> float:
        return self.grid.center + self.grid.scale * float(self.powers[0]) / self.count

    @property
    def variance(self) -> float:
        """Unbiased; nan for one score."""
        return self.grid.scale**2 * self._central(2) * (self.count / (self.count - 1) if self.count > 1 else math.nan)

    @property
    def skewness(self) -> float:
        return self._central(3) / math.pow(self._central(2), 1.5)

    @property
    def excess_kurtosis(self) -> float:
        return self._central(4) / self._central(2) ** 2 - 3.0


ChunkKernel = Callable[[int, int, Floats, Whole], None]


def gather(
    kernel: ChunkKernel, count: int, grid: Grid, threads: int = 1, stop: Callable[[], bool] | None = None
) -> ScoreSums:
    """Run a kernel over `count` scores chunk by chunk and merge its sums in chunk order.

    Parameters
    ----------
    kernel : callable
        kernel(first, count, powers, tally) adds scores first .. first + count - 1 to powers, float64 of
        shape (4,), and to tally, int64 of shape (BANKS, bins + 2), whose first and last columns are what
        lies outside.
    count : int
        1 or more.
    grid : Grid
    threads : int
        Any number gives equal bits.
    stop : callable, optional
        See `threads.run_chunks`.

    Returns
    -------
    ScoreSums
    """
    if count < 1:
        raise ValueError(f"count must be 1 or more, not {count}")

    def chunk(number: int) -> tuple[Floats, Whole]:
        powers, tally = np.zeros(4), np.zeros((BANKS, grid.bins + 2), dtype=np.int64)
        first = number * CHUNK
        kernel(first, min(CHUNK, count - first), powers, tally)
        return powers, tally.sum(axis=0)

    total, counts = np.zeros(4), np.zeros(grid.bins + 2, dtype=np.int64)
    for powers, tally in run_chunks(chunk, -(-count // CHUNK), threads, stop):
        total += powers
        counts += tally
    return ScoreSums(grid, count, total, counts[1:-1].copy(), int(counts[0]), int(counts[-1]))


@compiled(inlined=True, freedom="any order")
def add_powers(values, taken, numbers, powers):
    """Add the first four powers of the standardised values to powers, shape (4,)."""
    center, inverse = numbers[CENTER], numbers[INVERSE]
    one, two, three, four = 0.0, 0.0, 0.0, 0.0
    for lane in range(taken):
        x = (values[lane] - center) * inverse
        square = x * x
        one += x
        two += square
        three += square * x
        four += square * square
    powers[0] += one
    powers[1] += two
    powers[2] += three
    powers[3] += four


@compiled(inlined=True)
def add_counts(values, taken, numbers, places, tally):
    """Count the values into tally, shape (BANKS, bins + 2); a nan counts as below."""
    low, per_unit = numbers[LOW], numbers[PER_UNIT]
    top = float(tally.shape[1] - 1)
    for lane in range(LANES):
        place = (values[lane] - low) * per_unit + 1.0
        place = place if place > 0.0 else 0.0
        place = place if place < top else top
        places[lane] = np.int32(place)
    whole = taken - taken % BANKS
    for lane in range(0, whole, BANKS):
        tally[0, np.uint32(places[lane])] += 1
        tally[1, np.uint32(places[lane + 1])] += 1
        tally[2, np.uint32(places[lane + 2])] += 1
        tally[3, np.uint32(places[lane + 3])] += 1
    for lane in range(whole, taken):
        tally[0, np.uint32(places[lane])] += 1


@compiled(inlined=True)
def add_block(values, taken, numbers, places, powers, tally):
    """Add the first `taken` of a block of values, float64 of shape (LANES,), to the sums; places is int32 scratch."""
    add_powers(values, taken, numbers, powers)
    add_counts(values, taken, numbers, places, tally)
