"""Variance of the score when common factors and private parts of any law are shared between query and key.

q_i = mean_q + sigma_q (sqrt(r_q) f + sqrt(1 - r_q) a_i) and
k_i = mean_k + sigma_k (sqrt(r_k) g + sqrt(1 - r_k) (tau a_i + sqrt(1 - tau^2) b_i)), g = omega f + sqrt(1 - omega^2) h;
f, h, a_i, b_i independent, of mean 0 and variance 1.
"""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.exchangeable import moments
from attnsim.theory.limits import within

Floats = NDArray[np.float64]


def factor_correlations(*, tau: float, omega: float, r_q: float, r_k: float) -> tuple[float, float]:
    """Return rho = Corr(q_i, k_i) and c = Corr(q_i, k_j) of the factor model.

    `tau` and `omega` lie in -1..1, `r_q` and `r_k` in 0..1.
    """
    for name, value in (("tau", tau), ("omega", omega)):
        within(name, value, -1.0, 1.0)
    for name, value in (("r_q", r_q), ("r_k", r_k)):
        within(name, value, 0.0, 1.0)
    common = omega * math.sqrt(r_q * r_k)
    return common + tau * math.sqrt((1.0 - r_q) * (1.0 - r_k)), common


def factor_variance(
    dim: ArrayLike,
    *,
    sigma_q: float = 1.0,
    sigma_k: float = 1.0,
    mean_q: float = 0.0,
    mean_k: float = 0.0,
    r_q: float = 0.0,
    r_k: float = 0.0,
    tau: float = 0.0,
    omega: float = 0.0,
    cumulants: Mapping[str, float] | None = None,
) -> Floats:
    """Return Var S of the factor model, shaped like `dim`.

    Parameters
    ----------
    dim : array_like
        1 or more.
    sigma_q, sigma_k, mean_q, mean_k, r_q, r_k, tau, omega : float
    cumulants : mapping, optional
        `skew_a`, `excess_a`, `skew_f`, `excess_f`: skewness and excess kurtosis of a and f, 0 when left out. The
        laws of b and h play no part, and none does when tau = omega = 0.
    """
    d = within("dim", dim, 1.0)
    rho, c = factor_correlations(tau=tau, omega=omega, r_q=r_q, r_k=r_k)
    known = {"skew_a": 0.0, "excess_a": 0.0, "skew_f": 0.0, "excess_f": 0.0} | dict(cumulants or {})
    free_q, free_k = 1.0 - r_q, 1.0 - r_k
    normal = moments(
        d, sigma_q=sigma_q, sigma_k=sigma_k, mean_q=mean_q, mean_k=mean_k, rho=rho, r_q=r_q, r_k=r_k, c=c
    ).variance
    fourth = d**2 * known["excess_f"] * r_q * r_k * omega**2 + d * known["excess_a"] * free_q * free_k * tau**2
    from_q = d**2 * known["skew_f"] * omega**2 * r_k * math.sqrt(r_q)
    from_q = from_q + d * known["skew_a"] * tau**2 * free_k * math.sqrt(free_q)
    from_k = d**2 * known["skew_f"] * omega * r_q * math.sqrt(r_k)
    from_k = from_k + d * known["skew_a"] * tau * free_q * math.sqrt(free_k)
    extra = sigma_q**2 * sigma_k**2 * fourth
    extra = extra + 2.0 * mean_q * sigma_q * sigma_k**2 * from_q + 2.0 * mean_k * sigma_q**2 * sigma_k * from_k
    return np.asarray(normal + extra, dtype=np.float64)


def heavy_tail_growth(nu: float, start: float, end: float) -> float:
    """Return by which factor the typical |q . k| grows from dimension `start` to `end` for Student components.

    (d ln d)^(1/nu) below nu = 2, where the product of two has the tail x^-nu ln x; sqrt(d) above. Asymptotic.
    `nu` is above 0, and both dimensions are 2 or more.
    """
    within("nu", nu, 0.0, beyond_low=True)
    low, high = float(within("start", start, 2.0)), float(within("end", end, 2.0))
    if nu > 2.0:
        return math.sqrt(high / low)
    ratio = high * math.log(high) / (low * math.log(low))
    return float(ratio ** (1.0 / nu))
