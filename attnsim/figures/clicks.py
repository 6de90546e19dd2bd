"""What a click into a figure opens: a figure that has something to open has a line here."""

from collections.abc import Callable
from importlib import import_module

from attnsim.experiments.result import Record
from attnsim.figures.planted import clicks as planted
from attnsim.scenario import Scenario
from attnsim.view import View

Click = Callable[[Record, View, str, float, float], Scenario | None]


def _late(module: str) -> Click:
    """Return the `clicked` of a module that is loaded when it is first called."""

    def clicked(result: Record, view: View, plot: str, x: float, y: float) -> Scenario | None:
        found: Scenario | None = import_module(f"attnsim.figures.{module}").clicked(result, view, plot, x, y)
        return found

    return clicked


# figure -> (result, view, key of the plot, x and y in axis units) -> what Walk to weights shows, or None for nothing
CLICKS: dict[str, Click] = {
    "phase_map": _late("phase.click"),
    "phase_simulated": _late("phase.click"),
    "phase_difference": _late("phase.click"),
    "phase_cut": _late("phase.click"),
CLICKS: dict[str, Click] = {
    "planted_dimension": planted.along_dim,
    "planted_keys": planted.along_keys,
    "planted_rho": planted.along_rho,
    "planted_map": planted.on_map,
}
