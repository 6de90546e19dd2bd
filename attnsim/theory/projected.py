"""Scores of tokens behind random matrices: q = x W_Q and k = y W_K with normal tokens x and y of a width D.

Entries of W_Q and W_K have mean 0 and variance 1/D. Source: moments of Wishart matrices (J. Wishart, Biometrika 20A,
1928); given y's row partner u = sum q_i w_i the score is normal, so that E S^4 = 3 E |u|^4.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.moments import Moments
from attnsim.theory.moments import moments as record

Floats = NDArray[np.float64]


def moments(
    dim: ArrayLike,
    *,
    width: float,
    tied: bool = False,
    weight_kurtosis: float = 0.0,
    sigma_q: float = 1.0,
    sigma_k: float = 1.0,
    mean_q: float = 0.0,
    mean_k: float = 0.0,
) -> Moments:
    """Return the moments of the score of two different tokens, over tokens and matrices.

    Parameters
    ----------
    dim : array_like
        Components summed; any shape.
    width : float
        Components D of a token.
    tied : bool
        Whether W_Q is W_K, with normal entries.
    weight_kurtosis : float
        Excess kurtosis of the entries of independent matrices: 0 for normal, -1.2 for uniform ones.
    sigma_q, sigma_k, mean_q, mean_k : float
        q = mean_q + sigma_q x W_Q, and k likewise.

    Returns
    -------
    Moments
        Shaped like `dim`. The keys of a row share the query and W_K. Skewness and excess kurtosis are nan where
        a mean is not 0.
    """
    d = np.asarray(dim, dtype=np.float64)
    both = (sigma_q * sigma_k) ** 2
    between = (mean_k * sigma_q) ** 2 * d
    inside = both * d * ((1.0 + (d + 1.0) / width) if tied else 1.0) + (mean_q * sigma_k) ** 2 * d
    plain = mean_q == mean_k == 0.0
    nothing = np.full(d.shape, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        fourth = _tied_fourth(d, width) if tied else _fourth(d, width, weight_kurtosis)
        excess = fourth / (inside / both) ** 2 - 3.0 if plain else nothing
    return record(
        mean=d * mean_q * mean_k, variance=inside + between, within=inside,
        skewness=np.where(d > 0.0, 0.0, np.nan) if plain else nothing, excess_kurtosis=excess,
    )  # fmt: skip


def _fourth(d: Floats, width: float, kurtosis: float) -> Floats:
    """Return E S^4 for independent matrices: 3 E |u|^4, with sums over equal and over different indices."""
    lengths = 1.0 + 2.0 / width  # E (|x|^2 / D)^2
    of_one = 3.0 * lengths + 3.0 * kurtosis / width  # E q_i^4
    of_query = d * of_one + d * (d - 1.0) * lengths  # E |q|^4
    return np.asarray(3.0 * (lengths * of_query + kurtosis / width * d * of_one))


def _tied_fourth(d: Floats, width: float) -> Floats:
    """Return E S^4 for one matrix.

    Notes
    -----
    |u|^2 = |x|^2 Z (Z + Y) / D^2 with |x|^2, Z and Y independent chi-squares of D, d and D - 1 degrees of
    freedom: the part of u along x, and the part across it.
    """
    second = d * (d + 2.0)
    third = second * (d + 4.0)
    across = (width - 1.0) * (width + 1.0)
    mixed = third * (d + 6.0) + 2.0 * (width - 1.0) * third + across * second
    return np.asarray(3.0 * width * (width + 2.0) / width**4 * mixed)


def same_token_moments(dim: ArrayLike, *, width: float, tied: bool = False) -> tuple[Floats, Floats]:
    """Return mean and variance of the score of a token with itself, unit components.

    Parameters are those of `moments`; both results are shaped like `dim`.
    """
    d = np.asarray(dim, dtype=np.float64)
    lengths = 1.0 + 2.0 / width
    if not tied:
        return np.zeros(d.shape), np.asarray(d * lengths)
    return d.copy(), np.asarray(lengths * d * (d + 2.0) - d**2)
