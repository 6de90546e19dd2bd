"""A click on a figure over the dimension opens that dimension (and size) in Walk to weights."""

import math

from attnsim.experiments.formats.record import Formats
from attnsim.scenario import Scenario, knobs
from attnsim.view import View

OVER_DIMENSION = ("rows", "beyond", "borders")


def clicked(result: Formats, view: View, plot: str, x: float, y: float) -> Scenario | None:
    """Return the scenario of a point.

    Parameters
    ----------
    result : Formats
    view : View
    plot : str
        Key of the plot: "rows", "beyond" and "borders" have the dimension across, the last the size of the components
        upwards; "cut" has that size across.
    x, y : float
        In units of the axes.

    Returns
    -------
    Scenario or None
        The format that is looked at is taken along; None where the plot has no scenarios.
    """
    s = result.scenario
    changes: dict[str, object] = {"format": view.pick("format", "fp16"), "section": None}
    if plot in OVER_DIMENSION:
        low, high = knobs()["dim"].low, knobs()["dim"].high
        if not math.isfinite(x):
            return None
        changes["dim"] = round(min(max(x, low), high))
    size = y if plot == "borders" else x if plot == "cut" else math.nan
    if plot not in (*OVER_DIMENSION, "cut") or (plot in ("borders", "cut") and not size > 0.0):
        return None
    if math.isfinite(size):
        changes |= {"sigma_q": math.sqrt(size), "sigma_k": math.sqrt(size)}
    try:
        return s.but(**changes)
    except ValueError:  # what the law refuses there
        return None
