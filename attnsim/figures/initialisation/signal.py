"""The signal on its way forward."""

from attnsim.experiments.initialisation.records import Initialised
from attnsim.figures.initialisation.stacks import stack_figure
from attnsim.figures.marks import Figure
from attnsim.view import View
from attnsim.words import _


def build(result: Initialised, view: View) -> Figure:
    """Draw the mean square of a unit behind each layer, for each stack."""
    return stack_figure(
        result, "initialisation_signal", _("The signal forward"), _("mean square of a unit"), result.signal
    )
