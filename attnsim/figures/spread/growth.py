"""Spread against the dimension on logarithmic axes, case by case, and measured over theory."""

import math

import numpy as np

from attnsim.experiments.records import Estimate
from attnsim.experiments.spread.records import Growth, Spread
from attnsim.figures.labels import spread as apart
from attnsim.figures.marks import Axis, Cursor, Dots, Figure, Line, Mark, Plot, Text, Whiskers
from attnsim.figures.numbers import count, dim_ticks, log_ticks, number, ticks
from attnsim.figures.spread.titles import ROLES, case_title
from attnsim.view import View
from attnsim.words import _, several

LABEL_SHARE = 0.4  # of the axis' length that is added behind the last dimension, for the cases' names
MANY = 10_000.0  # from here on tick labels are so wide that fewer have room
DODGE = 1.06  # factor between the points of two cases at one dimension
NARROW, WIDE = 0.02, 0.6  # least and most of the ratio's axis on each side of 1


def build(result: Spread, view: View) -> Figure:
    """Draw the spread of each case along d.

    Parameters
    ----------
    result : Spread
    view : View
        Its pick `spread` is `pooled` (over all pairs) or `within` (within a row).

    Returns
    -------
    Figure
        Plots `growth` and `ratio`.
    """
    within = view.pick("spread", "pooled") == "within"
    cases = tuple(growth for growth in result.cases if growth.case.everywhere)
    last = max(float(growth.dims[-1]) for growth in cases)
    words = _("within a row") if within else _("all pairs")
    return Figure(
        key="spread_growth",
        title=_("Spread against d"),
        subtitle=_("σ of q·k, {which} · dots: measured").format(which=words),
        note=_note(result),
        plots=(_growth(result, cases, within, last), _ratio(cases, within, last)),
        summary=_summary(cases, within, last),
    )


def _note(result: Spread) -> str:
    if result.fraction >= 1.0 and any(not growth.rows.all() for growth in result.cases):
        return _("large d take too long to draw")
    if not result.scenario.has_variance:
        return _("no variance exists")
    return (
        several("{count} case left out", "{count} cases left out", len(result.refused)).format(
            count=len(result.refused)
        )
        if result.refused
        else ""
    )


def _of(growth: Growth, within: bool) -> tuple[Estimate, np.ndarray, np.ndarray]:
    """Return what is measured of a case, theory at the same points, and its line."""
    if within:
        return growth.within_sd, growth.theory_within_sd, growth.line_within_sd
    return growth.sd, growth.theory_sd, growth.line_sd


def _positive(values: np.ndarray) -> np.ndarray:
    """Return values with nan for what a logarithmic axis cannot show."""
    with np.errstate(invalid="ignore"):
        return np.where(values > 0.0, values, np.nan)


def _growth(result: Spread, cases: tuple[Growth, ...], within: bool, last: float) -> Plot:
    marks: list[Mark] = []
    sizes: list[float] = []
    ends: list[float] = []
    turning = None if within else next((g for g in cases if g.case.key == "factors"), None)
    for growth in cases:
        estimate, _theory, closed = _of(growth, within)
        role, title = ROLES[growth.case.key], case_title(growth.case)
        line, value = _positive(closed), _positive(estimate.value)
        marks += [
            Line(growth.line_dims, line, "ink", width=1.0, label=_("theory, {case}").format(case=title)),
            Whiskers(growth.dims, _positive(estimate.low), _positive(estimate.high), role, label=_("95 % interval")),
            Dots(growth.dims, value, role, size=4.5, label=title),
        ]
        shown = np.concatenate((value[np.isfinite(value)], line[np.isfinite(line)]))
        sizes += [float(shown.min()), float(shown.max())] if shown.size else []
        ends.append(float(shown[-1]) if shown.size else math.nan)
    low, high = 0.6 * min(sizes, default=1.0), 2.5 * max(sizes, default=1.0)
    slopes = _slopes(turning, result, low, last) if result.scenario.has_variance else []
    marks = [*slopes, *marks, *_names(cases, ends, low, high, last)]
    return Plot(
        key="growth",
        x=Axis("", 0.85, last ** (1.0 + LABEL_SHARE), log=True, ticks=dim_ticks(1.0, last, 4 if last < MANY else 3)),
        y=Axis(_("standard deviation"), low, high, log=True, ticks=log_ticks(low, high, 5)),
        marks=tuple(marks),
        heading=((_("theory"), "ink"), (_("dashed: slopes ½, 1"), "muted")),
        weight=0.66,
    )


