"""Second half of the derivation as a page: what each rule makes of the spread, and of the weights."""

from dataclasses import replace

from attnsim.experiments.records import Walk
from attnsim.figures.derivation_pages.lines import page_of, sum_lines, weight_lines
from attnsim.figures.marks import Figure, Paragraph
from attnsim.view import View
from attnsim.words import _


def build(result: Walk, view: View) -> Figure:
    """Return the lines about scaled scores and weights, with their numbers."""
    steps = weight_lines(result)
    page = page_of("derivation_weights", _("What softmax makes of it"), steps, len(sum_lines(result)) + 1)
    if steps:
        return page
    return replace(
        page,
        summary=_("No law is known for real vectors, so nothing can be derived about their weights."),
        page=(Paragraph(_("No law is known for real vectors, so nothing can be derived about their weights.")),),
    )
