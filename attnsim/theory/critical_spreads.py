"""Spreads of the scores at which something happens to the softmax of n normal scores, from the exact means."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.limits import within
from attnsim.theory.random_energy import condensation_threshold
from attnsim.theory.softmax_expectations import MOST_KEYS, expectations

Floats = NDArray[np.float64]


def half_mass_spread(keys: ArrayLike, share: float = 0.5) -> Floats:
    """Return the spread at which E sum p^2 is `share`, at 1/2 the point where one key takes half of the weight.

    Parameters
    ----------
    keys : array_like
        More than 1; any shape.
    share : float
        Strictly between 1/keys, which spread 0 gives, and 1.

    Returns
    -------
    float64 array, shaped like `keys`
        Without scaling its square is the dimension at which that happens.
    """
    return _each(keys, lambda n: _crossing(n, lambda s: _p2(n, s) - share, 1.0 / n, share))


def half_entropy_spread(keys: ArrayLike, fraction: float = 0.5) -> Floats:
    """Return the spread at which E H is `fraction` of ln n; strictly between 0 and 1."""
    return _each(keys, lambda n: _crossing(n, lambda s: fraction - _entropy(n, s) / math.log(n), 0.0, fraction))


def steepest_spread(keys: ArrayLike) -> tuple[Floats, Floats]:
    """Return where E ||J||_F^2 is largest, and its value there; spread 0 up to 4 keys.

    The first tends to 2 s_c and the second to 1/12 for many keys.

    Returns
    -------
    spreads, norms2 : float64 array, shaped like `keys`
    """
    n = within("keys", keys, 1.0, MOST_KEYS, beyond_low=True)
    pairs = np.array([_steepest(float(one)) for one in n.ravel()]).reshape(*n.shape, 2)
    return pairs[..., 0], pairs[..., 1]


def _each(keys: ArrayLike, find: Callable[[float], float]) -> Floats:
    n = within("keys", keys, 1.0, MOST_KEYS, beyond_low=True)
    return np.array([find(float(one)) for one in n.ravel()]).reshape(n.shape)


def _p2(n: float, s: float) -> float:
    return float(expectations(n, s, largest=False).sum_p2)


def _entropy(n: float, s: float) -> float:
    return float(expectations(n, s, largest=False).entropy)


def _crossing(n: float, rising: Callable[[float], float], low: float, share: float) -> float:
    from scipy.optimize import brentq

    within("share", share, low, 1.0, beyond_low=True, below_high=True)
    high = 2.0 + 2.0 * float(condensation_threshold(n))
    while rising(high) < 0.0:
        high *= 2.0
    return float(brentq(rising, 0.0, high, xtol=1e-10, rtol=1e-12))


def _steepest(n: float) -> tuple[float, float]:
    from scipy.optimize import minimize_scalar

    def norm2(s: float) -> float:
        return float(expectations(n, s, largest=False).jacobian_norm2)

    flat = (1.0 - 1.0 / n) / n
    found = minimize_scalar(lambda s: -norm2(s), bounds=(0.0, 2.0 + 2.0 * float(condensation_threshold(n))),
                            method="bounded", options={"xatol": 1e-7})  # fmt: skip
    return (float(found.x), -float(found.fun)) if -found.fun > flat * (1.0 + 1e-9) else (0.0, flat)
