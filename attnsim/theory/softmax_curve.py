"""Means over the softmax along the spread of the scores, interpolated: what an overlay asks for at every move.

For one n the exact quadratures are taken at 62 spreads up to 30 (Chebyshev points of s below 1.6 s_c, where the
phases change, and of 1/s above), and kept. Beyond 30 the laws of the two largest scores hold, c e_n/s, with the
factor 1 + a/s + b/s^2 that meets the quadratures at 24 and 30, so that there is no step.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.theory.limits import within
from attnsim.theory.random_energy import condensation_threshold, mean_maximum
from attnsim.theory.softmax_expectations import MOST_KEYS, NAMES, Expectations, expectations

Floats = NDArray[np.float64]

LAST = 30.0
BEFORE = 24.0
NEAR_POINTS, FAR_POINTS = 41, 21

# of 1 - value (of the value itself for entropy and Jacobian), in units of e_n/s
LAWS = {
    "entropy": math.pi**2 / 6.0,
    "sum_p2": 1.0,
    "sum_p3": 1.5,
    "jacobian_norm2": 1.0 / 3.0,
    "largest_weight": math.log(2.0),
}
ITSELF = ("entropy", "jacobian_norm2")


def interpolated_expectations(keys: float, score_sd: ArrayLike) -> Expectations:
    """Return what `softmax_expectations.expectations` returns, from a few interpolations.

    Parameters
    ----------
    keys : float
        1, or any real number in 2..1e18.
    score_sd : array_like
        0 or more; any shape; inf is allowed.

    Returns
    -------
    Expectations
        Shaped like `score_sd`. Relative errors within spread 30: 1e-5 up to 65,536 keys (sum_p3 2e-4), 2e-3 at
        1e17 (sum_p3 2e-2), where the curves have kinks; beyond it 1e-4 of the distance from the one-hot limit.
        `sink_mass` is nan beyond 30, having no law there. `seconds` is 0.

    Raises
    ------
    ValueError
        If `keys` or `score_sd` lies outside its limits.
    """
    n = float(within("keys", keys, 1.0, MOST_KEYS))
    s = within("score_sd", score_sd, 0.0)
    if n == 1.0:
        sink = np.where(s <= LAST, expectations(1.0, np.minimum(s, LAST)).sink_mass, np.nan)
        flat, whole = np.zeros(s.shape), np.ones(s.shape)
        return Expectations(flat, flat.copy(), whole, whole.copy(), flat.copy(), sink, whole.copy(), seconds=0.0)
    within("keys", n, 2.0, MOST_KEYS)
    line = _line(n)
    inside = line.at(np.minimum(s, LAST).ravel()).reshape(len(NAMES), *s.shape)
    values = dict(zip(NAMES, inside, strict=True))
    beyond = s > LAST
    if beyond.any():
        for name, law in _laws(line, np.where(beyond, s, LAST)).items():
            values[name] = np.where(beyond, law, values[name])
    return Expectations(**{name: np.array(value) for name, value in values.items()}, seconds=0.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """Logarithms of the means at the nodes, shape (7, points), below and above `cut`."""

    keys: float
    cut: float
    near: Floats
    near_values: Floats
    far: Floats
    far_values: Floats

    def at(self, s: Floats) -> Floats:
        low, high = s <= self.cut, s > self.cut
        result = np.empty((len(NAMES), s.size))
        result[:, low] = _barycentric(self.near, self.near_values, s[low])
        result[:, high] = _barycentric(self.far, self.far_values, 1.0 / s[high])
        return np.exp(result)


@lru_cache(maxsize=256)
def _line(keys: float) -> _Line:
    cut = 1.6 * float(condensation_threshold(max(keys, 8.0)))
    near = cut * _chebyshev(NEAR_POINTS)
    far = 1.0 / cut + (1.0 / LAST - 1.0 / cut) * _chebyshev(FAR_POINTS)
    both = expectations(keys, np.concatenate([near, 1.0 / far]))
    values = np.log(np.stack([getattr(both, name) for name in NAMES]))
    return _Line(keys, cut, near, values[:, : near.size], far, values[:, near.size :])


def _chebyshev(points: int) -> Floats:
    return np.asarray(0.5 - 0.5 * np.cos(np.linspace(0.0, math.pi, points)), dtype=np.float64)


def _barycentric(nodes: Floats, values: Floats, x: Floats) -> Floats:
    """Interpolate at x; nodes are Chebyshev points, whose weights alternate in sign and are halved at the ends.

    J.-P. Berrut and L. N. Trefethen, "Barycentric Lagrange interpolation", SIAM Rev. 46, 2004, eq. 5.4.
    """
    weights = np.where(np.arange(nodes.size) % 2 == 0, 1.0, -1.0)
    weights[[0, -1]] *= 0.5
    distance = x[:, None] - nodes
    hit = distance == 0.0
    terms = weights / np.where(hit, 1.0, distance)
    exact = hit.any(axis=1)
    terms[exact] = hit[exact]
    return np.asarray((values @ terms.T) / terms.sum(axis=1), dtype=np.float64)


def _laws(line: _Line, s: Floats) -> dict[str, Floats]:
    """Return the means beyond the last node."""
    top = float(mean_maximum(line.keys))
    known = dict(zip(NAMES, line.at(np.array([BEFORE, LAST])), strict=True))
    result = {}
    for name, factor in LAWS.items():
        small = known[name] if name in ITSELF else 1.0 - known[name]
        excess = small * np.array([BEFORE, LAST]) / (factor * top) - 1.0
        b = (excess[0] * BEFORE - excess[1] * LAST) / (1.0 / BEFORE - 1.0 / LAST)
        a = excess[1] * LAST - b / LAST
        law = factor * top / s * (1.0 + a / s + b / s**2)
        result[name] = law if name in ITSELF else 1.0 - law
    with np.errstate(invalid="ignore"):  # inf * 0 at an infinite spread
        normaliser = result["entropy"] + s * s * (1.0 - result["sum_p2"])
    result["log_normaliser"] = np.where(np.isinf(s), np.inf, normaliser)
    result["sink_mass"] = np.full(s.shape, np.nan)
    return result
