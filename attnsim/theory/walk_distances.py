"""Mean distances and mean maxima of other walks: on lattices, with normal or arbitrary steps, of q . k."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.limits import within
from attnsim.theory.random_walk import end_points, mean_score_distance

Floats = NDArray[np.float64]

LONGEST_SUM = 4096
BAND = 10.0  # standard deviations of the walk that are summed
LATTICE = (-0.23233, 0.0684)  # of d^(-3/2) for even and odd d, fitted to the sum between 1,024 and 4,096 steps


def lattice_mean_distance(steps: ArrayLike) -> Floats:
    """Return the mean distance after `steps` steps to one of the four neighbours on the square lattice.

    x + y and x - y are two independent +-1 walks, so that it is a double sum over their end points. Beyond 4,096
    steps the expansion sqrt(pi d)/2 (1 + 1/(16 d) + c d^(-3/2)) is within 1e-9, relatively.

    Parameters
    ----------
    steps : array_like
        Whole, 0 or more; any shape.
    """
    d = within("steps", steps, 0.0, whole=True)
    return np.array([_lattice_distance(float(one)) for one in d.ravel()]).reshape(d.shape)


def _lattice_distance(steps: float) -> float:
    if steps > LONGEST_SUM:
        correction = 1.0 / (16.0 * steps) + LATTICE[int(steps % 2.0)] / (steps * math.sqrt(steps))
        return 0.5 * math.sqrt(math.pi * steps) * (1.0 + correction)
    places, chances = end_points(int(steps))
    near = np.abs(places) <= BAND * math.sqrt(steps)
    places, chances = places[near], chances[near]
    return float(chances @ np.sqrt(0.5 * (places[:, None] ** 2 + places**2)) @ chances)


def isotropic_distance_factor(directions: ArrayLike) -> Floats:
    """Return the limit of (mean distance)/sqrt(steps) in D directions: sqrt(2/D) Gamma((D + 1)/2)/Gamma(D/2)."""
    count = within("directions", directions, 1.0, whole=True)
    return np.asarray(np.sqrt(2.0 / count) * mean_score_distance(count) * math.sqrt(math.pi) / 2.0, dtype=np.float64)


def mean_score_maximum(dim: int) -> Floats:
    """Return E max(0, S_1, .., S_m) of the partial sums of q . k for m = 1..dim, standard normal components.

    Spitzer's identity: the sum over m of E[S_m^+]/m.

    Returns
    -------
    float64 array, shape (dim,)

    References
    ----------
    F. Spitzer, "A combinatorial lemma and its application to probability theory", Trans. AMS 82, 1956.
    """
    within("dim", dim, 1.0, whole=True)
    m = np.arange(1.0, dim + 1.0)
    return np.cumsum(0.5 * mean_score_distance(m) / m)


def mean_normal_maximum(steps: int) -> Floats:
    """Return E max(0, S_1, .., S_m) of the walk of standard normal steps for m = 1..steps, shape (steps,).

    The sum of m^(-1/2)/sqrt(2 pi), about sqrt(2 m/pi) - 0.5826.
    """
    within("steps", steps, 1.0, whole=True)
    return np.cumsum(np.arange(1.0, steps + 1.0) ** -0.5) / math.sqrt(2.0 * math.pi)


def mean_distance_of(steps: int, characteristic: Callable[[float], float]) -> float:
    """Return E|S| of `steps` independent symmetric steps: (2/pi) Int_0^inf (1 - phi(t)^d)/t^2 dt.

    Parameters
    ----------
    steps : int
        1 or more.
    characteristic : callable
        t -> phi(t) = E cos(t X) of one step, whose mean distance exists.

    Returns
    -------
    float
        Within 1e-8 for laws with a density.
    """
    from scipy.integrate import quad

    within("steps", steps, 1.0, whole=True)
    root = 1.0 / math.sqrt(steps)

    def integrand(x: float) -> float:
        return (1.0 - characteristic(x * root) ** steps) / (x * x)

    near = quad(integrand, 0.0, 1.0, epsabs=1e-12, epsrel=1e-11, limit=400)[0]
    far = quad(integrand, 1.0, math.inf, epsabs=1e-12, epsrel=1e-11, limit=400)[0]
    return float(2.0 / math.pi * (near + far) / root)


def mean_distance_expansion(steps: ArrayLike, *, skewness: float = 0.0, excess_kurtosis: float = 0.0) -> Floats:
    """Return sqrt(2d/pi) (1 - kappa/(24d) + gamma^2/(24d)) for unit-variance steps with a density; asymptotic."""
    d = within("steps", steps, 1.0)
    return np.asarray(
        np.sqrt(2.0 * d / math.pi) * (1.0 + (skewness**2 - excess_kurtosis) / (24.0 * d)), dtype=np.float64
    )


def folded_normal_mean(mean: ArrayLike, sd: ArrayLike) -> Floats:
    """Return E|X| of normal X: sd sqrt(2/pi) exp(-mean^2/(2 sd^2)) + mean (1 - 2 cdf(-mean/sd)).

    Parameters
    ----------
    mean, sd : array_like
        `sd` is 0 or more; broadcast against each other.

    References
    ----------
    F. C. Leone, L. S. Nelson, R. B. Nottingham, "The folded normal distribution", Technometrics 3, 1961.
    """
    from scipy.special import erf

    m, s = np.asarray(mean, dtype=np.float64), within("sd", sd, 0.0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        z = np.where(s > 0.0, m / (math.sqrt(2.0) * s), np.where(m == 0.0, 0.0, np.copysign(np.inf, m)))
        return np.asarray(s * math.sqrt(2.0 / math.pi) * np.exp(-(z**2)) + m * erf(z))


def normal_shares(edges: ArrayLike, mean: float, sd: float) -> Floats:
    """Return the chance of each bin between rising edges, for a normal law of positive `sd`."""
    from scipy.special import ndtr

    within("sd", sd, 0.0)
    return np.diff(ndtr((np.asarray(edges, dtype=np.float64) - mean) / sd))
