"""Random walks: end points and whole paths, against numpy."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from attnsim.bench.item import Growth, Item

END_DIMS = (512, 4096, 65_536)
STEPS = 1 << 23  # of a call: about those of the paths below
PATHS = (2000, 4096)
LIMIT = "writing int16 paths of the same size"


@cache
def key() -> NDArray[np.uint64]:
    """Return the key of the streams drawn here."""
    from attnsim.kernels.rng import stream_key

    return stream_key(1, "bench walks")


@cache
def generator() -> np.random.Generator:
    """Return the generator of the numpy sides."""
    return np.random.default_rng(1)


def our_ends(dim: int, steps: int = STEPS) -> int:
    """Draw end points by counting bits."""
    from attnsim.kernels.walk_ends import walk_ends

    return walk_ends(key(), dim, steps // dim).size


def choice_ends(dim: int) -> object:
    """Draw end points as a textbook would."""
    return generator().choice([-1, 1], size=(STEPS // dim, dim)).cumsum(axis=1)[:, -1]


def bitcount_ends(dim: int) -> object:
    """Draw end points as a user would who knows numpy.bitwise_count."""
    words = generator().integers(0, 2**64, size=(STEPS // dim, dim // 64), dtype=np.uint64)
    return 2 * np.bitwise_count(words).sum(axis=1, dtype=np.int64) - dim


def our_paths() -> object:
    """Draw +-1 paths."""
    from attnsim.kernels.walk_paths import sign_paths

    return sign_paths(key(), PATHS[1], PATHS[0])


def numpy_paths() -> object:
    """Draw +-1 paths as a textbook would."""
    return generator().choice([-1, 1], size=PATHS).cumsum(axis=1)


def write_paths() -> object:
    """Write as many bytes as the paths have; a copy, which reads them too, takes longer than drawing them."""
    return np.full(PATHS, 1, dtype=np.int16)


def our_normal_paths() -> object:
    """Draw Gaussian paths."""
    from attnsim.kernels.walk_paths import normal_paths

    return normal_paths(key(), PATHS[1], PATHS[0])


def numpy_normal_paths() -> object:
    """Draw Gaussian paths with numpy."""
    return generator().standard_normal(PATHS).cumsum(axis=1)


def binomial_growth(dim: int) -> int:
    """Draw end points from their law."""
    from attnsim.kernels.walk_ends import binomial_ends

    return binomial_ends(key(), dim, 1 << 18).size


def _ends(dim: int) -> tuple[Item, ...]:
    case = f"d = {dim}"
    return (
        Item(
            "walk_ends", "numpy choice + cumsum", 300.0,
            lambda: our_ends(dim), lambda: choice_ends(dim), case=case,
        ),
        Item(
            "walk_ends_vs_bitcount", "numpy.bitwise_count", 2.5,
            lambda: our_ends(dim), lambda: bitcount_ends(dim), case=case,
        ),
    )  # fmt: skip


ITEMS = (
    *(item for dim in END_DIMS for item in _ends(dim)),
    Item(
        "walk_paths", "numpy choice + cumsum", 18.0, our_paths, numpy_paths,
        limit=LIMIT, limit_run=write_paths, case="2000 x 4096",
    ),
    Item("walk_paths_normal", "numpy cumsum of standard_normal", 9.0, our_normal_paths, numpy_normal_paths,
         case="2000 x 4096"),
)  # fmt: skip

GROWTHS = (
    Growth("walk end points, every step drawn", "d", "walk", (64, 512, 4096, 65_536), our_ends),
    Growth("walk end points from the binomial law", "d", "walk", (64, 512, 4096, 65_536), binomial_growth),
)
