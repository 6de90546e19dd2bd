"""Where exp leaves each format, and how many rows that costs a softmax without subtracted maximum."""

import math

import numpy as np

from attnsim.experiments.estimates import NORMAL_QUANTILE
from attnsim.experiments.formats.record import NAMES, Formats
from attnsim.figures.formats import shared
from attnsim.figures.marks import Axis, Cursor, Dots, Figure, Line, Mark, Plot, Text, Whiskers
from attnsim.figures.moment import rule_roles
from attnsim.figures.numbers import count, number
from attnsim.view import View
from attnsim.words import _

REACH = 200.0
COLUMN = 320.0  # outer edge of names and limits, which stand in columns of their own beside the bars
TICKS = tuple((float(x), f"{x}".replace("-", "−")) for x in (-100, 0, 100))


def build(result: Formats, view: View) -> Figure:
    """Draw the ranges of exp for all formats, and P(a row overflows) against d for the format looked at."""
    name = shared.format_of(view)
    return Figure(
        key="formats_exp",
        title=_("Where exp overflows"),
        subtitle=_("line: exact · dots: found by trying, drawn rows"),
        note=_("naive softmax"),
        plots=(_ranges(result), _rows(result, name)),
        summary=_summary(result, name),
    )


def _ranges(result: Formats) -> Plot:
    limits = result.limits
    marks: list[Mark] = []
    for place, name in enumerate(NAMES):
        y = float(len(NAMES) - 1 - place)
        high, low, zero = (float(part[place]) for part in (limits.overflow, limits.normal, limits.zero))
        ends = np.clip([low, high], -REACH, REACH)
        label = _("exp in {format} keeps all its digits").format(format=name)
        marks.append(Line(ends, np.full(2, y), "row_band", width=7.0, label=label))
        if zero > -REACH:
            label = _("exp in {format} is subnormal").format(format=name)
            marks.append(Line(np.array([zero, low]), np.full(2, y), "row_band", width=2.5, label=label))
        found = np.array([limits.found_zero[place], limits.found_overflow[place]])
        found = found[np.abs(found) < REACH]
        if found.size:
            label = _("{format}, found by trying").format(format=name)
            marks.append(Dots(found, np.full(found.size, y), "accent", size=4.0, label=label))
        marks.append(Text(-COLUMN, y, shared.short(name), "ink", (0.0, 0.5)))
        marks.append(Text(COLUMN, y, f"{high:.2f}", "ink", (1.0, 0.5)))
    marks.append(Cursor(0.0, "grid"))
    if result.claim < REACH:
        marks.append(Cursor(result.claim, "muted", dashed=True))
    return Plot(
        key="ranges",
        x=Axis(_("score x of exp(x)"), -1.04 * COLUMN, 1.04 * COLUMN, ticks=TICKS),
        y=Axis("", -0.7, len(NAMES) - 0.3, ticks=()),
        marks=tuple(marks),
        weight=2.4,
    )


def _rows(result: Formats, name: str) -> Plot:
    place, roles = NAMES.index(name), rule_roles(result.rules)
    marks: list[Mark] = [Cursor(float(result.scenario.dim), "muted", dashed=True)]
    for rule, role, number_of in zip(result.rules, roles, range(len(roles)), strict=True):
        if result.chances is not None and np.isfinite(result.chances.row_overflow[number_of, place]).any():
            label = _("exact, {rule}").format(rule=rule.title)
            marks.append(Line(result.chances.dims, result.chances.row_overflow[number_of, place], "ink", label=label))
        if result.drawn is not None:
            share, error = result.drawn.row_overflow[number_of, place], result.drawn.row_error[number_of, place]
            label = _("drawn, {rule}").format(rule=rule.title)
            reach = NORMAL_QUANTILE * error
            ends = np.maximum(share - reach, 0.0), np.minimum(share + reach, 1.0)
            marks.append(Whiskers(result.drawn.dims, *ends, role, width=1.5, label=label))
            marks.append(Dots(result.drawn.dims, share, role, size=5.0, label=label))
    return Plot(
        key="rows",
        x=shared.dims_axis(),
        y=Axis(_("rows lost"), -0.05, 1.7, ticks=((0.0, "0"), (0.5, "0.5"), (1.0, "1"))),
        marks=tuple(marks),
        heading=((shared.short(name), "ink"), *zip((rule.title for rule in result.rules), roles, strict=True)),
    )


def _summary(result: Formats, name: str) -> str:
    place = NAMES.index(name)
    limit = number(float(result.limits.overflow[place]))
    sentence = _("exp overflows in {format} beyond a score of {limit}.").format(format=name, limit=limit)
    if result.chances is None or result.drawn is None or not result.drawn.rows[-1]:
        return sentence
    parts = [
        _("{share} under {rule}").format(share=shared.percent(float(share)), rule=rule.title)
        for rule, share in zip(result.rules, result.drawn.row_overflow[:, place, -1], strict=True)
        if math.isfinite(share)
    ]
    rows = _("Of the rows drawn at d = {dim} a naive softmax loses {parts}.").format(
        dim=count(result.scenario.dim), parts=", ".join(parts)
    )
    return f"{sentence} {rows}"
