"""Norms of the softmax Jacobian J = diag(p) - p p^T and of the gradients that pass through it."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.laplace_grid import STEP, laplace_grid
from attnsim.theory.limits import within
from attnsim.theory.random_energy import mean_maximum
from attnsim.theory.row_spread import RARE, query_norms
from attnsim.theory.softmax_curve import interpolated_expectations
from attnsim.theory.softmax_expectations import MOST_KEYS, expectations

Floats = NDArray[np.float64]

EVEN = 1e-9  # spreads below it leave the weights even
ALONG = np.geomspace(1e-3, 16.0, 40)  # spreads at which E ||J z||^2 is computed for its interpolation
SEPARATED = 6.0  # of s/e_n: from here two keys make up the row's Jacobian


def score_gradient_norm2(jacobian_norm2: ArrayLike, value_overlap: ArrayLike = 0.0) -> Floats:
    """Return E ||dX||^2 of one row's scores when the upstream gradient is white: (1 - overlap) E ||J||_F^2.

    Parameters
    ----------
    jacobian_norm2 : array_like
        E ||J||_F^2.
    value_overlap : array_like
        Mean cosine between the value vectors of two keys, 0..1; at 1, rank collapse, nothing passes.
    """
    norm2, overlap = within("jacobian_norm2", jacobian_norm2, 0.0), within("value_overlap", value_overlap, 0.0, 1.0)
    return np.asarray((1.0 - overlap) * norm2, dtype=np.float64)


def query_gradient_norm2(dim: float, keys: float, multiplier: float) -> float:
    """Return E ||dQ||^2 of one query for standard normal q, k and white score gradients.

    It is multiplier^2 E[(d - 1) ||J||_F^2 + ||J z||^2], z being the standardised scores: the keys' components across
    the query are independent of the weights, those along it are z. All is averaged over ||q||.

    Parameters
    ----------
    dim : float
        1 or more.
    keys : float
        1 or more.
    multiplier : float
        Of the raw scores.
    """
    spread, chances = _norms(dim, multiplier)
    kept = chances > RARE
    norm2 = expectations(keys, spread[kept], largest=False).jacobian_norm2
    along = np.array([jacobian_along_scores(keys, float(s)) for s in spread[kept]])
    return float(multiplier**2 * ((dim - 1.0) * norm2 + along) @ chances[kept])


def jacobian_along_scores(keys: float, score_sd: float) -> float:
    """Return E ||J z||^2 for scores score_sd z, z independent standard normals, by quadrature.

    J z is the weights' derivative by the spread. The transforms weighted with z and z^2 are derivatives in tau
    of those without (integration by parts).
    """
    n, s = float(within("keys", keys, 1.0, MOST_KEYS)), float(within("score_sd", score_sd, 0.0, 1e4))
    if n == 1.0:
        return 0.0
    if s < EVEN:
        return (1.0 - 1.0 / n) / n
    grid = laplace_grid(s, n, n, orders=6)
    p = np.vstack([np.zeros_like(grid.tau), grid.powers])
    once = [s * (k * p[k] - p[k + 1]) for k in range(1, 4)]
    twice = [p[k] + s * s * (k * k * p[k] - (2 * k + 1) * p[k + 1] + p[k + 2]) for k in range(2, 5)]
    with np.errstate(divide="ignore", under="ignore", invalid="ignore", over="ignore"):
        logarithm = np.log1p(-grid.missing)
        rest = [np.exp(np.where(n == gone, 0.0, (n - gone) * logarithm)) for gone in (1.0, 2.0, 3.0)]
        # below three keys a negative power meets transforms that have vanished
        rest = [np.where(np.isfinite(one) & ((n >= 3.0) | (grid.missing < 1.0 - 1e-13)), one, 0.0) for one in rest]
    pairs, triples = n * (n - 1.0), n * (n - 1.0) * (n - 2.0)
    own = n * (twice[0] - twice[1] + twice[2] / 6.0) @ rest[0]
    two = pairs * (-once[1] * once[0] + p[2] * twice[0] / 6.0 + once[2] * once[0] / 3.0) @ rest[1]
    three = triples / 6.0 * (p[2] * once[0] ** 2) @ rest[2]
    return float(STEP * (own + two + three))


def interpolated_along_scores(keys: float, score_sd: ArrayLike) -> Floats:
    """Return what `jacobian_along_scores` gives, within 1e-3 up to a spread of 16; any shape.

    A cubic spline in logarithms between 40 quadratures; constant below them. Beyond them it falls like s^-3: two
    keys share the weight where their gap z, of constant density near 0, is of order 1/s.
    """
    s = within("score_sd", score_sd, 0.0)
    if keys == 1.0:
        return np.zeros_like(s)
    inside = np.clip(s, ALONG[0], ALONG[-1])
    return np.asarray(np.exp(_along_curve(float(keys))(np.log(inside))) * (inside / np.maximum(s, inside)) ** 3)


@lru_cache(maxsize=32)
def _along_curve(keys: float):  # type: ignore[no-untyped-def]
    from scipy.interpolate import CubicSpline

    values = np.array([jacobian_along_scores(keys, float(s)) for s in ALONG])
    return CubicSpline(np.log(ALONG), np.log(values))


def key_gradient_norm2(dim: float, keys: float, multiplier: float) -> float:
    """Return E ||dK||_F^2 of one query's row: E s^2 ||J||_F^2, s = multiplier ||q||; exact for a standard normal q."""
    spread, chances = _norms(dim, multiplier)
    return float((spread**2 * interpolated_expectations(keys, spread).jacobian_norm2) @ chances)


