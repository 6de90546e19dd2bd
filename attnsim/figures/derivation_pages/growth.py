"""Mean and spread of the score as components are added: theory, the ensemble, and the row on the screen."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.records import Estimate, Walk
from attnsim.figures.marks import Axis, Cursor, Dots, Figure, Line, Mark, Plot, Whiskers
from attnsim.figures.moment import moment
from attnsim.figures.numbers import count, number, step_ticks, ticks
from attnsim.view import View
from attnsim.words import _

Floats = NDArray[np.float64]

MOST_DOTS = 16
MOST_POINTS = 256


def build(result: Walk, view: View) -> Figure:
    """Return the spread within rows, the spread over all pairs and the mean over the dimension."""
    now = moment(result, view)
    cursor = (Cursor(float(now.step), "accent"),)
    plots = tuple(
        Plot(key=plot.key, x=plot.x, y=plot.y, marks=plot.marks + cursor, heading=plot.heading)
        for plot in _plots(result)
    )
    theory = result.theory
    return Figure(
        key="derivation_growth",
        title=_("Term by term"),
        subtitle=_("line: theory · dots: ensemble, 95 % · thin: this row"),
        note=_("m = {step}").format(step=count(now.step)),
        plots=plots,
        summary=_("Summing {step} components, theory gives the score mean {mean} and spread {sd}.").format(
            step=count(now.step),
            mean=number(float(theory.mean[now.index]), float(theory.sd[now.index])),
            sd=number(float(theory.sd[now.index])),
        ),
    )


@lru_cache(maxsize=2)
def _plots(result: Walk) -> tuple[Plot, ...]:
    """Return the plots without the playhead, which is all that moves."""
    row, theory, ensemble = result.row, result.theory, result.ensemble
    ddof = 1 if row.keys > 1 else 0
    own_sd = np.asarray(row.walks, dtype=np.float64).std(axis=1, ddof=ddof)
    own_mean = np.asarray(row.walks, dtype=np.float64).mean(axis=1)
    known = (None,) * 3 if ensemble is None else (ensemble.sd, ensemble.within_sd, ensemble.mean)
    return (
        _plot(result, "sd", _("spread over all pairs"), theory.sd, known[0], None),
        _plot(result, "within", _("spread within a row"), theory.within_sd, known[1], own_sd),
        _plot(result, "mean", _("mean"), theory.mean, known[2], own_mean, last=True),
    )


def _plot(
    result: Walk,
    key: str,
    title: str,
    theory: Floats,
    measured: Estimate | None,
    own: Floats | None,
    last: bool = False,
) -> Plot:
    steps = result.theory.steps.astype(np.float64)
    chosen = np.unique(np.round(np.linspace(0, steps.size - 1, min(steps.size, MOST_POINTS))).astype(np.int64))
    marks: list[Mark] = []
    if own is not None:
        marks.append(Line(steps[chosen], own[chosen], "row_band", label=_("this row")))
    if np.isfinite(theory).any():
        marks.append(Line(steps[chosen], theory[chosen], "ink", width=1.5, label=_("theory")))
    seen = [theory, np.zeros(1)] + ([] if own is None else [own])
    if measured is not None and result.ensemble is not None:
        at = result.ensemble.steps
        few = np.unique(np.round(np.linspace(0, at.size - 1, min(at.size, MOST_DOTS))).astype(np.int64))
        x = at[few].astype(np.float64)
        marks.append(Whiskers(x, measured.low[few], measured.high[few], "rule_none", label=_("ensemble")))
        marks.append(Dots(x, measured.value[few], "rule_none", size=4.5, label=_("ensemble")))
        seen.append(measured.value[few])
    low, high = _range(np.concatenate(seen), result, key)
    return Plot(
        key=key,
        x=Axis(_("components summed, m") if last else "", 0.0, float(steps[-1]), ticks=step_ticks(int(steps[-1]))),
        y=Axis("", low, high, ticks=ticks(low, high, 4)),
        marks=tuple(marks),
        heading=((title, "ink"),),
    )


def _range(values: Floats, result: Walk, key: str) -> tuple[float, float]:
    """Return the y axis: from 0 for a spread; a mean is measured by the spread, so that noise looks like noise."""
    shown = values[np.isfinite(values)]
    low, high = float(shown.min()), float(shown.max())
    if key == "mean":
        sd = float(result.theory.sd[-1])
        room = sd if np.isfinite(sd) else high - low
        return low - 0.5 * room - 1e-9, high + 0.8 * room + 1e-9
    return 0.0, 1.3 * high or 1.0
