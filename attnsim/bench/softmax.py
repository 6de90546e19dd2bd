"""Softmax of rows: against scipy, torch and numpy."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.bench.item import Growth, Item

KEYS = (64, 512, 4096, 65_536)
STATISTICS_KEYS = (64, 512, 4096)
ELEMENTS = 1 << 18
LIMIT = "copying the rows"

Rows = NDArray[np.float32]


@cache
def rows(keys: int) -> Rows:
    """Return rows of scores with standard deviation 2."""
    shape = (max(1, ELEMENTS // keys), keys)
    return (2.0 * np.random.default_rng(2).standard_normal(shape)).astype(np.float32)


def our_softmax(keys: int) -> object:
    """Softmax of rows."""
    from attnsim.kernels.softmax_rows import softmax

    return softmax(rows(keys))


def scipy_softmax(keys: int) -> object:
    """Softmax of rows with scipy."""
    from scipy.special import softmax

    return softmax(rows(keys), axis=-1)


@cache
def _tensor(keys: int) -> Any:
    import torch

    return torch.from_numpy(rows(keys))


def torch_softmax(keys: int) -> object:
    """Softmax of rows with torch."""
    import torch

    return torch.softmax(_tensor(keys), -1)


def copy_rows(keys: int) -> object:
    """Copy the rows into a new array."""
    return rows(keys).copy()


def our_statistics(keys: int) -> object:
    """Softmax of rows with all its statistics."""
    from attnsim.kernels.softmax_statistics import softmax_statistics

    return softmax_statistics(rows(keys), keep_weights=True)


def numpy_statistics(keys: int) -> object:
    """Softmax of rows with all its statistics, as one writes it down from the formulas."""
    x = rows(keys)
    p = np.exp(x - x.max(axis=-1, keepdims=True))
    p /= p.sum(axis=-1, keepdims=True)
    entropy = -(p * np.log(p)).sum(axis=-1)
    square = (p**2).sum(axis=-1)
    jacobian = np.sqrt(square - 2.0 * (p**3).sum(axis=-1) + square**2)
    return p, p.max(axis=-1), entropy, 1.0 / square, jacobian


def one_row(keys: int) -> int:
    """Softmax of one row."""
    from attnsim.kernels.softmax_rows import softmax

    return softmax(rows(keys)[:1]).size


def one_row_statistics(keys: int) -> int:
    """Statistics of one row, no weight kept."""
    from attnsim.kernels.softmax_statistics import softmax_statistics

    softmax_statistics(rows(keys)[:1])
    return keys


def _softmax(keys: int) -> tuple[Item, ...]:
    case = f"n = {keys}"
    return (
        Item(
            "softmax", "scipy.special.softmax", 2.5, lambda: our_softmax(keys), lambda: scipy_softmax(keys),
            limit=LIMIT, limit_run=lambda: copy_rows(keys), case=case,
        ),
        Item(
            "softmax_vs_torch", "torch.softmax", 1.2, lambda: our_softmax(keys), lambda: torch_softmax(keys),
            case=case, needs="torch",
        ),
    )  # fmt: skip


def _statistics(keys: int) -> Item:
    return Item(
        "softmax_statistics", "numpy", 8.0, lambda: our_statistics(keys), lambda: numpy_statistics(keys),
        case=f"n = {keys}",
    )  # fmt: skip


ITEMS = (
    *(item for keys in KEYS for item in _softmax(keys)),
    *(_statistics(keys) for keys in STATISTICS_KEYS),
)

GROWTHS = (
    Growth("softmax of one row", "n", "key", (64, 4096, 65_536, 1_000_000), one_row),
    Growth("softmax statistics of one row", "n", "key", (64, 4096, 65_536, 1_000_000), one_row_statistics),
)
