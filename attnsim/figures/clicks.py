"""What a click into a figure opens: a figure that has something to open has a line here."""

from collections.abc import Callable

from attnsim.experiments.result import Record
from attnsim.figures.initialisation import clicks as initialisation
from attnsim.figures.planted import clicks as planted
from attnsim.scenario import Scenario
from attnsim.view import View

# figure -> (result, view, key of the plot, x, y in axis units) -> the scenario that Walk to weights shows, or None
Click = Callable[[Record, View, str, float, float], Scenario | None]

CLICKS: dict[str, Click] = {
    "initialisation_scores": initialisation.on_scores,
    "planted_dimension": planted.along_dim,
    "planted_keys": planted.along_keys,
    "planted_rho": planted.along_rho,
    "planted_map": planted.on_map,
}
