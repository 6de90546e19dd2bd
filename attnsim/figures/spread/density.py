"""The law of the score over draws: measured, exact, and the normal limit; once more with its tails."""

import numpy as np

from attnsim.experiments.spread.records import Spread
from attnsim.figures.marks import Axis, Bars, Dots, Figure, Line, Mark, Plot, Whiskers
from attnsim.figures.numbers import count, log_ticks, number, ticks
from attnsim.figures.spread.titles import left_aside
from attnsim.view import View
from attnsim.words import _

ROLE = "rule_none"  # raw scores
HEADROOM = 1.15
CLEAR = 20.0  # the same of the logarithmic axis
REACH = 5.5  # standard deviations
WIDE_LABEL = 4  # letters of a tick from which fewer have room
LOWEST = 0.3  # of the share of one score: where the logarithmic axis ends


def build(result: Spread, view: View) -> Figure:
    """Draw the density of q·k over all pairs, on a linear and on a logarithmic axis.

    Returns
    -------
    Figure
        Plots `density` and `tails`.
    """
    ensemble = result.ensemble
    edges = ensemble.edges[0]
    width = float(edges[1] - edges[0])
    centers = edges[:-1] + 0.5 * width
    heights = ensemble.counts[0] / (ensemble.scores * width)
    exact = ensemble.density[0] if ensemble.exact else np.full(centers.size, np.nan)
    peak = max(float(part[np.isfinite(part)].max(initial=0.0)) for part in (heights, exact, result.limit))
    x = _across(result)
    lines = _lines(centers, exact, result.limit)
    density = Plot(
        key="density",
        x=x,
        y=Axis(_("density"), 0.0, HEADROOM * peak, ticks=ticks(0.0, HEADROOM * peak, 4)),
        marks=(Bars(centers, heights, width, ROLE, opacity=0.75, label=_("measured")), *lines),
        heading=((_("q·k"), ROLE), (_("σ = {sd}").format(sd=number(float(ensemble.sd.value[0]))), "muted")),
    )
    return Figure(
        key="spread_density",
        title=_("Law of the score"),
        subtitle=left_aside(result)
        or _("All pairs of {rows} rows at d = {dim}").format(rows=count(ensemble.rows), dim=count(result.scenario.dim)),
        note=_note(result),
        plots=(density, _tails(result, x, centers, heights, width, peak, lines)),
        summary=_summary(result),
    )


def _tails(
    result: Spread,
    x: Axis,
    centers: np.ndarray,
    heights: np.ndarray,
    width: float,
    peak: float,
    lines: tuple[Line, ...],
) -> Plot:
    """Return the same on a logarithmic axis, with the intervals of the bins."""
    ensemble = result.ensemble
    floor = LOWEST / (ensemble.scores * width)
    y = Axis(_("density"), floor, CLEAR * peak, log=True, ticks=log_ticks(floor, CLEAR * peak, 5))
    seen = heights > 0.0
    return Plot(
        key="tails",
        x=Axis(_("raw score q·k"), x.low, x.high, ticks=x.ticks),
        y=y,
        marks=(
            *(_above(line, floor) for line in lines),
            Whiskers(
                centers[seen],
                np.maximum(result.share_low[seen] / width, floor),
                result.share_high[seen] / width,
                ROLE,
                label=_("95 % interval"),
            ),
            Dots(centers[seen], heights[seen], ROLE, size=4.0, label=_("measured")),
        ),
        heading=_legend(result),
    )


def _across(result: Spread) -> Axis:
    """Return the scores' axis: the histogram's, or less of it where bins are wide because scores stand on a lattice."""
    edges, q = result.ensemble.edges[0], result.quantiles
    low = max(float(edges[0]), q.center - REACH * q.scale)
    high = min(float(edges[-1]), q.center + REACH * q.scale)
    places = ticks(low, high, 5)
    if max((len(text) for _at, text in places), default=0) > WIDE_LABEL:
        places = ticks(low, high, 3)
    return Axis("", low, high, ticks=places)


def _lines(centers: np.ndarray, exact: np.ndarray, limit: np.ndarray) -> tuple[Line, ...]:
    lines = []
    if np.isfinite(limit).any():
        lines.append(Line(centers, limit, "muted", dashed=True, label=_("normal limit")))
    if np.isfinite(exact).any():
        lines.append(Line(centers, exact, "ink", label=_("exact law")))
    return tuple(lines)


def _above(line: Line, floor: float) -> Mark:
    """Return a line without what lies below the axis."""
    return Line(line.x, np.where(line.y >= floor, line.y, np.nan), line.role, line.dashed, line.width, line.label)


def _legend(result: Spread) -> tuple[tuple[str, str], ...]:
    runs = [(_("measured"), ROLE)]
    if result.ensemble.exact:
        runs.append((_("exact law"), "ink"))
    if np.isfinite(result.limit).any():
        runs.append((_("normal limit"), "muted"))
    return tuple(runs)


def _note(result: Spread) -> str:
    if result.ensemble.exact:
        return _("line: exact law")
    return _("line: normal limit") if np.isfinite(result.limit).any() else _("no closed form")


def _summary(result: Spread) -> str:
    ensemble = result.ensemble
    return _(
        "Over {scores} pairs at d = {dim} the raw scores have standard deviation {sd} and excess kurtosis {kurtosis}; "
        "the histogram stands beside {law}."
    ).format(
        scores=count(ensemble.scores),
        dim=count(result.scenario.dim),
        sd=number(float(ensemble.sd.value[0])),
        kurtosis=number(float(ensemble.excess_kurtosis.value[0])),
        law=_("the exact law and the normal limit") if ensemble.exact else _note(result),
    )
