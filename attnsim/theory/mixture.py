"""A row in which one key is aligned with the query and the others are independent of it."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.independent_steps import alignment
from attnsim.theory.moments import Moments, existing
from attnsim.theory.moments import moments as record

Floats = NDArray[np.float64]


def pooled(keys: int, aligned: Moments, independent: Moments, gap_square: ArrayLike) -> Moments:
    """Return the moments of the score of a key chosen evenly among the keys of a row.

    Parameters
    ----------
    keys : int
        Keys of the row; one of them is aligned.
    aligned, independent : Moments
        Of the aligned key alone, and of any other.
    gap_square : array_like
        E (M1 - M0)^2, where M1 and M0 are the means of the two scores given the query.

    Returns
    -------
    Moments
        `within_row_variance` is the mean of the variance of the row's scores (divided by keys - 1).
        One key alone is just the aligned law.
    """
    if keys <= 1:
        return aligned
    share = 1.0 / keys
    gap = aligned.mean - independent.mean
    parts = (_about(aligned, (1.0 - share) * gap), _about(independent, -share * gap))
    second, third, fourth = (share * one + (1.0 - share) * other for one, other in zip(*parts, strict=True))
    with np.errstate(divide="ignore", invalid="ignore"):
        skewness, excess = third / second**1.5, fourth / second**2 - 3.0
    within = share * (aligned.within_row_variance + existing(gap_square))
    return record(
        mean=share * aligned.mean + (1.0 - share) * independent.mean,
        variance=second,
        within=within + (1.0 - share) * independent.within_row_variance,
        skewness=skewness,
        excess_kurtosis=excess,
    )


def _about(part: Moments, shift: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the second to fourth moment of a law about a point `shift` below its mean."""
    second = part.variance
    third = part.skewness * second**1.5
    fourth = (part.excess_kurtosis + 3.0) * second**2
    return (
        second + shift**2,
        third + 3.0 * second * shift + shift**3,
        fourth + 4.0 * third * shift + 6.0 * second * shift**2 + shift**4,
    )


def mean_gap_square(
    dim: ArrayLike,
    *,
    a_moments: ArrayLike,
    sigma_q: float = 1.0,
    sigma_k: float = 1.0,
    mean_q: float = 0.0,
    mean_k: float = 0.0,
    rho: float = 0.0,
    r_q: float = 0.0,
    r_k: float = 0.0,
) -> Floats:
    """Return E (M1 - M0)^2 in the factor model of `independent_steps.factor_moments`; signs are a case of it.

    M1 - M0 = sigma_k tau sqrt(1 - r_k) sum a_i q_i: what the aligned key's mean has beyond the others', given a
    and f. Parameters are those of `factor_moments` (`mean_k` plays no part); the result is shaped like `dim`, and
    nan where a has no fourth moment.
    """
    d = np.asarray(dim, dtype=np.float64)
    tau = alignment(rho, r_q, r_k)
    if tau == 0.0:
        return np.zeros(d.shape)
    moment = existing(a_moments)
    free = 1.0 - r_q
    square = (mean_q**2 + sigma_q**2 * r_q) * d + sigma_q**2 * free * (d * moment[4] + d * (d - 1.0))
    if mean_q:
        square = square + 2.0 * mean_q * sigma_q * math.sqrt(free) * d * moment[3]
    return np.asarray(sigma_k**2 * tau**2 * (1.0 - r_k) * square, dtype=np.float64)
