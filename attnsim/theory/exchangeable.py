"""Scores of normal vectors whose components all look alike: means, common factors, alignment.

Source: Isserlis' theorem for the quadratic form q . k after the rotation that puts (1, .., 1)/sqrt(d)
first; both covariances and the cross-covariance are then diagonal with two distinct values each.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.moments import Moments
from attnsim.theory.moments import moments as record
from attnsim.words import _

Floats = NDArray[np.float64]

ROUNDING = 1e-12  # relative room for a correlation that sits on its limit


@dataclass(frozen=True, slots=True, eq=False)
class Axes:
    """Covariances of (q, k) along (1, .., 1)/sqrt(d), and along each of the d - 1 axes across it.

    Attributes
    ----------
    dim : float64 array
    ones_q, ones_k, ones_cross : float64 array
        Variances of q and k along the ones direction, and their covariance.
    across_q, across_k, across_cross : float64 array
        The same on any axis across it; the means vanish there.
    mean_q, mean_k : float64 array
        Means along the ones direction: sqrt(d) times a component's mean.
    """

    dim: Floats
    ones_q: Floats
    ones_k: Floats
    ones_cross: Floats
    across_q: Floats
    across_k: Floats
    across_cross: Floats
    mean_q: Floats
    mean_k: Floats

    @property
    def slopes(self) -> tuple[Floats, Floats]:
        """Regression of k on q: along the ones direction, and across it."""
        return ratio(self.ones_cross, self.ones_q), ratio(self.across_cross, self.across_q)

    @property
    def poles(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Weights of the four chi-squares that make up twice the score: ones +, ones -, across +, across -."""
        ones = np.sqrt(np.maximum(self.ones_q * self.ones_k, 0.0))
        across = np.sqrt(np.maximum(self.across_q * self.across_k, 0.0))
        return _clean(self.ones_cross, ones) + _clean(self.across_cross, across)


def _clean(cross: Floats, root: Floats) -> tuple[Floats, Floats]:
    """Return cross + root and cross - root; what rounding leaves of a vanishing one is removed."""
    plus, minus = cross + root, cross - root
    noise = ROUNDING * root
    return np.where(np.abs(plus) < noise, 0.0, plus), np.where(np.abs(minus) < noise, 0.0, minus)


def ratio(top: Floats, bottom: Floats) -> Floats:
    """Return top / bottom, and 0 where the bottom vanishes: a query without spread predicts nothing."""
    return np.divide(top, bottom, out=np.zeros(np.broadcast(top, bottom).shape), where=np.asarray(bottom) > 0.0)


def axes(
    dim: ArrayLike,
    *,
    sigma_q: float = 1.0,
    sigma_k: float = 1.0,
    mean_q: float = 0.0,
    mean_k: float = 0.0,
    rho: float = 0.0,
    r_q: float = 0.0,
    r_k: float = 0.0,
    c: float = 0.0,
) -> Axes:
    """Return the covariances of query and key after the rotation.

    Parameters
    ----------
    dim : array_like
        Components; any shape.
    sigma_q, sigma_k, mean_q, mean_k : float
        Of one component.
    rho : float
        Corr(q_i, k_i).
    r_q, r_k : float
        Correlation of two components of one vector.
    c : float
        Corr(q_i, k_j), i not j.

    Raises
    ------
    ValueError
        If no pair of vectors has these correlations.
    """
    d = np.asarray(dim, dtype=np.float64)
    cross = sigma_q * sigma_k
    result = Axes(
        dim=d,
        ones_q=sigma_q**2 * (1.0 + (d - 1.0) * r_q),
        ones_k=sigma_k**2 * (1.0 + (d - 1.0) * r_k),
        ones_cross=cross * (rho + (d - 1.0) * c),
        across_q=np.full(d.shape, sigma_q**2 * (1.0 - r_q)),
        across_k=np.full(d.shape, sigma_k**2 * (1.0 - r_k)),
        across_cross=np.full(d.shape, cross * (rho - c)),
        mean_q=np.sqrt(d) * mean_q,
        mean_k=np.sqrt(d) * mean_k,
    )
    _check(result, rho=rho, r_q=r_q, r_k=r_k, c=c)
    return result


