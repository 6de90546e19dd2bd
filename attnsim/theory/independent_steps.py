"""Scores that are sums of independent, equal steps q_i k_i, whatever the law of the components.

A law enters through the moments E a^0 .. E a^8 of its variate of mean 0 and variance 1.
"""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory import exchangeable
from attnsim.theory.moments import Moments, existing
from attnsim.theory.moments import moments as record

Floats = NDArray[np.float64]


def moments_from_step(dim: ArrayLike, raw: ArrayLike, *, origin: float = 0.0, within: ArrayLike = np.nan) -> Moments:
    """Return the moments of the sum of `dim` independent steps.

    Parameters
    ----------
    dim : array_like
        Number of steps; any shape.
    raw : array_like, shape (5,)
        E (X - origin)^j of one step, j = 0..4; inf or nan where it does not exist.
    origin : float
        A point near the mean of X avoids the cancellation between large raw moments.
    within : array_like
        Within-row variance of one step, which the law of X alone does not tell.

    Returns
    -------
    Moments
        Shaped like `dim`; nan for what does not exist.
    """
    d = np.asarray(dim, dtype=np.float64)
    _, first, second, third, fourth = existing(raw)
    variance = second - first**2
    cube = third - 3.0 * first * second + 2.0 * first**3
    square = fourth - 4.0 * first * third + 6.0 * first**2 * second - 3.0 * first**4
    with np.errstate(divide="ignore", invalid="ignore"):
        skewness = cube / variance**1.5 / np.sqrt(d)
        excess = (square / variance**2 - 3.0) / d
    return record(
        mean=d * (origin + first), variance=d * variance, within=d * existing(within),
        skewness=skewness, excess_kurtosis=excess,
    )  # fmt: skip


def sign_step(
    sigma_q: float = 1.0, sigma_k: float = 1.0, mean_q: float = 0.0, mean_k: float = 0.0, rho: float = 0.0,
    *, centred: bool = False,
) -> Floats:  # fmt: skip
    """Return E X^j, j = 0..4, for q = mean_q + sigma_q s and k = mean_k + sigma_k t with signs s, t.

    P(t = s) = (1 + rho)/2. With `centred` the moments are about E X = mean_q mean_k + rho sigma_q sigma_k.
    """
    raw = np.zeros(5)
    for s, t in product((-1.0, 1.0), repeat=2):
        spread = mean_q * sigma_k * t + mean_k * sigma_q * s
        constant = -rho * sigma_q * sigma_k if centred else mean_q * mean_k
        raw += 0.25 * (1.0 + s * t * rho) * (constant + spread + sigma_q * sigma_k * s * t) ** np.arange(5)
    return raw


def correlated_step(
    a_moments: ArrayLike, sigma_q: float = 1.0, sigma_k: float = 1.0, mean_q: float = 0.0, mean_k: float = 0.0,
    rho: float = 0.0, *, centred: bool = False,
) -> Floats:  # fmt: skip
    """Return E X^j, j = 0..4, of X = q k with q and k from two independent variates a and b of one law.

    q = mean_q + sigma_q a and k = mean_k + sigma_k (rho a + sqrt(1 - rho^2) b).

    Parameters
    ----------
    a_moments : array_like, shape (9,)
        E a^0 .. E a^8; inf or nan where a moment does not exist. A moment that enters with the
        factor 0 plays no part.
    sigma_q, sigma_k, mean_q, mean_k, rho : float
    centred : bool
        Whether the moments are about mean_q mean_k + rho sigma_q sigma_k, which is E X if a has a variance.

    Returns
    -------
    float64 array, shape (5,)
        inf or nan where a moment does not exist.
    """
    moment = np.asarray(a_moments, dtype=np.float64)
    own = math.sqrt(max(0.0, 1.0 - rho * rho))
    both = sigma_q * sigma_k
    step = np.zeros((3, 2))  # the coefficient of a^i b^j
    step[0, 0] = -both * rho if centred else mean_q * mean_k
    step[1, 0] = mean_q * sigma_k * rho + mean_k * sigma_q
    step[0, 1] = mean_q * sigma_k * own
    step[2, 0] = both * rho
    step[1, 1] = both * own
    power, raw = np.ones((1, 1)), [1.0]
    for _j in range(4):
        power = _multiply(power, step)
        raw.append(_expectation(power, moment))
    return np.array(raw)


