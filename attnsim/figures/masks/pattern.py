"""Which keys each query sees under each mask, and with what weight."""

import numpy as np

from attnsim.experiments.masks.records import Masks
from attnsim.figures.marks import Axis, Figure, Heat, Plot
from attnsim.figures.masks.places import short_title, shown_rule
from attnsim.figures.moment import role_of
from attnsim.view import View
from attnsim.words import _

STRONG = 0.5  # weight from which a cell has the strong end's colour
PER_LINE = 3
ROOM = 0.22  # of the picture's height, for the mask's name above it


def build(result: Masks, view: View) -> Figure:
    """Draw the weights of some queries under every mask: a row a query, the first on top; hidden keys are empty.

    Parameters
    ----------
    result : Masks
    view : View
        Its rule is the one shown.
    """
    number, rule = shown_rule(result, view)
    side = result.pattern.shape[-1]
    plots = tuple(_plot(result, place, number) for place in range(len(result.masks)))
    subtitle = _("a row a query, a column a key · {rule}").format(rule=rule.title)
    return Figure(
        key="masks_pattern",
        title=_("What each query sees"),
        subtitle=subtitle,
        note=_("first {count} of each").format(count=side),
        plots=plots,
        summary=_("Weights of {count} queries on {count} keys under each mask; hidden keys are left empty.").format(
            count=side
        ),
    )


def _plot(result: Masks, place: int, number: int) -> Plot:
    side = result.pattern.shape[-1]
    edges = np.arange(side + 1) - 0.5
    weights = result.pattern[place, number][::-1]  # the first query on top
    name = result.masks[place]
    heat = Heat(edges, edges, weights, 0.0, STRONG, title=_("weight"), bar=False, label=short_title(name))
    x = Axis(_("key") if place >= len(result.masks) - PER_LINE else "", -0.5, side - 0.5, ticks=())
    y = Axis(_("query") if place % PER_LINE == 0 else "", -0.5, (1.0 + ROOM) * side - 0.5, ticks=())
    role = role_of(result.rules[number], result.rules)
    heading = ((short_title(name), role),)
    return Plot(key=name, x=x, y=y, marks=(heat,), heading=heading, beside=place % PER_LINE != 0)
