"""Normal components: exact at checkpoints, whatever the dimension."""

import numpy as np

from attnsim.choices.laws.law import Draws, Floats, Law, Request
from attnsim.words import mark


def moments(given: object) -> Floats:
    """Return E z^j, j = 0..8."""
    return np.array([1.0, 0.0, 1.0, 0.0, 3.0, 0.0, 15.0, 0.0, 105.0])


def draw(request: Request) -> Draws:
    """Draw rows whose keys are independent given the query (see the kernel's notes)."""
    from attnsim.kernels.gaussian_rows import gaussian_walks, query_blocks
    from attnsim.kernels.rng import stream_key

    sizes = np.diff(request.steps, prepend=0)
    key_q, key_k = (stream_key(request.seed, f"{request.stream}/{side}") for side in "qk")
    sums, squares = query_blocks(
        key_q, sizes, request.rows, request.first_row, sigma=request.sigma_q, mean=request.mean_q, r=request.r_q
    )
    aligned = _coupling(request, request.rho)
    usual = _coupling(request, 0.0) if request.only_first else aligned
    which = (request.keys, request.first_row, request.first_key, usual, aligned, request.aligned_share)
    walks = gaussian_walks(key_k, sums, squares, *which)
    running, square = np.cumsum(sums, axis=1), np.cumsum(squares, axis=1)
    mean, sd = _given_query(usual, running, square)
    aligned_mean, aligned_sd = _given_query(aligned, running, square)
    norms: tuple[Floats, ...] = ()
    if request.norms:
        from attnsim.kernels.gaussian_norms import gaussian_norms

        own_stream = stream_key(request.seed, f"{request.stream}/norms")
        norms = (running, *gaussian_norms(key_k, own_stream, sizes, sums, squares, *which))
    return Draws(walks, mean, sd, aligned_mean, aligned_sd, square, np.zeros_like(square), *norms)


def _coupling(request: Request, rho: float):  # type: ignore[no-untyped-def]
    """Return what a key is given its query: linear regression on it, and what is left.

    With A the covariance of q and C that of q and k, both exchangeable, the regression has slope
    C0/A0 across the ones direction and C1/A1 along it (Anderson, Multivariate Analysis, Sec. 2.5).
    """
    from attnsim.kernels.gaussian_rows import Coupling

    dim = int(request.steps[-1])
    variance_q, variance_k = request.sigma_q**2, request.sigma_k**2
    cross = rho * request.sigma_q * request.sigma_k
    across_q, along_q = variance_q * (1.0 - request.r_q), variance_q * (1.0 + (dim - 1) * request.r_q)
    slope = cross / across_q if cross else 0.0
    along = cross / along_q
    left = max(0.0, variance_k * (1.0 - request.r_k) - slope * cross)
    shared = max(0.0, variance_k * request.r_k + (slope - along) * cross / dim)
    return Coupling(
        offset=request.mean_k - along * request.mean_q,
        slope=slope,
        tilt=(along - slope) / dim,
        common=float(np.sqrt(shared)),
        own=float(np.sqrt(left)),
    )


def _given_query(coupling, running: Floats, square: Floats) -> tuple[Floats, Floats]:  # type: ignore[no-untyped-def]
    offset = coupling.offset + coupling.tilt * running[:, -1:]
    mean = offset * running + coupling.slope * square
    return mean, np.sqrt((coupling.common * running) ** 2 + coupling.own**2 * square)


LAW = Law(
    key="normal",
    title=mark("normal"),
    formula=r"q_i, k_i \sim N(\mu, \sigma^2)",
    source="Vaswani et al., NeurIPS 2017, footnote 4 (components with mean 0 and variance 1)",
    sentences=(
        mark("Each component is normal, as with a normal initialisation."),
        mark("Given the query a row's scores are exactly normal too, so a million dimensions cost no more than ten."),
    ),
    moments=moments,
    draw=draw,
    exact_blocks=True,
)
