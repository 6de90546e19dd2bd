"""Bounds that hold for every row of scores: the floor of the entropy and the ceiling of the largest weight."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.limits import within

Floats = NDArray[np.float64]


def entropy_floor(norm: ArrayLike, keys: ArrayLike) -> Floats:
    """Return the least entropy of the softmax of n scores whose distance from their mean is at most `norm`, nats.

    One raised score attains it: ln(1 + (n - 1) b) + norm sqrt(n (n - 1)) b/(1 + (n - 1) b), with
    b = exp(-norm sqrt(n/(n - 1))).

    Parameters
    ----------
    norm : array_like
        Euclidean norm of the centred scores, 0 or more.
    keys : array_like
        2 or more; the arguments broadcast.

    References
    ----------
    S. Zhai et al., "Stabilizing Transformer Training by Preventing Attention Entropy Collapse", ICML 2023.
    """
    size, n = within("norm", norm, 0.0), within("keys", keys, 2.0)
    b = np.exp(-size * np.sqrt(n / (n - 1.0)))
    rest = (n - 1.0) * b
    return np.asarray(np.log1p(rest) + size * np.sqrt(n * (n - 1.0)) * b / (1.0 + rest), dtype=np.float64)


def largest_weight_ceiling(keys: ArrayLike, bound: ArrayLike) -> Floats:
    """Return 1/(1 + (n - 1) e^(-2 bound)), what no weight exceeds while scores stay within -bound..bound."""
    n, limit = within("keys", keys, 1.0), within("bound", bound, 0.0)
    return np.asarray(1.0 / (1.0 + (n - 1.0) * np.exp(-2.0 * limit)), dtype=np.float64)


def dispersion_bounds(keys: ArrayLike, spread: ArrayLike) -> tuple[Floats, Floats]:
    """Return e^(-spread)/n and e^(spread)/n, between which every weight lies when max - min of the scores is `spread`.

    P. Velickovic et al., "softmax is not enough (for sharp out-of-distribution)", 2024.
    """
    n, width = within("keys", keys, 1.0), within("spread", spread, 0.0)
    return np.exp(-width) / n, np.minimum(np.exp(width) / n, 1.0)


def raised_key_weight(keys: ArrayLike, lead: ArrayLike) -> Floats:
    """Return 1/(1 + (n - 1) e^(-lead)): the weight of one score that stands `lead` above n - 1 equal ones."""
    n, above = within("keys", keys, 1.0), np.asarray(lead, dtype=np.float64)
    return np.asarray(1.0 / (1.0 + (n - 1.0) * np.exp(-above)), dtype=np.float64)


def half_weight_multiplier(keys: ArrayLike, rho: float = 0.0) -> Floats:
    """Return ln(n - 1)/(1 - rho), at which a key of unit score has weight 1/2 among n - 1 of score `rho` < 1."""
    within("rho", rho, -1.0, 1.0, below_high=True)
    return np.asarray(np.log(within("keys", keys, 2.0) - 1.0) / (1.0 - rho), dtype=np.float64)


def selected_sd(keys: ArrayLike, selected: ArrayLike) -> Floats:
    """Return the standard deviation left among the `selected` largest of many standard normal scores.

    1 + a h - h^2 is the variance of a normal law beyond its quantile a, with h = pdf(a) n/selected.

    Parameters
    ----------
    keys, selected : array_like
        1 <= selected <= keys; broadcast. Asymptotic in both.
    """
    from scipy.special import ndtri

    n = within("keys", keys, 1.0)
    share = within("selected / keys", np.asarray(selected, dtype=np.float64) / n, 0.0, 1.0, beyond_low=True)
    a = -ndtri(np.minimum(share, 1.0 - 1e-16))
    h = np.exp(-0.5 * a * a) / math.sqrt(2.0 * math.pi) / share
    return np.asarray(np.sqrt(np.maximum(1.0 + a * h - h * h, 0.0)), dtype=np.float64)
