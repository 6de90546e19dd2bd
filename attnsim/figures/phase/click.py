"""A click on the phase diagram opens that point in Walk to weights."""

import math

import numpy as np

from attnsim.experiments.phase.plane import spreads_along
from attnsim.experiments.phase.record import Phase
from attnsim.figures.phase import axes
from attnsim.scenario import Scenario, knobs
from attnsim.view import View

LINEAR = 1e-6  # by which twice the query may miss twice the spread


def clicked(result: Phase, view: View, plot: str, x: float, y: float) -> Scenario | None:
    """Return the scenario of a point of a map (or of a cut, which has the scenario's own n).

    Parameters
    ----------
    result : Phase
    view : View
    plot : str
        Key of the plot: "map" or "cut".
    x, y : float
        In units of the axes.

    Returns
    -------
    Scenario or None
        Over the dimension that of the point's d and n. Over the spread that of its n, with components as large as it
        takes for the rule that is looked at to leave this spread at the scenario's d. None where none has it.
    """
    s = result.scenario
    if not (math.isfinite(x) and x > 0.0):
        return None
    keys = s.keys if plot == "cut" else _whole("keys", y)
    changes: dict[str, float] = {"keys": keys}
    if result.plane == "dimension":
        changes["dim"] = _whole("dim", x)
    else:
        grown = _growth(result, axes.rule_place(result, view), x, keys)
        if grown is None:
            return None
        changes |= {"sigma_q": s.sigma_q * grown, "mean_q": s.mean_q * grown}
    try:
        return s.but(section=None, **changes)
    except ValueError:  # a law or a typed formula that makes no sense there
        return None


def _whole(name: str, value: float) -> int:
    limits = knobs()[name]
    return round(min(max(value, limits.low), limits.high)) if math.isfinite(value) else int(limits.low)


def _growth(result: Phase, place: int, spread: float, keys: int) -> float | None:
    """Return by how much the query has to grow for a rule to leave a spread; None where growing does not make it so."""
    s, at = result.scenario, np.array([float(result.scenario.dim)])
    try:
        now, doubled = (
            spreads_along(s.but(sigma_q=s.sigma_q * size, mean_q=s.mean_q * size), at, keys)[place, 0]
            for size in (1.0, 2.0)
        )
    except ValueError:
        return None
    if not (math.isfinite(now) and now > 0.0) or abs(doubled / now - 2.0) > LINEAR:
        return None
    return float(spread / now)
