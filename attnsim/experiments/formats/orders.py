"""Sums by the order of adding up: n ones, and products of q and k."""

from functools import lru_cache
from itertools import product

import numpy as np

from attnsim.choices.formats import FORMATS
from attnsim.experiments.formats.record import NAMES, NARROW, ORDERS, Floats, Sums
from attnsim.theory.rounded_sums import flat_sum, sum_error

COUNTS: Floats = np.exp2(np.arange(0, 17))
DIMS: Floats = np.exp2(2 * np.arange(1, 9))
MOST_TERMS = 270_000
MOST_ROWS = 128
PARTS = 4  # passes over new rows


@lru_cache(maxsize=4)
def ordered_sums(seed: int) -> "OrderedSums":
    """Return the sums of a seed, as far as any scenario has computed them: they depend on nothing else."""
    return OrderedSums(seed)


class OrderedSums:
    """Computes sums, a piece at a time."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.flat = np.full((len(NAMES), len(ORDERS), COUNTS.size), np.nan)
        self.flat_exact = np.array([flat_sum(name, COUNTS) / COUNTS for name in NAMES])
        shape = len(NARROW), len(ORDERS), DIMS.size
        self._rows, self._squares, self._fourths = np.zeros((3, *shape))
        self.predicted = np.full(shape, np.nan)
        self._pieces: list[tuple[int, ...]] = [(name,) for name in range(len(NAMES))]
        self._pieces += product(range(PARTS), range(DIMS.size), range(len(NARROW)))
        self._done = 0

    @property
    def fraction(self) -> float:
        """Share of the pieces that are computed."""
        return self._done / len(self._pieces)

    def grow(self) -> None:
        """Compute the next piece."""
        piece = self._pieces[self._done]
        self._done += 1
        if len(piece) == 1:
            self._add_flat(*piece)
        else:
            self._add_products(*piece)

    def _add_flat(self, name: int) -> None:
        """Add up ones in one of the formats."""
        from attnsim.kernels.rounded_sums import rounded_sums

        for place, count in enumerate(COUNTS):
            ones = np.ones((1, int(count)))
            for order, word in enumerate(ORDERS):
                total = float(rounded_sums(ones, word, NAMES[name])[0])
                self.flat[name, order, place] = total / count if np.isfinite(total) else np.nan

    def _add_products(self, part: int, place: int, name: int) -> None:
        """Compute q . k of some more rows in one of the narrow formats at one of the dimensions."""
        from attnsim.kernels.normals import normals
        from attnsim.kernels.rng import stream_key
        from attnsim.kernels.rounded_sums import rounded_sums

        dim, kind = int(DIMS[place]), FORMATS[NARROW[name]]
        rows = min(MOST_ROWS, MOST_TERMS // dim)
        amount = 2 * rows * dim
        both = normals(stream_key(self.seed, f"formats products {dim}"), amount, part * amount).astype(np.float64)
        q, k = kind.round(both).reshape(2, rows, dim)
        terms = q * k  # exact in float64, and not rounded: a fused multiply-add
        exact = terms.sum(axis=1)
        for order, word in enumerate(ORDERS):
            at = name, order, place
            squares = (rounded_sums(terms, word, kind.key) - exact) ** 2 / dim
            self._rows[at] += rows
            self._squares[at] += squares.sum()  # nan once a sum overflowed
            self._fourths[at] += (squares**2).sum()
            if part == 0:
                self.predicted[at] = sum_error(kind.key, word, dim)

    def result(self) -> Sums:
        """Return what is known so far."""
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self._squares / self._rows
            spread = np.sqrt(np.maximum(self._fourths / self._rows - mean**2, 0.0) / self._rows) / (2.0 * np.sqrt(mean))
        known = np.isfinite(mean)
        return Sums(
            counts=COUNTS.copy(),
            flat=self.flat.copy(),
            flat_exact=self.flat_exact.copy(),
            dims=DIMS.copy(),
            error=np.where(known, np.sqrt(np.where(known, mean, 0.0)), np.nan),
            spread=np.where(known, spread, np.nan),
            predicted=self.predicted.copy(),
        )
