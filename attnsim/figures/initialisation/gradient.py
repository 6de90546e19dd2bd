"""The gradient on its way back."""

from attnsim.experiments.initialisation.records import Initialised
from attnsim.figures.initialisation.stacks import stack_figure
from attnsim.figures.marks import Figure
from attnsim.view import View
from attnsim.words import _


def build(result: Initialised, view: View) -> Figure:
    """Draw the mean square of the gradient behind each layer, in units of that behind the last, for each stack."""
    label = _("mean square gradient, of the last")
    return stack_figure(result, "initialisation_gradient", _("The gradient back"), label, result.gradient)
