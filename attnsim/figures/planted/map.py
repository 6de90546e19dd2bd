"""The planted key over two fields at once, with the limit of what any factor can do."""

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.planted.records import Map, Planted
from attnsim.figures.marks import Axis, Dots, Figure, Heat, Line, Mark, Plot
from attnsim.figures.moment import role_of
from attnsim.figures.numbers import count
from attnsim.figures.planted.curves import field_axis, powers_of_two
from attnsim.figures.planted.limits import rho_text
from attnsim.view import View
from attnsim.words import _

Floats = NDArray[np.float64]

FINE = 200  # points of a limit's line


def build(result: Planted, view: View) -> Figure:
    """Draw the exact mean weight of the planted key, or the chance that its score is the largest, over (d or rho, n).

    Parameters
    ----------
    result : Planted
    view : View
        Its rule is the one shown; the picks `planted_against` ("dim", "rho") and `planted_value` ("weight", "found").
    """
    rule = next((one for one in result.rules if one.name == view.rule), result.rules[0])
    chart = result.map(view.pick("planted_against", "dim"))
    found = view.pick("planted_value", "weight") == "found"
    values = chart.found if found else chart.weight[result.rules.index(rule)]
    y = Axis(_("keys n"), *_ends(chart.keys, True), log=True, ticks=powers_of_two(chart.keys[0], chart.keys[-1]))
    x = field_axis(chart.axis, *_ends(chart.at, chart.axis == "dim"))
    title = _("chance of the largest score") if found else _("weight of the planted key")
    heat = Heat(_edges(chart.at, x.log), _edges(chart.keys, True), values, 0.0, 1.0, title=title)
    heading = ((_("any rule"), "ink"),) if found else ((rule.title, role_of(rule, result.rules)),)
    plot = Plot("map", x, y, (heat, *_lines(result, chart, x, y), *_here(result, chart, x, y)), heading=heading)
    return Figure(
        key="planted_map",
        title=_("Where it is found"),
        subtitle=_subtitle(result, chart),
        note=_("exact means"),
        plots=(plot,),
        summary=_summary(result, chart, values, title),
    )


def _subtitle(result: Planted, chart: Map) -> str:
    s = result.scenario
    lines = _("line: n = exp(ρ²d/2) · dashes: ÷ √d")
    given = (
        _("ρ = {rho}").format(rho=rho_text(s.rho)) if chart.axis == "dim" else _("d = {dim}").format(dim=count(s.dim))
    )
    normal = "" if s.law == "normal" else _(" · of normal components")
    return f"{given} · {lines}{normal}"


def _edges(at: Floats, log: bool) -> Floats:
    """Return the edges of cells around points."""
    place = np.log(at) if log else at
    if place.size == 1:
        edges = np.array([place[0] - 0.5, place[0] + 0.5])
    else:
        middles = 0.5 * (place[1:] + place[:-1])
        edges = np.concatenate(([2.0 * place[0] - middles[0]], middles, [2.0 * place[-1] - middles[-1]]))
    return np.asarray(np.exp(edges) if log else edges)


def _ends(at: Floats, log: bool) -> tuple[float, float]:
    edges = _edges(at, log)
    return float(edges[0]), float(edges[-1])


def _lines(result: Planted, chart: Map, x: Axis, y: Axis) -> list[Mark]:
    """Return both limits as curves; nan beyond the plot."""
    s = result.scenario
    at = np.geomspace(x.low, x.high, FINE) if x.log else np.linspace(x.low, x.high, FINE)
    dim, rho = (at, np.full(FINE, s.rho)) if chart.axis == "dim" else (np.full(FINE, float(s.dim)), at)
    rho = np.maximum(rho, 0.0)
    highest = np.log(y.high)
    curves = (
        (0.5 * rho**2 * dim, "ink", False, _("n = exp(ρ²d/2)")),
        (rho * np.sqrt(dim) - 0.5, "ink", True, _("n = exp(ρ√d − ½)")),
    )
    marks: list[Mark] = []
    for exponent, role, dashed, words in curves:
        inside = (exponent >= np.log(y.low)) & (exponent <= highest)
        height = np.where(inside, np.exp(np.minimum(exponent, highest)), np.nan)
        marks.append(Line(at, height, role, dashed=dashed, width=1.6, label=words))
    return marks


def _here(result: Planted, chart: Map, x: Axis, y: Axis) -> list[Mark]:
    at, keys = float(getattr(result.scenario, chart.axis)), float(result.scenario.keys)
    if not (x.low <= at <= x.high and y.low <= keys <= y.high):
        return []
    return [Dots(np.array([at]), np.array([keys]), "ink", size=8.0, hollow=True, label=_("this scenario"))]


def _summary(result: Planted, chart: Map, values: Floats, title: str) -> str:
    known = values[np.isfinite(values)]
    if not known.size:
        return _("The map is not computed yet.")
    over = _("dimension") if chart.axis == "dim" else _("correlation")
    return _("Over {field} and number of keys, {value}: one half or more in {share:.0%} of the cells.").format(
        field=over, value=title, share=float((known >= 0.5).mean())
    )
