"""The weights of one and the same row under each rule, at the playhead's dimension."""

from dataclasses import replace

from attnsim.experiments.scalings.records import Scalings
from attnsim.figures import weights
from attnsim.figures.marks import Figure
from attnsim.view import View


def build(result: Scalings, view: View) -> Figure:
    """Draw the weights as in Walk to weights: one plot a rule, on one axis."""
    return replace(weights.build(result.walk, view), key="scalings_weights")
