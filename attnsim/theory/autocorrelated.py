"""Scores of normal vectors whose components follow autoregressive processes of order 1."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.limits import within
from attnsim.theory.moments import Moments
from attnsim.theory.moments import moments as record
from attnsim.theory.optimal_scale import general_score_moments

Floats = NDArray[np.float64]


def power_sum(dim: ArrayLike, g: float) -> Floats:
    """Return the sum over i, j <= d of g^|i - j|: d (1 + g)/(1 - g) - 2 g (1 - g^d)/(1 - g)^2, and d^2 at g = 1."""
    d = within("dim", dim, 0.0)
    within("g", g, -1.0, 1.0)
    if 1.0 - g < 1e-4:  # the closed form has lost half its digits
        return np.array([_near_one(float(one), g) for one in d.ravel()]).reshape(d.shape)
    return np.asarray(d * (1.0 + g) / (1.0 - g) - 2.0 * g * (1.0 - g**d) / (1.0 - g) ** 2, dtype=np.float64)


def _near_one(d: float, g: float) -> float:
    lag = np.arange(1.0, d)
    return float(d + 2.0 * np.sum((d - lag) * g**lag))


def component_correlation(phi_q: float, phi_k: float, innovation: float) -> float:
    """Return Corr(q_i, k_i) of two processes whose innovations have the correlation `innovation`."""
    _check(phi_q, phi_k, innovation)
    return innovation * math.sqrt((1.0 - phi_q**2) * (1.0 - phi_k**2)) / (1.0 - phi_q * phi_k)


def autocorrelated_moments(
    dim: ArrayLike,
    *,
    phi_q: float = 0.0,
    phi_k: float = 0.0,
    innovation: float = 0.0,
    sigma_q: float = 1.0,
    sigma_k: float = 1.0,
    mean_q: float = 0.0,
    mean_k: float = 0.0,
) -> Moments:
    """Return the moments of q . k for stationary AR(1) components, q_i = mean + sigma x_i, x_i = phi x_(i-1) + e_i.

    Parameters
    ----------
    dim : array_like
        Any shape, 1 or more.
    phi_q, phi_k : float
        Strictly between -1 and 1.
    innovation : float
        Correlation of the two processes' innovations, -1..1; the within-row variance, skewness and kurtosis are
        nan unless it is 0.
    sigma_q, sigma_k, mean_q, mean_k : float
        Of one component; the excess kurtosis and skewness are nan with means.

    Returns
    -------
    Moments
        Shaped like `dim`.
    """
    d = within("dim", dim, 1.0, whole=True)
    rho = component_correlation(phi_q, phi_k, innovation)
    both = sigma_q * sigma_k
    independent, centred = innovation == 0.0, mean_q == 0.0 and mean_k == 0.0
    variance = both**2 * (1.0 + rho**2) * power_sum(d, phi_q * phi_k)
    from_q = mean_q**2 * sigma_k**2 * power_sum(d, phi_k)
    variance = variance + from_q + mean_k**2 * sigma_q**2 * power_sum(d, phi_q)
    variance = variance + mean_q * mean_k * both * rho * (power_sum(d, phi_q) + power_sum(d, phi_k))
    inside = both**2 * power_sum(d, phi_q * phi_k) + from_q
    plain = independent and centred
    return record(
        mean=d * (mean_q * mean_k + rho * both),
        variance=variance,
        within=inside if independent else np.full(d.shape, np.nan),
        skewness=np.full(d.shape, 0.0 if plain else np.nan),
        excess_kurtosis=_excess(d, phi_q, phi_k) if plain else np.full(d.shape, np.nan),
    )


def within_row_variance(dim: int, phi_q: float, phi_k: float, innovation: float) -> float:
    """Return the within-row variance of unit processes with correlated innovations, from their covariance matrices.

    Cov(q_i, k_j) = rho phi_k^(j - i) for j >= i, rho phi_q^(i - j) below.
    """
    rho = component_correlation(phi_q, phi_k, innovation)
    lag = np.arange(dim)[None, :] - np.arange(dim)[:, None]
    cross = rho * np.where(lag >= 0, phi_k ** np.maximum(lag, 0), phi_q ** np.maximum(-lag, 0))
    return general_score_moments(_covariance(dim, phi_q), _covariance(dim, phi_k), cross=cross)[2]


def _covariance(dim: int, phi: float) -> Floats:
    i = np.arange(dim)
    return np.asarray(float(phi) ** np.abs(i[:, None] - i), dtype=np.float64)


def _excess(d: Floats, phi_q: float, phi_k: float) -> Floats:
    """Return 6 tr (S_q S_k)^2/(tr S_q S_k)^2 of independent centred vectors."""

    def one(dim: int) -> float:
        product = _covariance(dim, phi_q) @ _covariance(dim, phi_k)
        return 6.0 * float(np.sum(product * product.T)) / float(np.trace(product)) ** 2

    return np.array([one(int(dim)) if dim <= 1024 else math.nan for dim in d.ravel()]).reshape(d.shape)


def _check(phi_q: float, phi_k: float, innovation: float) -> None:
    within("phi_q", phi_q, -1.0, 1.0, beyond_low=True, below_high=True)
    within("phi_k", phi_k, -1.0, 1.0, beyond_low=True, below_high=True)
    within("innovation", innovation, -1.0, 1.0)