def _check(a: Axes, **given: float) -> None:
    real = a.dim >= 1.0  # below one component there is no vector to be impossible
    ones, across = a.ones_q * a.ones_k, a.across_q * a.across_k
    negative = (a.ones_q < 0.0) | (a.ones_k < 0.0) | (a.across_q < 0.0) | (a.across_k < 0.0)
    room = 1.0 + 1e-9
    impossible = negative | (a.ones_cross**2 > ones * room) | ((a.across_cross**2 > across * room) & (a.dim > 1.0))
    if np.any(impossible & real):
        listed = ", ".join(f"{name} = {value:g}" for name, value in given.items())
        raise ValueError(_("rho, r_q, r_k and c must leave every variance positive, not {given}").format(given=listed))


def moments(
    dim: ArrayLike,
    *,
    sigma_q: float = 1.0,
    sigma_k: float = 1.0,
    mean_q: float = 0.0,
    mean_k: float = 0.0,
    rho: float = 0.0,
    r_q: float = 0.0,
    r_k: float = 0.0,
    c: float = 0.0,
    of_dim: float | None = None,
) -> Moments:
    """Return the exact moments of the score of two exchangeable normal vectors.

    Parameters
    ----------
    dim : array_like
        Components that are summed; any shape.
    sigma_q, sigma_k, mean_q, mean_k, rho, r_q, r_k, c : float
        As in `axes`.
    of_dim : float, optional
        Components of the whole query, which all keys of a row share and given which they are
        independent; `dim` itself when left out. Only the within-row variance depends on it.

    Returns
    -------
    Moments
        Arrays shaped like `dim`.

    Raises
    ------
    ValueError
        If no pair of vectors has these correlations.

    References
    ----------
    Cumulants of quadratic forms in normal variables: A. M. Mathai and S. B. Provost,
    "Quadratic Forms in Random Variables", 1992, ch. 3.
    """
    components = {
        "sigma_q": sigma_q, "sigma_k": sigma_k, "mean_q": mean_q, "mean_k": mean_k,
        "rho": rho, "r_q": r_q, "r_k": r_k, "c": c,
    }  # fmt: skip
    at = axes(dim, **components)
    whole = at if of_dim is None else axes(of_dim, **components)
    k1, k2, k3, k4 = _cumulants(at)
    with np.errstate(divide="ignore", invalid="ignore"):
        skewness, excess = k3 / k2**1.5, k4 / k2**2
    return record(mean=k1, variance=k2, within=_within(at, whole), skewness=skewness, excess_kurtosis=excess)


def _cumulants(a: Axes) -> list[Floats]:
    """Return the first four cumulants, from the logarithm of the moment generating function."""
    plus, minus, across_plus, across_minus = a.poles
    both = a.mean_q * a.mean_k
    pull = 0.5 * (a.mean_q**2 * a.ones_k + a.mean_k**2 * a.ones_q) - both * a.ones_cross
    complete = [np.zeros_like(a.dim), np.ones_like(a.dim)]  # complete symmetric polynomials, from order -1
    result = []
    for n in range(1, 5):
        powers = plus**n + minus**n + (a.dim - 1.0) * (across_plus**n + across_minus**n)
        central = 0.5 * math.factorial(n - 1) * powers
        result.append(central + math.factorial(n) * (both * complete[n] + pull * complete[n - 1]))
        complete.append(sum((plus**i * minus ** (n - i) for i in range(n + 1)), np.zeros_like(a.dim)))
    return result


def _within(at: Axes, whole: Axes) -> Floats:
    """Return E Var(S | all components of q), when S sums the first `at.dim` components."""
    along, across = whole.slopes
    left_across = whole.across_k - across * whole.across_cross
    left_along = whole.ones_k - along * whole.ones_cross
    shared = (left_along - left_across) / np.maximum(whole.dim, 1.0)
    sum_square = at.dim * (at.ones_q + at.mean_q**2)
    square_sum = at.ones_q + (at.dim - 1.0) * at.across_q + at.mean_q**2
    return np.asarray(shared * sum_square + left_across * square_sum, dtype=np.float64)


