"""Where the scores start, for each initialiser."""

import numpy as np

from attnsim.experiments.initialisation.records import Initialised
from attnsim.figures.initialisation.names import NORMAL, TITLES
from attnsim.figures.marks import Axis, Bars, Cursor, Figure, Line, Mark, Plot, Table
from attnsim.figures.numbers import count, number, ticks
from attnsim.view import View
from attnsim.words import _


def build(result: Initialised, view: View) -> Figure:
    """Draw the standard deviation of the scores divided by the root of d, a bar an initialiser."""
    scores, s = result.scores, result.scenario
    size = len(result.names)
    places = np.arange(size, dtype=np.float64)[::-1]  # the first name on top
    top = 1.12 * float(np.nanmax(np.concatenate([scores.value, scores.expected, np.ones(1)])))
    marks: list[Mark] = [
        Bars(places, scores.value, 0.62, "row_band", across=True, opacity=0.7, label=_("measured")),
        Cursor(1.0, "muted", dashed=True),
    ]
    for place, value, error, expected in zip(places, scores.value, scores.error, scores.expected, strict=True):
        ends = np.array([value - NORMAL * error, value + NORMAL * error])
        marks.append(Line(ends, np.full(2, place), "row_band", width=2.5, label=_("95 %")))
        stroke = np.array([place - 0.38, place + 0.38])
        marks.append(Line(np.full(2, expected), stroke, "ink", width=1.6, label=_("theory")))
    names = tuple((float(place), _(TITLES[name])) for place, name in enumerate(reversed(result.names)))
    x = Axis(_("spread of the scores ÷ √d"), 0.0, top, ticks=ticks(0.0, top, 5))
    plot = Plot(key="scores", x=x, y=Axis("", -0.6, size - 0.4, ticks=names), marks=tuple(marks))
    return Figure(
        key="initialisation_scores",
        title=_("Where scores start"),
        subtitle=_("D = {width}, d = {dim} · bars: drawn W_Q and W_K").format(width=count(s.d_model), dim=count(s.dim)),
        note=_("stroke: theory"),
        plots=(plot,),
        summary=_summary(result),
    )


def factors(result: Initialised) -> Table:
    """Return the factor of the raw score that starts each initialiser at spread 1."""
    root = np.sqrt(result.scenario.dim)
    rows = [
        (_(TITLES[name]), number(float(sd)), number(float(1.0 / (root * sd))))
        for name, sd in zip(result.names, result.scores.expected, strict=True)
    ]
    return Table((_("initialiser"), _("spread ÷ √d"), _("factor for spread 1")), tuple(rows))


def _summary(result: Initialised) -> str:
    values = result.scores.expected
    least, most = int(np.argmin(values)), int(np.argmax(values))
    return _("After ÷ √d scores start between {low} ({least}) and {high} ({most}).").format(
        low=number(float(values[least])),
        least=_(TITLES[result.names[least]]),
        high=number(float(values[most])),
        most=_(TITLES[result.names[most]]),
    )
