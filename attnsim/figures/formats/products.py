"""Where q . k itself leaves a format, against dimension and size of the components."""

import numpy as np

from attnsim.experiments.estimates import NORMAL_QUANTILE
from attnsim.experiments.formats.record import NAMES, Formats
from attnsim.figures.formats import shared
from attnsim.figures.marks import Axis, Cursor, Dots, Figure, Line, Mark, Plot, Text, Whiskers
from attnsim.figures.numbers import number
from attnsim.view import View
from attnsim.words import _

SHOWN = ("fp16", "fp8_e4m3")  # e5m2 ends at 57,344, so near fp16 that the lines would be one
LOW, HIGH = 0.5, 6.0e5
LEAST = 1e-7


def build(result: Formats, view: View) -> Figure:
    """Draw the sizes beyond which one score in a million overflows, and the chance at the scenario's dimension."""
    rule, _role = shared.rule_shown(result, view)
    return Figure(
        key="formats_dot",
        title=_("Where q·k itself overflows"),
        subtitle=_("independent normal components, maxima 65,504 and 448"),
        note=_("any softmax"),
        plots=(_borders(result, view), _cut(result)),
        summary=_(
            "Scores of size σ√d leave fp16 beyond 65,504 and fp8 e4m3 beyond 448, whatever the softmax does; scaled "
            "before the product by {rule}, the borders move."
        ).format(rule=rule.title),
    )


def _borders(result: Formats, view: View) -> Plot:
    rule, role = shared.rule_shown(result, view)
    own = result.scenario.sigma_q * result.scenario.sigma_k
    marks: list[Mark] = []
    if result.chances is not None:
        dims, border = result.chances.dims, result.chances.border
        factor = np.abs(rule.factor(dims))
        for name in SHOWN:
            largest = float(result.limits.largest[NAMES.index(name)])
            label = _("{format}: one score in a million overflows").format(format=name)
            marks.append(Line(dims, largest / border, "ink", width=1.5, label=label))
            words = _("above: {format} overflows").format(format=shared.short(name))
            marks.append(Text(float(dims[6]), float(largest / border[6]) * 2.2, words, "ink"))
            if np.isfinite(factor).all() and rule.name != "none":
                label = _("{format}, scaled before the product").format(format=name)
                marks.append(Line(dims, largest / border / factor, role, dashed=True, label=label))
    inside = float(np.clip(own, LOW * 1.1, HIGH / 1.1))
    place, label = np.array([float(result.scenario.dim)]), _("the scenario")
    marks.append(Dots(place, np.array([inside]), "rule_none", 8.0, hollow=inside != own, label=label))
    return Plot(
        key="borders",
        x=shared.dims_axis(),
        y=Axis(_("size σ_q σ_k"), LOW, HIGH, log=True, ticks=shared.powers(0, 4, 2)),
        marks=tuple(marks),
        heading=((_("after the product"), "ink"), (_("{rule} before it").format(rule=rule.title), role))
        if rule.name != "none"
        else ((_("no scaling"), role),),
    )


def _cut(result: Formats) -> Plot:
    marks: list[Mark] = []
    own = result.scenario.sigma_q * result.scenario.sigma_k
    if result.chances is not None:
        sigmas = result.chances.sigmas
        for name in SHOWN:
            place = NAMES.index(name)
            exact = result.chances.product[place]
            label = _("exact, {format}").format(format=name)
            marks.append(Line(sigmas, np.where(exact >= LEAST / 10.0, exact, np.nan), "ink", label=label))
            if result.drawn is not None and result.drawn.rows[-1]:
                share, error = result.drawn.product[place], result.drawn.product_error[place]
                shown = share > 0.0
                low = np.maximum(share - NORMAL_QUANTILE * error, LEAST)
                label = _("drawn, {format}").format(format=name)
                x = sigmas[shown]
                marks.append(Whiskers(x, low[shown], (share + NORMAL_QUANTILE * error)[shown], "rule_none", 1.5, label))
                marks.append(Dots(x, share[shown], "rule_none", 4.0, label=label))
    if own > 1.0:
        marks.append(Cursor(own, "muted", dashed=True))
    return Plot(
        key="cut",
        x=Axis(_("size σ_q σ_k"), 1.0, 2.0e4, log=True, ticks=shared.powers(0, 4, 1)),
        y=Axis(_("scores lost"), LEAST, 3.0, log=True, ticks=shared.powers(-6, 0, 2)),
        marks=tuple(marks),
        heading=((_("d = {dim}").format(dim=number(float(result.scenario.dim), 1e5)), "ink"),),
    )
