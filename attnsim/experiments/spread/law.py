"""Chances that a law gives to scores: the exact ones where they are known, else the normal limit's."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.closed_forms import binned_density
from attnsim.experiments.spread.shares import ShapeDraw
from attnsim.scenario import Scenario

Floats = NDArray[np.float64]

FINE = 4096  # bins from which the chances of a law with known density are summed


def normal_chances(draw: ShapeDraw) -> tuple[Floats, Floats]:
    """Return P(S <= x) at the thresholds under the normal limit, and the thresholds in its standard deviations."""
    z = (draw.thresholds - draw.center) / draw.scale
    return np.array([0.5 * math.erfc(-each / math.sqrt(2.0)) for each in z]), z


def exact_chances(draw: ShapeDraw) -> tuple[Floats, Floats] | None:
    """Return P(S <= x) at the thresholds under the exact law, and where the normal law has these chances.

    Returns
    -------
    tuple of float64 array, shape (thresholds,), or None
        None where no exact law is known. On a lattice half of the value's own chance counts as below it.
    """
    from attnsim.theory.intervals import normal_quantile

    s = draw.scenario
    if s.law == "normal":
        above = _above(s, draw.thresholds)
        below = 1.0 - above
    else:
        summed = _summed(draw)
        if summed is None:
            return None
        below, above = summed
    # the smaller of the two has its digits
    normal = np.where(
        below < 0.5, normal_quantile(np.clip(below, 0.0, 1.0)), -normal_quantile(np.clip(above, 0.0, 1.0))
    )
    return below, normal


def _above(s: Scenario, scores: Floats) -> Floats:
    """Return P(S > x) of normal components: that of an evenly chosen key of the row."""
    from attnsim.theory.score_tail import exchangeable_tail

    given: dict[str, Any] = {
        name: float(getattr(s, name)) for name in ("sigma_q", "sigma_k", "mean_q", "mean_k", "rho", "r_q", "r_k")
    }
    aligned = exchangeable_tail(scores, s.dim, **given)
    if s.aligned == "all" or s.keys == 1 or s.rho == 0.0:
        return aligned
    return aligned / s.keys + (1.0 - 1.0 / s.keys) * exchangeable_tail(scores, s.dim, **given | {"rho": 0.0})


def _summed(draw: ShapeDraw) -> tuple[Floats, Floats] | None:
    """Return chances below and above the thresholds from the density in fine bins; None where none is known."""
    low, high = draw.thresholds[0], draw.thresholds[-1]
    if draw.lattice:
        values = low + draw.lattice * np.arange(round((high - low) / draw.lattice) + 1)
        edges = np.append(values, values[-1] + draw.lattice) - 0.5 * draw.lattice
    else:
        edges = np.linspace(low, high, FINE + 1)
    density, exact = binned_density(draw.scenario, [draw.scenario.dim], edges)
    if not exact:
        return None
    mass = density[0] * np.diff(edges)
    from_left = np.concatenate(([0.0], np.cumsum(mass)))
    from_right = np.concatenate((np.cumsum(mass[::-1])[::-1], [0.0]))
    # linear between edges: within a lattice value's bin that is half of its chance
    return np.interp(draw.thresholds, edges, from_left), np.interp(draw.thresholds, edges, from_right)
