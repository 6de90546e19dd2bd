"""Components of -1 and +1: the score is the classic random walk."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.laws.law import Draws, Floats, Law, Request
from attnsim.words import mark


def moments(given: object) -> Floats:
    """Return E s^j, j = 0..8."""
    return np.array([1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0])


def draw(request: Request) -> Draws:
    """Draw rows by binomial increments; a key's sign is the query's with chance (1 + rho)/2."""
    from attnsim.kernels.rng import stream_key
    from attnsim.kernels.sign_rows import query_pluses, sign_walks

    steps = _refined(request)
    sizes = np.diff(steps, prepend=0)
    key_q, key_k = (stream_key(request.seed, f"{request.stream}/{side}") for side in "qk")
    pluses = query_pluses(key_q, sizes, request.rows, request.first_row)
    usual_rho = 0.0 if request.only_first else request.rho
    which = (sizes, pluses, request.keys, request.first_row, request.first_key)
    law: dict[str, Any] = {
        "scale": (request.sigma_q, request.sigma_k),
        "mean": (request.mean_q, request.mean_k),
        "rho": usual_rho,
        "first_rho": request.rho,
        "first_share": request.aligned_share,
    }
    walks = sign_walks(key_k, *which, **law)
    wanted = np.searchsorted(steps, request.steps)
    signs = np.cumsum(2 * pluses - sizes, axis=1)[:, wanted].astype(np.float64)
    mean, sd, square = _given_query(request, signs, usual_rho)
    aligned_mean, aligned_sd, _ = _given_query(request, signs, request.rho)
    kurtosis = _kurtosis(request, signs, usual_rho, sd)
    norms: tuple[Floats, ...] = ()
    if request.norms:
        from attnsim.kernels.sign_norms import sign_norms

        own_stream = stream_key(request.seed, f"{request.stream}/norms")
        query_sum = request.mean_q * request.steps + request.sigma_q * signs
        norms = (query_sum, *(part[:, wanted] for part in sign_norms(key_k, own_stream, *which, **law)))
    return Draws(walks[:, wanted], mean, sd, aligned_mean, aligned_sd, square, kurtosis, *norms)


def _refined(request: Request) -> NDArray[np.int64]:
    """Return the checkpoints with others between, where the kernel needs short blocks."""
    from attnsim.kernels.sign_rows import LONGEST_TABLED

    if request.mean_q == 0.0 and request.mean_k == 0.0:
        return request.steps
    grid = np.arange(LONGEST_TABLED, request.steps[-1], LONGEST_TABLED, dtype=np.int64)
    return np.union1d(request.steps, grid)


def _given_query(request: Request, signs: Floats, rho: float) -> tuple[Floats, Floats, Floats]:
    count = request.steps.astype(np.float64)
    mean_q, sigma_q = request.mean_q, request.sigma_q
    running = mean_q * count + sigma_q * signs
    square = (mean_q**2 + sigma_q**2) * count + 2.0 * mean_q * sigma_q * signs
    along_signs = mean_q * signs + sigma_q * count
    mean = request.mean_k * running + rho * request.sigma_k * along_signs
    return mean, request.sigma_k * np.sqrt((1.0 - rho**2) * np.maximum(square, 0.0)), square


def _kurtosis(request: Request, signs: Floats, rho: float, sd: Floats) -> Floats:
    """Return the fourth cumulant of a key's sum given the query over its variance squared."""
    odds = 0.5 * (1.0 + rho)
    coin = odds * (1.0 - odds)
    cumulant = 16.0 * coin * (1.0 - 6.0 * coin) * request.sigma_k**4
    count = request.steps.astype(np.float64)
    plus, minus = (0.5 * (count + side * signs) for side in (1.0, -1.0))
    fourth = plus * (request.mean_q + request.sigma_q) ** 4 + minus * (request.mean_q - request.sigma_q) ** 4
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(cumulant * fourth / sd**4)


LAW = Law(
    key="sign",
    title=mark("±1 (random walk)"),
    formula=r"q_i, k_i \in \{\mu - \sigma, \mu + \sigma\}",
    source="Pearson, Nature 72, 1905; Feller, An Introduction to Probability Theory I, ch. III",
    sentences=(
        mark("Each component is -1 or +1 by the toss of a coin."),
        mark("Every product is a step of -1 or +1: the score is the end of the classic random walk."),
    ),
    moments=moments,
    draw=draw,
    refuses=("r_q", "r_k"),
    reason=mark("whose components cannot share a factor"),
    exact_blocks=True,
)
