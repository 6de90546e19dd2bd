"""What a click into the bars of the initialisers opens: a row of such a head."""

from attnsim.experiments.initialisation.records import Initialised
from attnsim.scenario import Scenario
from attnsim.view import View

LAWS = {
    "lecun": "lecun",
    "xavier_square": "lecun",  # the same variance
    "xavier_per_head": "xavier_per_head",
    "xavier_fused": "xavier_fused",
    "xavier_gain_inverse_sqrt_2": "xavier_fused",  # the same variance and law
    "linear_default": "torch_linear",
    "kaiming_normal": "kaiming",
    "normal_0_02": "normal002",
    "t5": "t5",
}


def on_scores(result: Initialised, view: View, plot: str, x: float, y: float) -> Scenario | None:
    """Return the scenario of the initialiser whose bar is pointed at; None for one that the laws do not know."""
    place = len(result.names) - 1 - round(y)
    if not 0 <= place < len(result.names) or result.names[place] not in LAWS:
        return None
    plain = dict.fromkeys(("rho", "r_q", "r_k", "mean_q", "mean_k"), 0.0)
    try:
        return result.scenario.but(law="initialised", initialisation=LAWS[result.names[place]], section=None, **plain)
    except ValueError:
        return None
