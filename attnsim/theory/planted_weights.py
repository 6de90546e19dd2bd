"""Mean weight of one aligned key for many numbers of keys at once: what a curve or a map asks for.

With Z the sum over the other keys and A the aligned score, E 1/(1 + Z e^{-A}) = Int w(tau) l(e^tau)^{n - 1} dtau;
w(tau) = E h_1(tau + A), h_1(u) = exp(u - e^u), and l is the Laplace transform of one other key's e^score. Only the
power knows n. The integrand does not vanish at the low end, where l is 1; so exp(-e^{tau - c}), whose integral is
E sigma(A + c), is taken off and added again.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.discrete_softmax import MOST_CELLS, sign_scores
from attnsim.theory.laplace_grid import LOST, NARROW, REACH, STEP, TOP, LaplaceGrid, laplace_grid
from attnsim.theory.limits import within
from attnsim.theory.row_spread import query_norms

Floats = NDArray[np.float64]

WIDEST = 60.0  # beyond this spread the softmax is one-hot up to 1/spread^2, and the quadrature grows long
MOST_NODES = 9  # of the query's length; the mean of a polynomial of degree 17 is exact


def planted_weights(dim: float, keys: ArrayLike, rho: float, multiplier: float) -> Floats:
    """Return the mean weight of the aligned key among standard normal ones, for each number of keys.

    Parameters
    ----------
    dim : float
        1 or more.
    keys : array_like
        1 or more, the aligned one among them.
    rho : float
        Corr(q_i, k_i) of the aligned key, -1..1.
    multiplier : float
        Of the raw scores, above 0.

    Returns
    -------
    float64 array, shaped like `keys`
        Within 1e-5 of `retrieval.mean_planted_weight`, and within 1e-3 beyond spread 60, where the chance to have the
        largest score stands for it.
    """
    n = np.atleast_1d(within("keys", keys, 1.0))
    within("rho", rho, -1.0, 1.0)
    within("multiplier", multiplier, 0.0, beyond_low=True)
    others = np.maximum(n - 1.0, 1.0)
    norms, chances = few_norms(float(within("dim", dim, 1.0)))
    weights = np.zeros(n.shape)
    for norm, chance in zip(norms, chances, strict=True):
        wide = multiplier * norm > WIDEST
        part = _found(norm, others, rho) if wide else _given_norm(float(norm), others, rho, multiplier)
        weights += chance * part
    return np.where(n == 1.0, 1.0, np.clip(weights, 0.0, 1.0)).reshape(np.shape(keys))


def found_chances(dim: float, keys: ArrayLike, rho: float) -> Floats:
    """Return the chance that the aligned score is the largest, for each number of keys; see `planted_weights`."""
    n = np.atleast_1d(within("keys", keys, 1.0))
    within("rho", rho, -1.0, 1.0)
    norms, chances = query_norms(float(within("dim", dim, 1.0)))
    kept = chances > 1e-10
    parts = [p * _found(float(x), n - 1.0, rho) for x, p in zip(norms[kept], chances[kept], strict=True)]
    return np.asarray(sum(parts) / chances[kept].sum(), dtype=np.float64).reshape(np.shape(keys))


def sign_planted_weights(dim: int, keys: ArrayLike, rho: float, multiplier: float) -> Floats:
    """Return the same for components of +-1; nan where a score takes too many values to sum over."""
    n = np.atleast_1d(within("keys", keys, 1.0))
    values, chances = sign_scores(dim, 0.0, multiplier)
    own, of_own = sign_scores(dim, rho, multiplier)
    most = float(n.max())
    low, high = -(math.log(most) + LOST) - float(values[-1]), TOP + float(max(-values[0], -own[0]))
    tau = STEP * np.arange(math.floor(low / STEP), math.ceil(high / STEP) + 1.0)
    if tau.size * (values.size + own.size) > MOST_CELLS:
        return np.full(np.shape(keys), np.nan)
    with np.errstate(over="ignore", under="ignore"):
        missing = -np.expm1(-np.exp(np.minimum(tau[:, None] + values, 700.0))) @ chances
        grown = np.exp(np.minimum(tau[:, None] + own, 700.0))
        w = (grown * np.exp(-grown)) @ of_own
    center = low + LOST
    weights = _sigmoid(own + center) @ of_own + _difference(tau, w, missing, n - 1.0, center)
    return np.where(n == 1.0, 1.0, np.clip(weights, 0.0, 1.0)).reshape(np.shape(keys))


def sign_found_chances(dim: int, keys: ArrayLike, rho: float) -> Floats:
    """Return the chance that the aligned score alone is the largest, for components of +-1."""
    n = np.atleast_1d(within("keys", keys, 1.0))
    values, chances = sign_scores(dim)
    own, of_own = sign_scores(dim, rho)
    below = np.append(0.0, np.cumsum(chances))[np.searchsorted(values, own - 0.5)]
    return np.asarray(below[None, :] ** (n[:, None] - 1.0) @ of_own).reshape(np.shape(keys))


@lru_cache(maxsize=256)
def few_norms(dim: float) -> tuple[Floats, Floats]:
    """Return a Gauss rule for the length of a standard normal query: nodes and chances.

    The longer the vector, the less its length varies, and the fewer nodes will do: 9 below 16 components, then 7, 5
    from 128 and 4 from 512 on. Lanczos' steps on the fine grid of `query_norms`; the nodes are eigenvalues.

    References
    ----------
    G. H. Golub and J. H. Welsch, "Calculation of Gauss quadrature rules", Math. Comp. 23, 1969.
    """
    grid, p = query_norms(dim)
    vector, before, beta = np.sqrt(p), np.zeros(p.size), 0.0
    basis, along, across = [], [], []
    for _step in range(MOST_NODES if dim < 16 else 7 if dim < 128 else 5 if dim < 512 else 4):
        basis.append(vector)
        moved = grid * vector - beta * before
        along.append(float(moved @ vector))
        moved = moved - along[-1] * vector
        for each in basis:  # what rounding leaves of the earlier ones
            moved = moved - (moved @ each) * each
        beta = float(np.linalg.norm(moved))
        across.append(beta)
        before, vector = vector, moved / beta
    matrix = np.diag(along) + np.diag(across[:-1], 1) + np.diag(across[:-1], -1)
    nodes, vectors = np.linalg.eigh(matrix)
    return nodes, vectors[0] ** 2


def _given_norm(norm: float, others: Floats, rho: float, multiplier: float) -> Floats:
    """Return the mean weight given the query's length."""
    spread = multiplier * norm
    own, lead = spread * math.sqrt(1.0 - rho * rho), spread * rho * norm
    grid = _grid(spread, float(others.min()), float(others.max()))
    center = float(grid.tau[0]) + LOST
    z = np.arange(-REACH, REACH, min(0.25, 0.5 / max(own, 1.0)))
    chances = np.exp(-0.5 * z * z)
    start = float(_sigmoid(lead + own * z + center) @ chances / chances.sum())
    return start + _difference(grid.tau, _smoothed(grid.tau + lead, own), grid.missing, others, center)