def _slopes(turning: Growth | None, result: Spread, low: float, last: float) -> list[Mark]:
    """Return lines of slope 1/2 and 1: the two parts of the variance with common factors, which cross at d*."""
    scale = result.scenario.sigma_q * result.scenario.sigma_k
    turn = turning.crossover if turning is not None else math.inf
    root, linear = scale, 0.5 * scale
    if turning is not None and math.isfinite(turn):
        one = float(turning.line_sd[0]) ** 2  # alpha + beta
        root, linear = math.sqrt(one * turn / (1.0 + turn)), math.sqrt(one / (1.0 + turn))
    x = np.array([1.0, last])
    marks: list[Mark] = []
    for factor, power, words in ((root, 0.5, _("slope ½")), (linear, 1.0, _("slope 1"))):
        if not factor > 0.0:  # r = 1: nothing grows like the root
            continue
        start = max(1.0, (low / factor) ** (1.0 / power))
        if start < last:
            ends = np.array([start, last])
            marks.append(Line(ends, factor * ends**power, "muted", dashed=True, width=1.0, label=words))
    if math.isfinite(turn) and x[0] <= turn <= x[1]:
        marks.append(Cursor(turn, "muted", dashed=True))
        marks.append(Text(turn * 1.15, low * 1.6, _("d* = {dim}").format(dim=number(turn)), ROLES["factors"]))
    return marks


def _names(cases: tuple[Growth, ...], ends: list[float], low: float, high: float, last: float) -> list[Mark]:
    """Return the cases' names behind their lines, moved apart."""
    named = [(growth, end) for growth, end in zip(cases, ends, strict=True) if math.isfinite(end)]
    span = math.log(high / low)
    places = apart([math.log(end / low) / span for _growth, end in named], 0.085, 0.0, 1.0)
    return [
        Text(last * 1.3, low * math.exp(place * span), case_title(growth.case), ROLES[growth.case.key], bold=True)
        for (growth, _end), place in zip(named, places, strict=True)
    ]


def _ratio(cases: tuple[Growth, ...], within: bool, last: float) -> Plot:
    marks: list[Mark] = [
        Line(np.array([0.85, last ** (1.0 + LABEL_SHARE)]), np.ones(2), "ink", width=1.0, label=_("theory"))
    ]
    far = [NARROW]
    for number_of, growth in enumerate(cases):
        estimate, theory, _line = _of(growth, within)
        role, x = ROLES[growth.case.key], growth.dims * DODGE ** (number_of - 0.5 * (len(cases) - 1))
        known = _positive(theory)
        value, low, high = (part / known for part in (estimate.value, estimate.low, estimate.high))
        # an interval wider than the plot would say nothing
        shown = np.isfinite(low) & (high - low < 2.0 * WIDE)
        marks += [
            Whiskers(x[shown], np.maximum(low[shown], 1.0 - WIDE), np.minimum(high[shown], 1.0 + WIDE), role),
            Dots(
                x[shown], np.clip(value[shown], 1.0 - WIDE, 1.0 + WIDE), role, size=4.0, label=case_title(growth.case)
            ),
        ]
        far += [float(np.abs(part[shown] - 1.0).max(initial=0.0)) for part in (low, high)]
    reach = min(WIDE, 1.1 * max(far))
    bottom, top = 1.0 - reach, 1.0 + 1.3 * reach
    return Plot(
        key="ratio",
        x=Axis(
            _("dimension d"),
            0.85,
            last ** (1.0 + LABEL_SHARE),
            log=True,
            ticks=dim_ticks(1.0, last, 4 if last < MANY else 3),
        ),
        y=Axis(_("÷ theory"), bottom, top, ticks=ticks(bottom, 1.0 + reach, 4)),
        marks=tuple(marks),
        heading=((_("measured ÷ theory"), "muted"),),
        weight=0.34,
    )


def _summary(cases: tuple[Growth, ...], within: bool, last: float) -> str:
    parts = []
    for growth in cases:
        _estimate, theory, _line = _of(growth, within)
        if theory.size and math.isfinite(float(theory[-1])):
            parts.append(_("{case}: {sd}").format(case=case_title(growth.case), sd=number(float(theory[-1]))))
    return _("Standard deviation at d = {dim} by theory: {cases}.").format(dim=count(int(last)), cases="; ".join(parts))
