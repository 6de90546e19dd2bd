"""What a click into a figure opens: a figure that has something to open has a line here."""

from collections.abc import Callable
from importlib import import_module

from attnsim.experiments.result import Record
from attnsim.scenario import Scenario
from attnsim.view import View

Click = Callable[[Record, View, str, float, float], Scenario | None]


def _late(module: str, function: str = "clicked") -> Click:
    """Return a function of a module that is loaded when it is first called."""

    def clicked(result: Record, view: View, plot: str, x: float, y: float) -> Scenario | None:
        answer: Click = getattr(import_module(f"attnsim.figures.{module}"), function)
        return answer(result, view, plot, x, y)

    return clicked


# figure -> (result, view, key of the plot, x and y in axis units) -> what Walk to weights shows, or None for nothing
CLICKS: dict[str, Click] = {
    "spread_growth": _late("spread.clicks"),
    "scalings_dimension": _late("scalings.clicks", "along_dim"),
    "scalings_keys": _late("scalings.clicks", "along_keys"),
    "phase_map": _late("phase.click"),
    "phase_simulated": _late("phase.click"),
    "phase_difference": _late("phase.click"),
    "phase_cut": _late("phase.click"),
    "formats_exp": _late("formats.click"),
    "formats_dot": _late("formats.click"),
    "formats_claim": _late("formats.click"),
    "gradients_dimension": _late("gradients.clicks", "along_dim"),
    "initialisation_scores": _late("initialisation.clicks", "on_scores"),
    "planted_dimension": _late("planted.clicks", "along_dim"),
    "planted_keys": _late("planted.clicks", "along_keys"),
    "planted_rho": _late("planted.clicks", "along_rho"),
    "planted_map": _late("planted.clicks", "on_map"),
}