@lru_cache(maxsize=512)  # along rho it stays the same
def _grid(spread: float, fewest: float, most: float) -> LaplaceGrid:
    return laplace_grid(spread, fewest, most, 1)


def _smoothed(u: Floats, own: float) -> Floats:
    """Return E h_1(u + own z) at each u."""
    if own < NARROW:
        z = np.arange(-REACH, REACH, 0.5) if own > 0.0 else np.zeros(1)
        chances = np.exp(-0.5 * z * z)
        v = np.minimum(u[:, None] + own * z, 700.0)
        return np.asarray(np.exp(v - np.exp(v)) @ chances / chances.sum())
    v = np.arange(-32.0, TOP, STEP)
    h = np.exp(v - np.exp(v))
    kernel = np.exp(-0.5 * ((v - u[:, None]) / own) ** 2)
    return np.asarray(kernel @ h) * (STEP / (own * math.sqrt(2.0 * math.pi)))


def _difference(tau: Floats, w: Floats, missing: Floats, others: Floats, center: float) -> Floats:
    """Return Int w (l^others - exp(-e^{tau - center})), which vanishes at both ends, for each number of others."""
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        powers = np.exp(others[:, None] * np.log1p(-np.minimum(missing, 1.0)))
        taken = np.exp(-np.exp(np.minimum(tau - center, 700.0)))
    return np.asarray(STEP * ((powers - taken) @ w), dtype=np.float64)


def _found(norm: float, others: Floats, rho: float) -> Floats:
    """Return the chance that the aligned score is the largest, given the query's length."""
    from scipy.special import log_ndtr

    z = np.arange(-REACH, REACH, 0.05)
    chances = np.exp(-0.5 * z * z)
    place = log_ndtr(rho * norm + math.sqrt(1.0 - rho * rho) * z)
    with np.errstate(under="ignore"):
        return np.asarray(np.exp(others[:, None] * place) @ chances / chances.sum())


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * x))
