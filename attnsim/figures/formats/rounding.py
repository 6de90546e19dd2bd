"""What rounding does to the weights, by format and way of computing."""

import math

import numpy as np

from attnsim.experiments.formats.record import NARROW, WAYS, Formats
from attnsim.figures.formats import shared
from attnsim.figures.marks import Axis, Dots, Figure, Line, Mark, Plot, Text, Whiskers
from attnsim.figures.numbers import count, number
from attnsim.view import View
from attnsim.words import _

LOW, HIGH = 3e-9, 4.0
OFFSETS = (-0.32, -0.14, 0.02, 0.18, 0.34)
SOME = 0.0  # share of rows lost from which a dot is hollow


def build(result: Formats, view: View) -> Figure:
    """Draw |p' - p|_2 against fp64 for every format: logits alone with its theory, then the ways of computing."""
    rule, role = shared.rule_shown(result, view)
    place = shared.rule_place(result, view)
    marks: list[Mark] = []
    if result.rounding is not None:
        for column in range(len(NARROW)):
            marks.extend(_column(result, place, column, role))
    ticks = tuple((float(column), shared.short(name)) for column, name in enumerate(NARROW))
    plot = Plot(
        key="errors",
        x=Axis("", -0.6, len(NARROW) - 0.4, ticks=ticks),
        y=Axis(_("rms error |p′ − p|"), LOW, HIGH, log=True, ticks=shared.powers(-8, 0, 2)),
        marks=tuple(marks),
        heading=((rule.title, role), (_("× every row lost"), "muted")),
    )
    return Figure(
        key="formats_rounding",
        title=_("What rounding costs"),
        subtitle=_("logits alone (bar: theory), naive, stable, online, fp32 sum"),
        note=_rows(result),
        plots=(plot,),
        summary=_summary(result, view),
    )


def _rows(result: Formats) -> str:
    if result.rounding is None:
        return _("drawing…")
    return _("{rows} rows, n = {keys}").format(rows=count(result.rounding.rows), keys=count(result.rounding.keys))


def _column(result: Formats, place: int, column: int, role: str) -> list[Mark]:
    found = result.rounding
    assert found is not None
    marks: list[Mark] = []
    name, predicted = NARROW[column], float(found.predicted[place, column])
    if math.isfinite(predicted) and predicted > 0.0:
        ends = column + np.array([-0.42, -0.22])
        label = _("{format}: rounding of the logits alone, theory").format(format=name)
        marks.append(Line(ends, np.full(2, predicted), "ink", width=2.5, label=label))
    for way, offset in enumerate(OFFSETS):
        error, x = float(found.error[place, column, way]), np.array([column + offset])
        label = _("{format}, {way}").format(format=name, way=shared.way_title(WAYS[way]))
        if not math.isfinite(error):
            marks.append(Text(float(x[0]), LOW * 2.5, "×", "warn", (0.5, 0.5), bold=True))
            continue
        if error <= 0.0:
            continue
        low, high = (np.maximum(part[place, column, way : way + 1], LOW) for part in (found.low, found.high))
        marks.append(Whiskers(x, low, high, role, width=1.5, label=label))
        hollow = bool(found.lost[place, column, way] > SOME)
        marks.append(Dots(x, np.array([error]), role, size=4.5, hollow=hollow, label=label))
    return marks


def _summary(result: Formats, view: View) -> str:
    if result.rounding is None:
        return _("No rows are drawn yet.")
    rule, _role = shared.rule_shown(result, view)
    name, place = shared.narrow_of(view), shared.rule_place(result, view)
    row = result.rounding.error[place, NARROW.index(name)]
    return _(
        "In {format} under {rule} a stable softmax errs by {stable} (root mean square of the row's weights), rounding "
        "of the logits alone by {alone}; × marks ways that lose every row, a hollow dot some."
    ).format(format=name, rule=rule.title, stable=number(float(row[2])), alone=number(float(row[0])))
