"""Quantiles of the scores against those of the normal limit, and how far they are from the exact law."""

import numpy as np

from attnsim.experiments.spread.records import Quantiles, Spread
from attnsim.figures.marks import Axis, Dots, Figure, Line, Mark, Plot, Whiskers
from attnsim.figures.numbers import count, number, ticks
from attnsim.figures.spread.density import ROLE
from attnsim.figures.spread.titles import left_aside
from attnsim.view import View
from attnsim.words import _

REACH = 4.6  # normal quantiles: beyond, no scenario has scores enough
ROOM = 1.12
LEAST = 0.02  # standard deviations that the lower plot shows at least


def build(result: Spread, view: View) -> Figure:
    """Draw the quantiles, and below them what is left without the law's own.

    Returns
    -------
    Figure
        Plots `quantiles` and `difference`.
    """
    q = result.quantiles
    known = np.isfinite(q.value)
    z, law = q.normal[known], (q.scores[known] - q.center) / q.scale
    value, low, high = ((part[known] - q.center) / q.scale for part in (q.value, q.low, q.high))
    reach = float(np.abs(z).max(initial=1.0)) * ROOM
    return Figure(
        key="spread_qq",
        title=_("Quantiles of the score"),
        subtitle=left_aside(result)
        or _("{scores} pairs at d = {dim}").format(
            scores=count(result.ensemble.scores), dim=count(result.scenario.dim)
        ),
        note=_("line: exact law") if q.exact else _("no exact law known"),
        plots=(
            _quantiles(q, reach, z, law, value, low, high),
            _difference(q, reach, z, law, value, low, high),
        ),
        summary=_summary(q, z, law, value, low, high),
    )


def _quantiles(q: Quantiles, reach: float, *parts: np.ndarray) -> Plot:
    z, law, value, low, high = parts
    bottom = float(np.nanmin(np.concatenate((low, law, [-reach])), initial=-1.0))
    top = float(np.nanmax(np.concatenate((high, law, [reach])), initial=1.0))
    bottom, top = bottom - 0.04 * (top - bottom), top + 0.12 * (top - bottom)
    marks: list[Mark] = [Line(np.array([-reach, reach]), np.array([-reach, reach]), "muted", dashed=True,
                              label=_("normal limit"))]  # fmt: skip
    if q.exact:
        marks.append(Line(z, law, "ink", label=_("exact law")))
    marks += [
        Whiskers(z, low, high, ROLE, label=_("95 % interval")),
        Dots(z, value, ROLE, size=4.0, label=_("measured")),
    ]
    runs = [(_("measured"), ROLE), (_("normal limit"), "muted")]
    if q.exact:
        runs.insert(1, (_("exact law"), "ink"))
    return Plot(
        key="quantiles",
        x=Axis("", -reach, reach, ticks=ticks(-reach, reach, 6)),
        y=Axis(_("score quantile (σ)"), bottom, top, ticks=ticks(bottom, top, 6)),
        marks=tuple(marks),
        heading=tuple(runs),
        weight=0.62,
    )


def _difference(q: Quantiles, reach: float, *parts: np.ndarray) -> Plot:
    z, law, value, low, high = parts
    against = law if q.exact else z
    ends = np.abs(np.concatenate((low - against, high - against)))
    size = max(LEAST, float(np.nanmax(ends, initial=0.0))) * 1.1
    marks: list[Mark] = [Line(np.array([-reach, reach]), np.zeros(2), "ink" if q.exact else "muted", not q.exact)]
    if q.exact:
        normal = np.where(np.abs(z - law) <= size, z - law, np.nan)
        marks.append(Line(z, normal, "muted", dashed=True, label=_("normal limit")))
    marks += [
        Whiskers(z, low - against, high - against, ROLE, label=_("95 % interval")),
        Dots(z, value - against, ROLE, size=4.0, label=_("measured")),
    ]
    words = _("measured − exact law") if q.exact else _("measured − normal limit")
    return Plot(
        key="difference",
        x=Axis(_("normal quantile"), -reach, reach, ticks=ticks(-reach, reach, 6)),
        y=Axis(_("Δ (σ)"), -size, 1.25 * size, ticks=ticks(-size, size, 4)),
        marks=tuple(marks),
        heading=((words, ROLE),),
        weight=0.38,
    )


def _summary(q: Quantiles, *parts: np.ndarray) -> str:
    z, law, value, low, high = parts
    if not z.size:
        return _("There are too few scores for quantiles yet.")
    against = law if q.exact else z
    inside = int(((low <= against) & (against <= high)).sum())
    return _(
        "{inside} of {points} quantiles have {law} within their 95 % interval; the farthest, at normal quantile {z}, "
        "is {value} standard deviations."
    ).format(
        inside=inside,
        points=z.size,
        law=_("the exact law") if q.exact else _("the normal limit"),
        z=number(float(z[-1])),
        value=number(float(value[-1])),
    )
