"""Maximum, range, first passage and time on one side of the +-1 walk; laws that hold for all symmetric walks.

W. Feller, "An Introduction to Probability Theory and Its Applications", vol. 1, 1968, ch. III.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.limits import within
from attnsim.theory.random_walk import end_points, mean_distance, mean_maximum

Floats = NDArray[np.float64]


def maximum_law(steps: int) -> Floats:
    """Return P(max(0, S_1, .., S_steps) = r) for r = 0..steps: P(S = r) + P(S = r + 1), by reflection.

    Returns
    -------
    float64 array, shape (steps + 1,)
    """
    within("steps", steps, 0.0, whole=True)
    places, chances = end_points(steps)
    level = np.zeros(2 * steps + 2)
    level[(places + steps).astype(np.int64)] = chances
    return np.asarray(level[steps:-1] + level[steps + 1 :], dtype=np.float64)


def mean_range(steps: ArrayLike) -> Floats:
    """Return E(max - min) of the +-1 walk: twice the mean maximum."""
    return np.asarray(2.0 * mean_maximum(steps), dtype=np.float64)


def first_passage(level: int, steps: int) -> Floats:
    """Return P(the walk first stands at `level` after t steps) for t = 0..steps: (level/t) P(S_t = level).

    Parameters
    ----------
    level : int
        1 or more.
    steps : int

    Returns
    -------
    float64 array, shape (steps + 1,)
        Its sum falls short of 1 by the chance that the level is not reached in time.
    """
    from scipy.special import gammaln

    within("level", level, 1.0, whole=True)
    within("steps", steps, 0.0, whole=True)
    t = np.arange(steps + 1.0)
    reached = (t >= level) & ((t - level) % 2.0 == 0.0)
    safe = np.where(reached, t, float(level))
    ups = 0.5 * (safe + level)
    logarithm = gammaln(safe + 1.0) - gammaln(ups + 1.0) - gammaln(safe - ups + 1.0) - safe * math.log(2.0)
    return np.where(reached, level / safe * np.exp(logarithm), 0.0)


def return_probability(steps: ArrayLike, directions: int = 1) -> Floats:
    """Return P(the walk stands at its start after `steps` steps): C(d, d/2)/2^d, squared on the square lattice.

    Parameters
    ----------
    steps : array_like
        Whole, 0 or more; 0 for odd ones.
    directions : int
        1 for the line, 2 for the square lattice.
    """
    d = within("steps", steps, 0.0, whole=True)
    within("directions", directions, 1.0, 2.0, whole=True)
    one = np.where(d == 0.0, 1.0, mean_distance(d) / np.maximum(d, 1.0))
    return np.where(d % 2.0 == 0.0, one**directions, 0.0)


def sides_law(steps: int) -> Floats:
    """Return P(2k of the `steps` sides of the walk lie above 0) for k = 0..steps/2; `steps` is even.

    It is the discrete arcsine law u_2k u_(d - 2k), u_2k = C(2k, k)/4^k; the last return to 0 is at 2k with
    the same chance.
    """
    within("steps / 2", steps / 2.0, 0.0, whole=True)
    return sparre_andersen(steps // 2)


def sparre_andersen(steps: int) -> Floats:
    """Return P(k of the partial sums S_1..S_steps are positive) for k = 0..steps.

    It is u_2k u_(2 steps - 2k) for independent steps of any continuous symmetric law whatever, even without a
    variance, and so also for the partial sums of q . k.

    References
    ----------
    E. Sparre Andersen, "On the fluctuations of sums of random variables", Math. Scand. 1, 1953.
    """
    within("steps", steps, 0.0, whole=True)
    u = return_probability(2.0 * np.arange(steps + 1.0))
    return np.asarray(u * u[::-1], dtype=np.float64)


def arcsine_limit(fraction: ArrayLike) -> Floats:
    """Return the limit of P(fraction of the time above 0 <= x), (2/pi) arcsin sqrt(x), for x in 0..1."""
    x = within("fraction", fraction, 0.0, 1.0)
    return np.asarray(2.0 / math.pi * np.arcsin(np.sqrt(x)), dtype=np.float64)


def iterated_logarithm(steps: ArrayLike) -> Floats:
    """Return sqrt(2 d ln ln d), reached infinitely often and passed only finitely often by a walk of variance d.

    It is a statement about d without end: at any one d the walk is beyond it with the chance of
    `beyond_iterated_logarithm`, which falls only like 1/ln d. `steps` is 3 or more.
    """
    d = within("steps", steps, 3.0)
    return np.sqrt(2.0 * d * np.log(np.log(d)))


def beyond_iterated_logarithm(steps: ArrayLike) -> Floats:
    """Return P(|S_d| > sqrt(2 d ln ln d)) for normal steps; `steps` is 3 or more."""
    from scipy.special import erfc

    return np.asarray(erfc(np.sqrt(np.log(np.log(within("steps", steps, 3.0))))), dtype=np.float64)


def signs_beyond_iterated_logarithm(steps: ArrayLike) -> Floats:
    """Return P(|S_d| > sqrt(2 d ln ln d)) for steps of +-1, exactly: S_d is 2B - d with B binomial."""
    from scipy.special import bdtrc

    d = within("steps", steps, 3.0)
    return np.asarray(
        2.0 * bdtrc(np.floor((d + iterated_logarithm(d)) / 2.0), d.astype(np.int64), 0.5), dtype=np.float64
    )