def _multiply(left: Floats, right: Floats) -> Floats:
    """Return the product of two polynomials in a and b."""
    out = np.zeros((left.shape[0] + right.shape[0] - 1, left.shape[1] + right.shape[1] - 1))
    for (i, j), value in np.ndenumerate(right):
        out[i : i + left.shape[0], j : j + left.shape[1]] += value * left
    return out


def _expectation(polynomial: Floats, moment: Floats) -> float:
    """Return the mean of a polynomial in a and b; terms with the factor 0 are left out, even at infinity."""
    with np.errstate(invalid="ignore"):
        return float(sum(value * (moment[i] * moment[j]) for (i, j), value in np.ndenumerate(polynomial) if value))


def factor_moments(
    dim: ArrayLike,
    *,
    a_moments: Sequence[float] | Floats,
    sigma_q: float = 1.0,
    sigma_k: float = 1.0,
    mean_q: float = 0.0,
    mean_k: float = 0.0,
    rho: float = 0.0,
    r_q: float = 0.0,
    r_k: float = 0.0,
) -> Moments:
    """Return mean, variance and within-row variance when components share normal common factors.

    q_i = mean_q + sigma_q (sqrt(r_q) f + sqrt(1 - r_q) a_i) and
    k_i = mean_k + sigma_k (sqrt(r_k) g + sqrt(1 - r_k) (tau a_i + sqrt(1 - tau^2) b_i)), with f and g
    independent standard normal, a and b of the law of `a_moments`, and tau = rho / sqrt((1 - r_q)(1 - r_k)).
    The keys of a row share a and f.

    Parameters
    ----------
    dim : array_like
        Any shape.
    a_moments : array_like, shape (9,)
        E a^0 .. E a^8 of the variate of mean 0 and variance 1; inf or nan where one does not exist.
    sigma_q, sigma_k, mean_q, mean_k, rho, r_q, r_k : float

    Returns
    -------
    Moments
        Shaped like `dim`; skewness and excess kurtosis are nan, having no closed form here.

    Raises
    ------
    ValueError
        If no pair of vectors has these correlations.
    """
    d = np.asarray(dim, dtype=np.float64)
    normal = exchangeable.moments(
        d, sigma_q=sigma_q, sigma_k=sigma_k, mean_q=mean_q, mean_k=mean_k, rho=rho, r_q=r_q, r_k=r_k
    )
    free_q, free_k = 1.0 - r_q, 1.0 - r_k
    tau = alignment(rho, r_q, r_k)
    moment = existing(a_moments)
    extra = 0.0
    if tau:
        skew, excess = moment[3], moment[4] - 3.0
        extra = sigma_q**2 * sigma_k**2 * free_q * free_k * tau**2 * excess
        extra += 2.0 * mean_q * sigma_q * sigma_k**2 * tau**2 * free_k * math.sqrt(free_q) * skew
        extra += 2.0 * mean_k * sigma_q**2 * sigma_k * tau * free_q * math.sqrt(free_k) * skew
    sum_square = d**2 * mean_q**2 + sigma_q**2 * d * (1.0 + (d - 1.0) * r_q)
    within = sigma_k**2 * (r_k * sum_square + free_k * (1.0 - tau**2) * d * (mean_q**2 + sigma_q**2))
    spread = 1.0 if np.isfinite(moment[2]) else np.nan
    centre = 1.0 if np.isfinite(moment[2 if tau else 1]) else np.nan
    nothing = np.full(d.shape, np.nan)
    return record(
        mean=normal.mean * centre, variance=(normal.variance + d * extra) * spread, within=within * spread,
        skewness=nothing, excess_kurtosis=nothing,
    )  # fmt: skip


def alignment(rho: float, r_q: float, r_k: float) -> float:
    """Return the correlation left to the parts of q_i and k_i that are not common; 0 when there are none."""
    free = math.sqrt((1.0 - r_q) * (1.0 - r_k))
    return max(-1.0, min(1.0, rho / free)) if free > 0.0 else 0.0
