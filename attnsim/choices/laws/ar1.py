"""Autoregressive vectors: each component leans on its neighbour."""

import math
from typing import Any

import numpy as np

from attnsim.choices.laws.law import Draws, Floats, Law, Request
from attnsim.words import mark

MOST_COMPONENTS = 2_000_000  # 16 MB at a time


def reach(given: Any) -> float:
    """Return the largest |Corr(q_i, k_i)|, which fully correlated innovations give."""
    q, k = given.phi_q, given.phi_k
    return float(math.sqrt((1.0 - q * q) * (1.0 - k * k)) / (1.0 - q * k))


def draw(request: Request) -> Draws:
    """Draw rows component by component.

    Notes
    -----
    (q_i, k_i) is a stationary vector autoregression whose innovations correlate by eta. Given the whole query its
    innovations are known; a key is an autoregression of those (its mean) plus one of its own innovations.
    """
    dim = int(request.steps[-1])
    at_once = max(1, MOST_COMPONENTS // (dim * request.keys))
    walks = np.empty((request.rows, request.steps.size, request.keys))
    laws = []
    for start in range(0, request.rows, at_once):
        rows = min(at_once, request.rows - start)
        laws.append(_rows(request, start, rows, walks[start : start + rows]))
    mean, sd, aligned_mean, aligned_sd, square = (np.concatenate(parts) for parts in zip(*laws, strict=True))
    return Draws(walks, mean, sd, aligned_mean, aligned_sd, square, np.zeros_like(square))


def _rows(request: Request, start: int, rows: int, walks: Floats) -> tuple[Floats, ...]:
    """Fill in the walks of a few rows; return the laws of their keys given the query."""
    from attnsim.kernels.autoregressive_rows import autoregressive
    from attnsim.kernels.component_rows import component_walks
    from attnsim.kernels.rng import stream_key
    from attnsim.kernels.variates import normal_variates, uniform_variates

    first, dim = request.first_row + start, int(request.steps[-1])
    key = {side: stream_key(request.seed, f"{request.stream}/{side}") for side in "qks"}
    innovations = normal_variates(key["q"], rows, 1, dim, first)
    one = np.ones((rows, 2))
    steady = autoregressive(innovations, request.phi_q, one, math.sqrt(1.0 - request.phi_q**2) * one)[:, 0]
    query = request.mean_q + request.sigma_q * steady
    rest = np.full(rows, 0.0 if request.only_first else request.rho)
    aligned = np.full(rows, request.rho)
    head = rest
    if request.first_key == 0:
        chance = uniform_variates(key["s"], rows, 1, 1, first)[:, 0, 0] / math.sqrt(12.0) + 0.5
        head = np.where(chance < request.aligned_share, aligned, 0.0) if request.only_first else rest
    rho = np.stack((head, rest), axis=1)
    lean = np.stack([_lean(request, innovations, one) for one in rho.T], axis=1)
    none = np.zeros((rows, request.keys))
    most = max(1, MOST_COMPONENTS // (dim * rows))
    for j in range(0, request.keys, most):
        keys = min(most, request.keys - j)
        if j:  # key 0 lies in the first part alone
            rho, lean = np.stack((rest, rest), axis=1), np.stack((lean[:, 1], lean[:, 1]), axis=1)
        noise = normal_variates(key["k"], rows, keys, dim, first, request.first_key + j)
        residual = autoregressive(noise, request.phi_k, *_own(request, rho))
        walks[:, :, j : j + keys] = component_walks(
            query, lean, none[:, :keys].copy(), np.full((rows, 2), request.sigma_k), residual, request.steps
        )
    usual = _given_query(request, query, lean[:, 1], rest)
    square = np.cumsum(query**2, axis=1)[:, request.steps - 1]
    if not request.only_first:
        return (*usual, *usual, square)
    return (*usual, *_given_query(request, query, _lean(request, innovations, aligned), aligned), square)


def _own(request: Request, rho: Floats) -> tuple[Floats, Floats]:
    """Return the scales of a key's own first innovation and of its later ones."""
    eta = np.clip(rho / reach(request), -1.0, 1.0)
    start = np.sqrt(np.maximum(1.0 - rho**2, 0.0))
    return start, np.sqrt((1.0 - request.phi_k**2) * (1.0 - eta**2))


def _lean(request: Request, innovations: Floats, rho: Floats) -> Floats:
    """Return the mean of a key given the query, shape (rows, dim)."""
    from attnsim.kernels.autoregressive_rows import autoregressive

    eta = np.clip(rho / reach(request), -1.0, 1.0)
    start, own = (np.stack((scale, scale), axis=1) for scale in (rho, math.sqrt(1.0 - request.phi_k**2) * eta))
    return request.mean_k + request.sigma_k * autoregressive(innovations, request.phi_k, start, own)[:, 0]


def _given_query(request: Request, query: Floats, lean: Floats, rho: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard deviation of a key's running sum: of a normal number given the query."""
    from attnsim.kernels.autoregressive_rows import spread_of_sums

    mean = np.cumsum(query * lean, axis=1)[:, request.steps - 1]
    variance = spread_of_sums(query, request.phi_k, *_own(request, rho), request.steps)
    return mean, request.sigma_k * np.sqrt(np.maximum(variance, 0.0))


LAW = Law(
    key="ar1",
    title=mark("autoregressive, AR(1)"),
    formula=r"q_i - \mu = \varphi_q (q_{i-1} - \mu) + \sqrt{1 - \varphi_q^2}\,\sigma e_i, \quad e_i \sim N(0, 1)",
    source="Yule, Phil. Trans. R. Soc. A 226, 1927; Brockwell & Davis, Time Series: Theory and Methods, Sec. 3.1",
    sentences=(
        mark("Each component leans on the one before it, so that neighbours correlate by phi and distant ones hardly."),
        mark("The variance still grows like d in the end, (1 + phi_q phi_k)/(1 - phi_q phi_k) times as fast."),
    ),
    moments=None,
    draw=draw,
    gives_norms=False,
    reads=("phi_q", "phi_k"),
    refuses=("r_q", "r_k"),
    reason=mark("whose components correlate by phi_q and phi_k"),
    reach=reach,
)