def mean_gap_square(
    dim: ArrayLike,
    *,
    sigma_q: float = 1.0,
    sigma_k: float = 1.0,
    mean_q: float = 0.0,
    mean_k: float = 0.0,
    rho: float = 0.0,
    r_q: float = 0.0,
    r_k: float = 0.0,
    of_dim: float | None = None,
) -> Floats:
    """Return E (M1 - M0)^2, where M1 and M0 are the means given q of an aligned and of an independent key.

    Parameters and errors are those of `moments`; the result is shaped like `dim` and exact for every
    `of_dim` (Isserlis' theorem for a quadratic form of q plus a linear one).
    """
    d = np.asarray(dim, dtype=np.float64)
    whole = axes(
        d if of_dim is None else of_dim,
        sigma_q=sigma_q, sigma_k=sigma_k, mean_q=mean_q, mean_k=mean_k, rho=rho, r_q=r_q, r_k=r_k,
    )  # fmt: skip
    along, across = whole.slopes
    extra = along - across
    own = sigma_q**2
    with_sum = own * (1.0 + (d - 1.0) * r_q)  # Cov(q_i, sum of the first d)
    with_mean = whole.ones_q / np.maximum(whole.dim, 1.0)  # Cov(q_i, mean of all of q)
    quadratic = (
        across**2 * own**2 * (d**2 + 2.0 * (d + d * (d - 1.0) * r_q**2))
        + 2.0 * across * extra * (d**2 * own * with_mean + 2.0 * d * with_sum * with_mean)
        + extra**2 * (d * with_sum * with_mean + 2.0 * d**2 * with_mean**2)
    )
    linear = across**2 * d * with_sum + (2.0 * across * extra + extra**2) * d**2 * with_mean
    return np.asarray(quadratic + mean_q**2 * linear, dtype=np.float64)


def rates(
    *,
    sigma_q: float = 1.0,
    sigma_k: float = 1.0,
    mean_q: float = 0.0,
    mean_k: float = 0.0,
    rho: float = 0.0,
    r_q: float = 0.0,
    r_k: float = 0.0,
    c: float = 0.0,
) -> tuple[float, float]:
    """Return alpha and beta of Var S = alpha dim + beta dim^2; parameters as in `moments`."""
    both = (sigma_q * sigma_k) ** 2
    pull = 2.0 * mean_q * mean_k * sigma_q * sigma_k
    shift_q, shift_k = (mean_q * sigma_k) ** 2, (mean_k * sigma_q) ** 2
    beta = both * (r_q * r_k + c**2) + shift_q * r_k + shift_k * r_q + pull * c
    alpha = both * (1.0 + rho**2 - r_q * r_k - c**2) + shift_q * (1.0 - r_k) + shift_k * (1.0 - r_q) + pull * (rho - c)
    return alpha, beta


def growth(dim: ArrayLike, **components: float) -> Floats:
    """Return the local exponent d ln sd / d ln dim: 1/2 for growth like the root, 1 for growth like dim.

    Parameters
    ----------
    dim : array_like
        Any shape.
    **components : float
        `sigma_q`, `sigma_k`, `mean_q`, `mean_k`, `rho`, `r_q`, `r_k`, `c`, as in `moments`.

    Returns
    -------
    float64 array, shaped like `dim`
    """
    alpha, beta = rates(**components)
    d = np.asarray(dim, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        return np.asarray((0.5 * alpha + beta * d) / (alpha + beta * d), dtype=np.float64)


def crossover(**components: float) -> float:
    """Return the dimension at which the two parts of Var S = alpha d + beta d^2 are equal; inf without beta.

    Parameters are the components' of `growth`, whose exponent is 3/4 here.
    """
    alpha, beta = rates(**components)
    return alpha / beta if beta > 0.0 else math.inf
