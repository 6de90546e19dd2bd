"""The planted key along its correlation with the query."""

from attnsim.experiments.planted.records import Planted
from attnsim.figures.marks import Figure
from attnsim.figures.numbers import count
from attnsim.figures.planted.curves import sweep_figure
from attnsim.view import View
from attnsim.words import _


def build(result: Planted, view: View) -> Figure:
    """Draw the mean weight of the planted key against its correlation with the query, under each rule."""
    s = result.scenario
    subtitle = _("d = {dim}, n = {keys} · below: how often its score is the largest").format(
        dim=count(s.dim), keys=count(s.keys)
    )
    return sweep_figure(result, "planted_rho", "rho", _("Against the correlation"), subtitle, words_left=True)
