"""Largest weight and entropy of every rule against the dimension."""

import numpy as np

from attnsim.experiments.result import moment_index
from attnsim.experiments.scalings.records import Scalings
from attnsim.figures.marks import Figure
from attnsim.figures.numbers import some_keys
from attnsim.figures.scalings import curves
from attnsim.view import View
from attnsim.words import _


def build(result: Scalings, view: View) -> Figure:
    """Draw both along d, with a line where the playhead stands."""
    scan, keys = result.by_dim, result.scenario.keys
    step = int(result.moments[moment_index(result, view.playhead)])
    scene = curves.Scene(
        key="scalings_dimension",
        title=_("Against the dimension"),
        subtitle=curves.left_out(scan) or _("{keys}; every point is rows of its own").format(keys=some_keys(keys)),
        axis=_("dimension d"),
        uniform=np.full(scan.line_at.size, float(keys)),
        now=max(0.85, float(step)),
    )
    return curves.build(result, scan, scene, view)
