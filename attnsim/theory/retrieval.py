"""One key aligned with the query among independent ones: what weight it gets, and until how many keys it is found.

Given the query, the aligned score is N(m rho |q|^2, m^2 |q|^2 (1 - rho^2)) and the others N(0, m^2 |q|^2), m being
the multiplier; components are standard normal.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.laplace_grid import LOST, REACH, STEP, laplace_grid
from attnsim.theory.limits import within
from attnsim.theory.random_energy import condensation_threshold
from attnsim.theory.row_spread import RARE, query_norms
from attnsim.theory.softmax_expectations import expectations

Floats = NDArray[np.float64]


def typical_planted_weight(dim: float, keys: float, rho: float, multiplier: float) -> float:
    """Return sigma(A - E ln Z): the aligned key's lead A = multiplier rho dim against the other keys' sum.

    E ln Z is exact. It is a value of a typical row, far from the mean when A and E ln Z are close; see
    `mean_planted_weight`.

    Parameters
    ----------
    dim : float
        1 or more.
    keys : float
        2 or more, the aligned one among them.
    rho : float
        Corr(q_i, k_i) of the aligned key, -1..1.
    multiplier : float
        Above 0.
    """
    _check(dim, keys, rho, multiplier)
    rest = float(expectations(keys - 1.0, multiplier * math.sqrt(dim), largest=False).log_normaliser)
    return float(0.5 + 0.5 * math.tanh(0.5 * (multiplier * rho * dim - rest)))


def mean_planted_weight(dim: float, keys: float, rho: float, multiplier: float) -> float:
    """Return the exact mean weight of the aligned key; parameters as in `typical_planted_weight`.

    E 1/(1 + Z e^{-A}) = Int E[h_1(tau + A)] l(e^tau)^{n - 1} dtau, averaged over ||q||.
    """
    _check(dim, keys, rho, multiplier)
    norms, chances = query_norms(dim)
    kept = chances > 1e-10
    weights = [_given_norm(float(norm), keys - 1.0, rho, multiplier) for norm in norms[kept]]
    return float(np.array(weights) @ chances[kept] / chances[kept].sum())


def _given_norm(norm: float, others: float, rho: float, multiplier: float) -> float:
    spread = multiplier * norm
    own = spread * math.sqrt(1.0 - rho * rho)
    step = min(0.5, STEP / max(own, 0.1))
    z = np.arange(-REACH, REACH + step, step)
    chances = np.exp(-0.5 * z * z)
    lead = spread * rho * norm + own * z
    grid = laplace_grid(spread, others, others)
    first = float(grid.tau[0])
    before = first - STEP * np.arange(math.ceil((max(0.0, lead[-1] + first) + LOST) / STEP), 0.0, -1.0)
    tau = np.concatenate([before, grid.tau])
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        empty = np.concatenate([np.ones(before.size), np.exp(others * np.log1p(-grid.missing))])
        grown = np.exp(np.minimum(tau[:, None] + lead, 700.0))
        return float(STEP * (empty @ (grown * np.exp(-grown)) @ chances) / chances.sum())


def found_probability(dim: float, keys: float, rho: float) -> float:
    """Return the exact chance that the aligned score is the largest of the row, whatever the multiplier.

    Parameters
    ----------
    dim : float
        1 or more.
    keys : float
        2 or more.
    rho : float
        -1..1.
    """
    from scipy.special import log_ndtr

    _check(dim, keys, rho, 1.0)
    norms, chances = query_norms(dim, 0.05)
    kept = chances > RARE
    z = np.arange(-REACH, REACH, 0.02)
    weights = np.exp(-0.5 * z * z)
    place = rho * norms[kept][:, None] + math.sqrt(1.0 - rho * rho) * z
    beaten = np.exp((keys - 1.0) * log_ndtr(place)) @ weights / weights.sum()
    return float(beaten @ chances[kept] / chances[kept].sum())


def most_keys(dim: ArrayLike, rho: ArrayLike) -> Floats:
    """Return exp(rho^2 d/2), the number of keys beyond which no multiplier makes the aligned key stand out.

    Asymptotic in d. The arguments broadcast; inf when it overflows.
    """
    d, r = within("dim", dim, 1.0), within("rho", rho, -1.0, 1.0)
    with np.errstate(over="ignore"):
        return np.exp(0.5 * np.maximum(r, 0.0) ** 2 * d)


def most_keys_at_inverse_sqrt(dim: ArrayLike, rho: ArrayLike) -> Floats:
    """Return exp(rho sqrt(d) - 1/2), the number of keys the aligned one outvotes when scores are divided by sqrt(d)."""
    d, r = within("dim", dim, 1.0), within("rho", rho, -1.0, 1.0)
    with np.errstate(over="ignore"):
        return np.exp(r * np.sqrt(d) - 0.5)


def lowest_multiplier(dim: ArrayLike, keys: ArrayLike, rho: ArrayLike) -> Floats:
    """Return rho - sqrt(rho^2 - 2 ln n/d), where the aligned key's lead meets ln Z; nan where no multiplier does.

    Asymptotic in d; beyond `most_keys` there is none. The arguments broadcast.
    """
    d, r = within("dim", dim, 1.0), within("rho", rho, -1.0, 1.0)
    room = np.asarray(np.maximum(r, 0.0) ** 2 - condensation_threshold(keys) ** 2 / d)
    return np.where(room >= 0.0, r - np.sqrt(np.maximum(room, 0.0)), np.nan)


def likelihood_multiplier(rho: ArrayLike) -> Floats:
    """Return rho/(1 - rho^2), at which the raw score is the log-likelihood ratio of aligned against independent.

    `rho` lies strictly between -1 and 1. What depends on the key's length alone is left aside.
    """
    r = within("rho", rho, -1.0, 1.0, beyond_low=True, below_high=True)
    return np.asarray(r / (1.0 - r * r), dtype=np.float64)


def _check(dim: float, keys: float, rho: float, multiplier: float) -> None:
    within("dim", dim, 1.0)
    within("keys", keys, 2.0, 1e18)
    within("rho", rho, -1.0, 1.0)
    within("multiplier", multiplier, 0.0, beyond_low=True)
