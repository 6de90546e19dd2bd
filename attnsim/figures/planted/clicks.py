"""What a click into a figure of the lab "Planted key" opens: the row at that point, with one aligned key."""

from attnsim.experiments.planted.records import Planted
from attnsim.scenario import Scenario, knobs
from attnsim.view import View


def along_dim(result: Planted, view: View, plot: str, x: float, y: float) -> Scenario | None:
    """Return the scenario at the measured dimension nearest to x."""
    return _at(result, dim=_nearest(result, "dim", x))


def along_keys(result: Planted, view: View, plot: str, x: float, y: float) -> Scenario | None:
    """Return the scenario at the measured number of keys nearest to x."""
    return _at(result, keys=_nearest(result, "keys", x))


def along_rho(result: Planted, view: View, plot: str, x: float, y: float) -> Scenario | None:
    """Return the scenario at the measured correlation nearest to x."""
    return _at(result, rho=_nearest(result, "rho", x))


def on_map(result: Planted, view: View, plot: str, x: float, y: float) -> Scenario | None:
    """Return the scenario at a point of the map."""
    axis = view.pick("planted_against", "dim")
    return _at(result, **{axis: x, "keys": y})


def _nearest(result: Planted, axis: str, x: float) -> float:
    sweep = result.sweep(axis)
    return float(sweep.at[sweep.place(x)])


def _at(result: Planted, **fields: float) -> Scenario | None:
    """Return the row at some values, brought into their limits; None where it cannot be drawn."""
    inside = {}
    for name, value in fields.items():
        limits = knobs()[name]
        held = min(max(value, limits.low), limits.high)
        inside[name] = round(held) if limits.whole else round(held, 3)
    try:
        return result.scenario.but(aligned="one", section=None, **inside)
    except ValueError:
        return None
