"""Variance over all pairs beside the variance within a row, which alone the softmax sees."""

import math

import numpy as np

from attnsim.experiments.records import Estimate
from attnsim.experiments.spread.records import Growth, Spread
from attnsim.figures.marks import Axis, Bars, Figure, Line, Mark, Plot, Table, Whiskers
from attnsim.figures.numbers import count, log_ticks, number
from attnsim.figures.spread.density import ROLE
from attnsim.figures.spread.titles import case_title
from attnsim.view import View
from attnsim.words import _

WIDTH, APART = 0.36, 0.2
PALE, FULL = 0.35, 0.9
FLOOR = 1e-8  # of the largest: what stands for 0


def build(result: Spread, view: View) -> Figure:
    """Draw both variances of each case at the scenario's dimension, in units of d σ_q² σ_k².

    Returns
    -------
    Figure
        One plot, `pooled`; bars are measured, strokes in ink are theory.
    """
    s = result.scenario
    unit = s.dim * (s.sigma_q * s.sigma_k) ** 2
    pairs = [(_at(growth, s.dim, within, unit)) for growth in result.cases for within in (False, True)]
    sizes = [float(x) for pair in pairs for x in pair if math.isfinite(float(x)) and float(x) > 0.0]
    high = 4.0 * max(sizes, default=1.0)
    low = max(0.5 * min(sizes, default=0.1), FLOOR * high / 4.0)
    marks: list[Mark] = []
    for within, side, opacity in ((False, -APART, PALE), (True, APART, FULL)):
        marks += _side([_at(g, s.dim, within, unit) for g in result.cases], side, opacity, low, within)
    plot = Plot(
        key="pooled",
        x=Axis("", -0.6, len(result.cases) - 0.4, ticks=_ticks(result)),
        y=Axis(_("variance ÷ d σ²σ²"), low, high, log=True, ticks=log_ticks(low, high, 6)),
        marks=tuple(marks),
        heading=((_("pale: all pairs"), ROLE), (_("full: in a row"), ROLE)),
    )
    return Figure(
        key="spread_pooled",
        title=_("All pairs and within a row"),
        subtitle=_("Variance at d = {dim} · strokes: theory").format(dim=count(s.dim)),
        note=_("n = {keys}").format(keys=count(s.keys)) if s.has_variance else _("no variance exists"),
        plots=(plot,),
        summary=_summary(result),
        table=_table(result, unit),
    )


def _ticks(result: Spread) -> tuple[tuple[float, str], ...]:
    names = {
        "none": _("none"),
        "rho": "ρ",
        "factors": "r",
        "means": "μ",
        "mean_q": "μ(q)",
        "mean_k": "μ(k)",
        "scenario": _("as set"),
    }
    return tuple((float(i), names[growth.case.key]) for i, growth in enumerate(result.cases))


def _table(result: Spread, unit: float) -> Table:
    """Return the same numbers: measured with half of its 95 % interval, beside theory."""
    rows, values = [], []
    for growth in result.cases:
        words: list[str] = [case_title(growth.case)]
        plain: list[float | str] = [case_title(growth.case)]
        for within in (False, True):
            value, low, high, theory = _at(growth, result.scenario.dim, within, unit)
            reach = 0.5 * (high - low)
            measured = number(value)
            if math.isfinite(reach):
                measured = f"{measured} ± {number(reach, value)}"
            words += [measured, number(theory)]
            plain += [value, theory]
        rows.append(tuple(words))
        values.append(tuple(plain))
    return Table(
        heads=(_("case"), _("all pairs"), _("theory, pairs"), _("within a row"), _("theory, row")),
        rows=tuple(rows),
        values=tuple(values),
    )


def _at(growth: Growth, dim: int, within: bool, unit: float) -> tuple[float, float, float, float]:
    """Return measured variance, ends of its interval and theory, in units of `unit`."""
    place = growth.place(dim)
    estimate: Estimate = growth.within_sd if within else growth.sd
    theory = growth.theory_within_sd if within else growth.theory_sd
    value, low, high, known = (float(part[place]) for part in (estimate.value, estimate.low, estimate.high, theory))
    return value**2 / unit, max(low, 0.0) ** 2 / unit, high**2 / unit, known**2 / unit


def _side(
    rows: list[tuple[float, float, float, float]], side: float, opacity: float, low: float, within: bool
) -> list[Mark]:
    """Return the bars of one kind of variance, with intervals, strokes of theory and numbers."""
    value, least, most, theory = np.array(rows).T
    x = np.arange(len(rows)) + side
    seen = np.isfinite(value)
    words = _("within a row") if within else _("all pairs")
    marks: list[Mark] = [
        Bars(x[seen], np.maximum(value[seen], low), WIDTH, ROLE, opacity=opacity, label=words),
        Whiskers(x, np.maximum(least, low), most, "muted", label=_("95 % interval")),
    ]
    stroke_x, stroke_y = (np.full(3 * len(rows), np.nan) for _each in range(2))
    for i, known in enumerate(theory):
        if known >= low:
            stroke_x[3 * i : 3 * i + 2] = x[i] - 0.5 * WIDTH, x[i] + 0.5 * WIDTH
            stroke_y[3 * i : 3 * i + 2] = known
    marks.append(Line(stroke_x, stroke_y, "ink", width=2.0, label=_("theory, {which}").format(which=words)))
    return marks


def _summary(result: Spread) -> str:
    parts = []
    for growth in result.cases:
        place = growth.place(result.scenario.dim)
        whole, within = float(growth.theory_sd[place]) ** 2, float(growth.theory_within_sd[place]) ** 2
        if math.isfinite(whole) and whole > 0.0:
            share = f"{within / whole:.0%}" if math.isfinite(within) else "–"
            parts.append(_("{case}: {share}").format(case=case_title(growth.case), share=share))
    return _("Share of the variance at d = {dim} that lies within a row, by theory: {cases}.").format(
        dim=count(result.scenario.dim), cases="; ".join(parts)
    )
