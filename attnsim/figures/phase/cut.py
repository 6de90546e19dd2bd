"""A cut through the map at the scenario's number of keys."""

import math

import numpy as np

from attnsim.experiments.estimates import NORMAL_QUANTILE
from attnsim.experiments.phase.record import Phase
from attnsim.figures.marks import Axis, Cursor, Dots, Figure, Line, Mark, Plot, Text, Whiskers
from attnsim.figures.moment import rule_roles
from attnsim.figures.numbers import count, number, some_keys
from attnsim.figures.phase import axes
from attnsim.view import View
from attnsim.words import _

SHARES = tuple((0.25 * i, text) for i, text in enumerate(("0", "0.25", "0.5", "0.75", "1")))
TOP = 1.04
LOW, HIGH = 0.06, 0.92  # where words stand


def build(result: Phase, view: View) -> Figure:
    """Draw the number looked at along x at the scenario's n: exact lines, and measured dots with 95 % intervals."""
    metric = axes.metric_of(view)
    plot = Plot(
        key="cut",
        x=axes.x_axis(result, result.x),
        y=Axis(axes.metric_title(metric), 0.0, TOP, ticks=SHARES),
        marks=(*_guides(result, metric), *_limit(result, metric), *_curves(result, view, metric)),
        heading=_heading(result, view),
        heading_side="right" if metric == 1 else "left",
    )
    return Figure(
        key="phase_cut",
        title=_("A cut at n = {keys}").format(keys=count(result.scenario.keys)),
        subtitle=_("line: exact · dots: drawn rows, 95 % intervals"),
        note=_note(result),
        plots=(plot,),
        summary=_summary(result, view, metric),
    )


def _note(result: Phase) -> str:
    rows = int(result.cut_sample.rows.max())
    return _("up to {rows} rows a dot").format(rows=count(rows)) if rows else _("drawing…")


def _heading(result: Phase, view: View) -> tuple[tuple[str, str], ...]:
    if result.plane == "spread":
        return ((some_keys(result.scenario.keys), "ink"), (_("any rule"), "muted"))
    return tuple(zip((rule.title for rule in result.rules), rule_roles(result.rules), strict=True))


def _guides(result: Phase, metric: int) -> list[Mark]:
    """Return upright lines at both thresholds over the spread, at the scenario's dimension otherwise."""
    if result.plane == "dimension":
        return [Cursor(float(result.scenario.dim), "muted", dashed=True)]
    if result.scenario.keys < 2:
        return []
    s_c, e_n = threshold(result, 0), threshold(result, 1)
    left, right = (LOW, HIGH) if metric == 1 else (HIGH, LOW)  # the sides of the curve that are free
    return [
        Cursor(e_n, "muted", dashed=True),
        Text(e_n, left, _("e_n = {value}").format(value=number(e_n)), "muted", (1.05, 0.5)),
        Cursor(s_c, "muted"),
        Text(s_c, right, _("s_c = {value}").format(value=number(s_c)), "muted", (-0.05, 0.5)),
    ]


def threshold(result: Phase, which: int) -> float:
    """Return s_c (0) or e_n (1) at the scenario's n."""
    keys = result.scenario.keys
    if which == 0 or keys < 2:
        return math.sqrt(2.0 * math.log(keys))
    return result.own_maximum


def _limit(result: Phase, metric: int) -> list[Mark]:
    """Return the law of many keys beyond the threshold."""
    law = result.limits[metric]
    if not np.isfinite(law).any():
        return []
    label = _("limit law of the condensed phase, alpha = e_n/s")
    return [Line(result.x, law, "muted", dashed=True, label=label)]


def _curves(result: Phase, view: View, metric: int) -> list[Mark]:
    shown, roles = axes.map_place(result, view), rule_roles(result.rules)
    marks: list[Mark] = []
    sample = result.cut_sample
    for place in range(len(result.cut)):
        spread = result.plane == "spread"
        name = _("any rule") if spread else result.rules[place].title
        if np.isfinite(result.cut[place, metric]).any():
            width = 2.0 if place == shown else 1.0
            label = _("exact, {rule}").format(rule=name)
            marks.append(Line(result.x, result.cut[place, metric], "ink", width=width, label=label))
        mean, error = sample.mean[place, metric, 0], sample.error[place, metric, 0]
        if not np.isfinite(mean).any():
            continue
        role = "accent" if spread else roles[place]
        reach = NORMAL_QUANTILE * error
        label = _("measured, {rule}").format(rule=name)
        low, high = np.maximum(mean - reach, 0.0), np.minimum(mean + reach, 1.0)
        marks.append(Whiskers(result.sample_x, low, high, role, width=1.5, label=label))
        marks.append(Dots(result.sample_x, mean, role, size=5.0, label=label))
    return marks


def _summary(result: Phase, view: View, metric: int) -> str:
    line, name = result.cut[axes.map_place(result, view), metric], axes.metric_title(metric)
    if not np.isfinite(line).any():
        return result.note or _("Nothing is computed yet.")
    ends = {"low": number(float(line[0])), "high": number(float(line[-1]))}
    keys = count(result.scenario.keys)
    if result.plane == "spread":
        return _("With {keys} keys the {metric} goes from {low} at small spreads to {high} at large ones.").format(
            keys=keys, metric=name, **ends
        )
    return _("With {keys} keys the {metric} under {rule} goes from {low} at d = 1 to {high} at d = 65,536.").format(
        keys=keys, metric=name, rule=axes.rule_shown(result, view)[0].title, **ends
    )
