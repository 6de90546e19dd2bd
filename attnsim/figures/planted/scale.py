"""The planted key's weight under any factor of the score: which scale finds it."""

import math

import numpy as np

from attnsim.experiments.planted.records import Planted
from attnsim.figures.marks import Axis, Cursor, Dots, Figure, Line, Mark, Plot, Text, Whiskers
from attnsim.figures.moment import rule_roles
from attnsim.figures.numbers import count, number, share_text
from attnsim.figures.planted.curves import LINE, SHARES, place_on, share_on
from attnsim.figures.planted.limits import rho_text
from attnsim.figures.which_d.logarithmic import powers_of_ten
from attnsim.view import View
from attnsim.words import _


def build(result: Planted, view: View) -> Figure:
    """Draw the exact mean weight against the factor times the root of d, with each rule where it stands."""
    s, scale = result.scenario, result.scale
    x = Axis(_("factor × √d"), float(scale.at[0]) / 1.1, float(scale.at[-1]) * 1.1, log=True)
    x = Axis(x.label, x.low, x.high, log=True, ticks=powers_of_ten(x.low, x.high))
    y = Axis(_("weight"), 0.0, 1.0, ticks=SHARES)
    marks: list[Mark] = [
        Line(scale.at, scale.weight, "ink", label=_("exact mean")),
        *_best(result, x),
        *_rules(result, x),
    ]
    summary = _("The weight under any factor is not known.")
    half = np.flatnonzero(scale.weight >= 0.5)
    if np.isfinite(scale.weight).all():
        summary = _("No factor gives the planted key half of the weight; with the largest it has {weight}.").format(
            weight=share_text(float(scale.weight[-1]))
        )
    if half.size:
        summary = _("The planted key has half of the weight from a factor of {factor}/√d on.").format(
            factor=number(float(scale.at[half[0]]))
        )
    return Figure(
        key="planted_scale",
        title=_("Which scale finds it"),
        subtitle=_("d = {dim}, n = {keys}, ρ = {rho} · dashed: ρ/(1 − ρ²), the likelihood's").format(
            dim=count(s.dim), keys=count(s.keys), rho=rho_text(s.rho)
        ),
        note=result.why_silent or _("line: exact mean"),
        plots=(Plot(key="scale", x=x, y=y, marks=tuple(marks)),),
        summary=summary,
    )


def _best(result: Planted, x: Axis) -> list[Mark]:
    """Return the factor at which the score is the log-likelihood ratio, for components of unit variance."""
    s = result.scenario
    if not 0.0 < s.rho < 1.0 or s.law != "normal":
        return []
    at = s.rho / (1.0 - s.rho**2) * math.sqrt(s.dim) / (s.sigma_q * s.sigma_k)
    return [Cursor(at, "muted", dashed=True)] if x.low <= at <= x.high else []


def _rules(result: Planted, x: Axis) -> list[Mark]:
    """Return a dot a rule at its own factor, as measured, and its name."""
    sweep, root = result.sweep("dim"), math.sqrt(result.scenario.dim)
    place = sweep.place(float(result.scenario.dim))
    marks: list[Mark] = []
    for line, (rule, role) in enumerate(zip(result.rules, rule_roles(result.rules), strict=True)):
        at = root * float(rule.factor(result.scenario.dim))
        name = rule.title
        if 0.0 <= share_on(x, at) <= 1.0:
            here = np.array([at])
            marks.append(Whiskers(here, sweep.low[line, [place]], sweep.high[line, [place]], role, label=rule.title))
            marks.append(Dots(here, sweep.weight[line, [place]], role, size=7.0, label=rule.title))
        else:
            name = _("{rule}: beyond").format(rule=rule.title)
        marks.append(Text(place_on(x, 0.03), 0.95 - LINE * line, name, role, (0.0, 0.5), bold=True))
    return marks
