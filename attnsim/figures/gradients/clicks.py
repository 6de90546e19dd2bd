"""What a click into the gradients' figures opens."""

from attnsim.experiments.gradients.records import Gradients
from attnsim.scenario import Scenario, knobs
from attnsim.view import View


def along_dim(result: Gradients, view: View, plot: str, x: float, y: float) -> Scenario | None:
    """Return the scenario at the dimension that was clicked, without the lab's own options."""
    limits = knobs()["dim"]
    if not x > 0.0:
        return None
    return result.scenario.but(dim=int(min(max(round(x), limits.low), limits.high)), section=None)
