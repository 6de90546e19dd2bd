"""The planted key along the dimension."""

from attnsim.experiments.planted.records import Planted
from attnsim.figures.marks import Figure
from attnsim.figures.numbers import count
from attnsim.figures.planted.curves import sweep_figure
from attnsim.figures.planted.limits import rho_text
from attnsim.view import View
from attnsim.words import _


def build(result: Planted, view: View) -> Figure:
    """Draw the mean weight of the planted key against the dimension, under each rule."""
    s = result.scenario
    subtitle = _("n = {keys}, ρ = {rho} · below: how often its score is the largest").format(
        keys=count(s.keys), rho=rho_text(s.rho)
    )
    return sweep_figure(result, "planted_dimension", "dim", _("Against the dimension"), subtitle, words_left=True)