def _norms(dim: float, multiplier: float) -> tuple[Floats, Floats]:
    norms, chances = query_norms(dim)
    return abs(multiplier) * norms, chances


def median_jacobian_norm(keys: float, score_sd: ArrayLike) -> Floats:
    """Return the median of ||J||_F over rows, where it is known; nan elsewhere.

    Exact for 2 keys, whose Jacobian has the norm 2 p (1 - p). From a spread of six times e_n on the same
    holds for the two largest of n scores, whose median gap is a quadrature: at most 17 % low (measured).

    Parameters
    ----------
    keys : float
        2 or more.
    score_sd : array_like
        0 or more; any shape.
    """
    n, s = float(within("keys", keys, 2.0, MOST_KEYS)), within("score_sd", score_sd, 0.0)
    with np.errstate(over="ignore"):
        half = np.exp(-s * median_gap(n))
    norm = 2.0 * half / (1.0 + half) ** 2
    known = np.full(s.shape, True) if n == 2.0 else s >= SEPARATED * mean_maximum(n)
    return np.where(known, norm, np.nan)


def median_gap(keys: float) -> float:
    """Return the median of the gap between the two largest of `keys` >= 2 standard normals.

    P(gap > g) = n Int pdf(z) cdf(z - g)^(n - 1) dz.
    """
    from scipy.optimize import brentq
    from scipy.special import log_ndtr

    n = float(within("keys", keys, 2.0, MOST_KEYS))
    z = np.arange(-12.0, 16.0, 0.02)

    def beyond(gap: float) -> float:
        with np.errstate(under="ignore"):
            return float(0.02 * np.exp(math.log(n) + (n - 1.0) * log_ndtr(z - gap) - 0.5 * z * z).sum())

    return float(brentq(lambda gap: beyond(gap) / math.sqrt(2.0 * math.pi) - 0.5, 0.0, 4.0, xtol=1e-13))


def operator_norm_bounds(weights: ArrayLike) -> tuple[Floats, Floats]:
    """Return a lower and an upper bound of ||J||_2 of each row p1 >= p2 >= ..: p2, and min(p1, 2 p1 (1 - p1)).

    p2 and p1 come from the interlacing of eigenvalues, 2 p1 (1 - p1) from Gershgorin's circles.

    Parameters
    ----------
    weights : array_like, shape (..., keys)
        Rows that sum to 1, of 2 keys or more.
    """
    p = np.sort(within("weights", weights, 0.0, 1.0 + 1e-9), axis=-1)
    largest = p[..., -1]
    return p[..., -2], np.minimum(largest, 2.0 * largest * (1.0 - largest))


def operator_norm(weights: ArrayLike) -> Floats:
    """Return ||J||_2 of each row of weights: the root of sum p^2/(p - x) = 1 between p2 and p1, by bisection.

    Parameters
    ----------
    weights : array_like, shape (..., keys)
        Rows that sum to 1, of 2 keys or more.

    Returns
    -------
    float64 array, shape (...)

    References
    ----------
    The secular equation of a diagonal matrix less a rank-one one: G. H. Golub, SIAM Rev. 15, 1973, sec. 5.
    """
    p = within("weights", weights, 0.0, 1.0 + 1e-9)
    ranked = np.sort(p, axis=-1)
    low, high = ranked[..., -2].copy(), ranked[..., -1].copy()
    for _ in range(60):
        middle = 0.5 * (low + high)
        with np.errstate(divide="ignore", invalid="ignore"):
            total = np.sum(p**2 / (p - middle[..., None]), axis=-1)
        beyond = total > 1.0  # it rises from -inf at p2 to inf at p1
        low, high = np.where(beyond, low, middle), np.where(beyond, middle, high)
    return np.asarray(0.5 * (low + high), dtype=np.float64)
