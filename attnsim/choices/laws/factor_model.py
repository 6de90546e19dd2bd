"""Rows of any law drawn component by component, with correlation by common factors.

q_i = mean + sigma (sqrt(r_q) f + sqrt(1 - r_q) a_i) and
k_i = mean + sigma (sqrt(r_k) g + sqrt(1 - r_k) (tau a_i + sqrt(1 - tau^2) b_i)),
with a and b of the named law, f and g standard normal, and rho = tau sqrt((1 - r_q)(1 - r_k)).
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.laws.law import Draws, Floats, Request

Fill = Callable[[NDArray[np.uint64], int, int, int, int, int], Floats]

MOST_COMPONENTS = 2_000_000  # 16 MB at a time


def draw(request: Request, fill: Fill, moments: Floats) -> Draws:
    """Draw rows of a law.

    Parameters
    ----------
    request : Request
    fill : callable
        (key, rows, keys, dim, first_row, first_key) -> float64 array (rows, keys, dim).
    moments : float64 array, shape (9,)
        E b^j of the law, j = 0..8; inf where it does not exist.

    Returns
    -------
    Draws
    """
    walks = np.empty((request.rows, request.steps.size, request.keys))
    norms = (np.empty_like(walks), np.empty_like(walks)) if request.norms else ()
    laws: list[tuple[Floats, ...]] = []
    at_once = max(1, MOST_COMPONENTS // int(request.steps[-1] * request.keys))
    for start in range(0, request.rows, at_once):
        rows = min(at_once, request.rows - start)
        some = slice(start, start + rows)
        laws.append(_rows(request, fill, start, rows, walks[some], *(part[some] for part in norms)))
    mean, sd, aligned_mean, aligned_sd, square, share, total = (
        np.concatenate(parts) for parts in zip(*laws, strict=True)
    )
    if not math.isfinite(moments[2]):
        sd, aligned_sd = np.full_like(sd, np.nan), np.full_like(sd, np.nan)
    kurtosis = np.where(share > 0.0, (moments[4] - 3.0) * np.where(share > 0.0, share, 1.0), 0.0)
    if request.norms:
        return Draws(walks, mean, sd, aligned_mean, aligned_sd, square, kurtosis, total, *norms)
    return Draws(walks, mean, sd, aligned_mean, aligned_sd, square, kurtosis)


def _rows(request: Request, fill: Fill, start: int, rows: int, walks: Floats, *norms: Floats) -> tuple[Floats, ...]:
    """Fill in the walks of a few rows, and the norms if asked; return the laws of the keys given the query."""
    from attnsim.kernels.component_rows import component_norms, component_walks
    from attnsim.kernels.rng import stream_key
    from attnsim.kernels.variates import normal_variates, uniform_variates

    first, dim = request.first_row + start, int(request.steps[-1])
    key = {side: stream_key(request.seed, f"{request.stream}/{side}") for side in "qkfgs"}
    own = fill(key["q"], rows, 1, dim, first, 0)[:, 0]
    factor = normal_variates(key["f"], rows, 1, 1, first)[:, 0]
    query = request.mean_q + request.sigma_q * (math.sqrt(request.r_q) * factor + math.sqrt(1.0 - request.r_q) * own)
    rho = np.full(rows, 0.0 if request.only_first else request.rho)
    first_rho = rho
    if request.only_first:
        chance = uniform_variates(key["s"], rows, 1, 1, first)[:, 0, 0] / math.sqrt(12.0) + 0.5
        first_rho = np.where(chance < request.aligned_share, request.rho, 0.0)
    lean_rest, left_rest = _lean(request, own, rho)
    lean_first, left_first = _lean(request, own, first_rho) if request.first_key == 0 else (lean_rest, left_rest)
    lean = np.ascontiguousarray(np.stack((lean_first, lean_rest), axis=1))
    left = np.stack((left_first, left_rest), axis=1)
    most = max(1, MOST_COMPONENTS // (dim * rows))
    for j in range(0, request.keys, most):
        keys = min(most, request.keys - j)
        residual = fill(key["k"], rows, keys, dim, first, request.first_key + j)
        shared = normal_variates(key["g"], rows, keys, 1, first, request.first_key + j)[:, :, 0]
        common = request.sigma_k * math.sqrt(request.r_k) * shared
        if j:  # key 0 lies in the first part alone
            lean, left = np.stack((lean_rest, lean_rest), axis=1), np.stack((left_rest, left_rest), axis=1)
        walks[:, :, j : j + keys] = component_walks(query, lean, common, left, residual, request.steps)
        if norms:
            found = component_norms(query, lean, common, left, residual, request.steps)
            norms[0][:, :, j : j + keys], norms[1][:, :, j : j + keys] = found
    aligned = np.full(rows, request.rho)
    mean, sd = _given_query(request, query, own, rho)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = left_rest[:, None] ** 4 * _running(request, query**4) / sd**4  # of the law's kurtosis that is left
    laws = (mean, sd, *_given_query(request, query, own, aligned))
    return (*laws, _running(request, query**2), share, _running(request, query))


def _lean(request: Request, own: Floats, rho: Floats) -> tuple[Floats, Floats]:
    """Return what a key's components are given the query's, and the spread of what is left."""
    tau = _tau(request, rho)
    weight = request.sigma_k * math.sqrt(1.0 - request.r_k)
    return request.mean_k + weight * tau[:, None] * own, weight * np.sqrt(1.0 - tau**2)


def _tau(request: Request, rho: Floats) -> Floats:
    room = math.sqrt((1.0 - request.r_q) * (1.0 - request.r_k))
    return np.clip(rho / room, -1.0, 1.0) if room > 0.0 else np.zeros_like(rho)


def _running(request: Request, values: Floats) -> Floats:
    return np.asarray(np.cumsum(values, axis=1)[:, request.steps - 1])


def _given_query(request: Request, query: Floats, own: Floats, rho: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard deviation of a key's running sum given the query and its factor."""
    lean, left = _lean(request, own, rho)
    common = request.sigma_k * math.sqrt(request.r_k)
    mean = _running(request, query * lean)
    variance = (common * _running(request, query)) ** 2 + left[:, None] ** 2 * _running(request, query**2)
    return mean, np.sqrt(variance)
