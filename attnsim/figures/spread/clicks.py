"""What a click into the growth of the spread opens: the case and the dimension nearest to it."""

import math

import numpy as np

from attnsim.experiments.spread.records import Growth, Spread
from attnsim.scenario import Scenario
from attnsim.view import View


def clicked(result: Spread, view: View, plot: str, x: float, y: float) -> Scenario | None:
    """Return the case whose line is nearest, at the measured dimension nearest to x; None where no line is near."""
    if plot != "growth" or not (math.isfinite(x) and x > 0.0 and math.isfinite(y) and y > 0.0):
        return None
    within = view.pick("spread", "pooled") == "within"

    def distance(growth: Growth) -> float:
        place = int(np.argmin(np.abs(np.log(growth.dims / x))))
        size = float((growth.theory_within_sd if within else growth.theory_sd)[place])
        return abs(math.log(size / y)) if size > 0.0 else math.inf

    near = min((growth for growth in result.cases if growth.case.everywhere), key=distance)
    if not math.isfinite(distance(near)) or near.case.scenario is None:
        return None
    dim = int(near.dims[np.argmin(np.abs(np.log(near.dims / x)))])
    try:
        return near.case.scenario.but(dim=dim, section=None, scalings=result.scenario.scalings)
    except ValueError:  # a typed formula without a value there
        return None
