"""What a click into the curves opens: the row at the measured point nearest to it."""

import math

import numpy as np

from attnsim.experiments.scalings.records import Scalings, Scan
from attnsim.experiments.scalings.scan import changed
from attnsim.scenario import Scenario
from attnsim.view import View


def along_dim(result: Scalings, view: View, plot: str, x: float, y: float) -> Scenario | None:
    """Return the scenario at the measured dimension nearest to x, with the rules that allow it."""
    return _at(result, result.by_dim, x)


def along_keys(result: Scalings, view: View, plot: str, x: float, y: float) -> Scenario | None:
    """Return the scenario at the measured number of keys nearest to x, with the rules that allow it."""
    return _at(result, result.by_keys, x)


def _at(result: Scalings, scan: Scan, x: float) -> Scenario | None:
    if not (math.isfinite(x) and x > 0.0):
        return None
    nearest = int(scan.at[np.argmin(np.abs(np.log(scan.at / x)))])
    return changed(result.scenario.but(section=None), scan.field, nearest)[1]
