"""What each line of code multiplies a raw score by: right ones, and the mistakes that people make."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.sections.which_d import VARIANTS

Floats = NDArray[np.float64]

# (dimension of a head, number of keys, number of heads) -> factor of the raw score
FACTORS: dict[str, Callable[[Floats, int, int], Floats]] = {
    "right": lambda dim, keys, heads: dim**-0.5,
    "quartic": lambda dim, keys, heads: dim**-0.25 * dim**-0.25,
    "one_side": lambda dim, keys, heads: dim**-0.25,
    "missing": lambda dim, keys, heads: np.ones_like(dim),
    "sqrt_d_model": lambda dim, keys, heads: (heads * dim) ** -0.5,
    "sqrt_n": lambda dim, keys, heads: np.full_like(dim, keys**-0.5),
    "twice": lambda dim, keys, heads: dim**-0.5 * dim**-0.5,
}


def factors_at(dims: NDArray[np.int64], keys: int, heads: int) -> Floats:
    """Return the factor of every variant at some dimensions.

    Parameters
    ----------
    dims : int64 array, shape (checkpoints,)
        Dimensions of a head, 1 or more.
    keys, heads : int

    Returns
    -------
    float64 array, shape (variants, checkpoints)
        In the order of `VARIANTS`.
    """
    counts = dims.astype(np.float64)
    return np.array([FACTORS[name](counts, keys, heads) for name in VARIANTS])


def letters_of(seed: int) -> tuple[tuple[str, ...], str]:
    """Return the variants in the order of their letters A, B, .., and the one that is the mystery; by the seed."""
    from attnsim.kernels.rng import stream_key

    order = sorted(VARIANTS, key=lambda name: stream_key(seed, f"which_d/{name}").tolist())
    return tuple(order), VARIANTS[int(stream_key(seed, "which_d")[0]) % len(VARIANTS)]
