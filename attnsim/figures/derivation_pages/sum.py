"""First half of the derivation as a page: from one product to the spread of the whole score."""

from attnsim.experiments.records import Walk
from attnsim.figures.derivation_pages.lines import page_of, sum_lines
from attnsim.figures.marks import Figure
from attnsim.view import View
from attnsim.words import _


def build(result: Walk, view: View) -> Figure:
    """Return the lines about the sum, with their numbers."""
    return page_of("derivation_sum", _("Why the spread grows like √d"), sum_lines(result), 1)
