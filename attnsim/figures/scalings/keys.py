"""Largest weight and entropy of every rule against the number of keys."""

from attnsim.experiments.scalings.records import Scalings
from attnsim.figures.marks import Figure
from attnsim.figures.numbers import count
from attnsim.figures.scalings import curves
from attnsim.view import View
from attnsim.words import _


def build(result: Scalings, view: View) -> Figure:
    """Draw both along n, at the scenario's dimension."""
    scan = result.by_keys
    scene = curves.Scene(
        key="scalings_keys",
        title=_("Against the number of keys"),
        subtitle=curves.left_out(scan)
        or _("d = {dim}; every point is rows of its own").format(dim=count(result.scenario.dim)),
        axis=_("keys n"),
        uniform=scan.line_at.astype(float),
        now=float(result.scenario.keys),
    )
    return curves.build(result, scan, scene, view)
