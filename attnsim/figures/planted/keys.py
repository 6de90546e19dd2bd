"""The planted key along the number of keys."""

from attnsim.experiments.planted.records import Planted
from attnsim.figures.marks import Figure
from attnsim.figures.numbers import count
from attnsim.figures.planted.curves import sweep_figure
from attnsim.figures.planted.limits import rho_text
from attnsim.view import View
from attnsim.words import _


def build(result: Planted, view: View) -> Figure:
    """Draw the mean weight of the planted key against the number of keys, under each rule."""
    s = result.scenario
    subtitle = _("d = {dim}, ρ = {rho} · below: how often its score is the largest").format(
        dim=count(s.dim), rho=rho_text(s.rho)
    )
    return sweep_figure(result, "planted_keys", "keys", _("Against the number of keys"), subtitle, words_left=False)
