"""Walks of several queries: each has a spread of its own."""

from functools import lru_cache

import numpy as np

from attnsim.experiments.records import Queries, Walk
from attnsim.figures.marks import Axis, Band, Cursor, Figure, Line, Mark, Paths, Plot
from attnsim.figures.moment import moment
from attnsim.figures.numbers import count, number, step_ticks, ticks
from attnsim.view import View
from attnsim.words import _


def build(result: Walk, view: View) -> Figure:
    """Return the walks of each query up to the playhead, its own band, and the spread over draws."""
    found, now = result.queries, moment(result, view)
    rows = 0 if found is None else len(found.walks)
    plots = tuple(_plot(result, found, place, rows, now.step) for place in range(rows)) if found is not None else ()
    if not plots:
        words = _("real vectors have one query") if result.vectors is not None else _waiting(result)
        plots = (Plot("none", Axis("", ticks=()), Axis("", ticks=()), (), heading=((words, "muted"),)),)
    return Figure(
        key="walk_queries",
        title=_("Other queries"),
        subtitle=_("Each has its own keys and its own spread · dashed: all draws"),
        note="" if found is None else _("{keys} keys each").format(keys=count(found.walks.shape[2])),
        plots=plots,
        summary=_summary(found, now.step),
    )


def _waiting(result: Walk) -> str:
    return _("drawing…") if not result.complete else _("rows of this law and size take too long")


@lru_cache(maxsize=4)
def _reach(result: Walk) -> tuple[float, float]:
    assert result.queries is not None
    theory = result.theory
    ends = [float(result.queries.walks.min()), float(result.queries.walks.max())]
    for side in (-1.0, 1.0):
        line = theory.mean + side * theory.sd
        ends += [float(value) for value in line[np.isfinite(line)][-1:]]
    room = 0.05 * (max(ends) - min(ends)) or 1.0
    return min(ends) - room, max(ends) + 6.0 * room


def _plot(result: Walk, found: Queries, place: int, rows: int, step: int) -> Plot:
    at = max(0, int(np.searchsorted(found.steps, step, side="right")) - 1)
    low, high = _reach(result)
    steps, theory, sd = found.steps, result.theory, found.sd[place]
    marks: list[Mark] = []
    if np.isfinite(sd[-1]):
        marks.append(Band(steps, found.mean[place] - sd, found.mean[place] + sd, "row_band", 0.25, label=_("given q")))
    keys = np.arange(found.walks.shape[2])
    marks.append(Paths(steps, found.walks[place], shown=at + 1, keys=keys, opacity=0.5))
    if np.isfinite(theory.sd[-1]):
        for side in (-1.0, 1.0):
            marks.append(Line(theory.steps, theory.mean + side * theory.sd, "ink", dashed=True, width=1.0))
    dim = int(steps[-1])
    if 0 < step < dim:
        marks.append(Cursor(float(step), "accent"))
    beside = place % 2 == 1
    last = place >= rows - 2
    words = _("σ = {sd}").format(sd=number(float(sd[at])))
    return Plot(
        key=f"query_{place}",
        x=Axis(_("d") if last else "", 0.0, float(dim), ticks=step_ticks(dim)[1 if beside else 0 :] if last else ()),
        y=Axis("", low, high, ticks=ticks(low, high, 4) if not beside else ()),
        marks=tuple(marks),
        heading=((_("query {number}").format(number=place + 1), "ink"), (words, "muted")),
        beside=beside,
    )


def _summary(found: Queries | None, step: int) -> str:
    if found is None:
        return _("No other queries are shown.")
    at = max(0, int(np.searchsorted(found.steps, step, side="right")) - 1)
    return _("At d = {step} the keys of these queries spread by {list}.").format(
        step=count(step), list=", ".join(number(float(sd)) for sd in found.sd[:, at])
    )
