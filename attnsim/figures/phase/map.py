"""The exact map."""

import numpy as np

from attnsim.experiments.phase.record import Phase
from attnsim.figures.marks import Figure, Heat, Plot
from attnsim.figures.numbers import count, number
from attnsim.figures.phase import axes
from attnsim.view import View
from attnsim.words import _


def build(result: Phase, view: View) -> Figure:
    """Draw the exact mean of the number looked at over the plane, with both thresholds."""
    metric = axes.metric_of(view)
    values = result.theory[axes.map_place(result, view), metric]
    title = axes.metric_title(metric)
    heat = Heat(axes.edges(result.x), axes.edges(result.keys), values, 0.0, 1.0, title=title, label=_("exact"))
    marks = (heat, *axes.border_marks(result, view), *axes.scenario_marks(result, view, result.x))
    plot = Plot(
        key="map",
        x=axes.x_axis(result, result.x),
        y=axes.keys_axis(result.keys),
        marks=marks,
        heading=axes.heading(result, view, ""),
    )
    return Figure(
        key="phase_map",
        title=_("Phases, exact"),
        subtitle=axes.plane_words(result),
        note=_note(result, values),
        plots=(plot,),
        summary=_summary(result, view, values),
    )


def _note(result: Phase, values: np.ndarray) -> str:
    if not np.isfinite(values).any():
        return _("no closed form")
    if not result.exact.all():
        return _("exact for {done} of {all} n, the rest a sketch").format(
            done=int(result.exact.sum()), all=result.keys.size
        )
    return _("quadrature")


def _summary(result: Phase, view: View, values: np.ndarray) -> str:
    title = axes.metric_title(axes.metric_of(view))
    if not np.isfinite(values).any():
        return result.note or _("There is no closed form here.")
    s = result.scenario
    if result.plane == "spread":
        at = 1.0 if s.keys < 2 else float(np.interp(np.log(s.keys), np.log(result.keys), result.thresholds[0]))
        return _(
            "A map of the {metric} over the spread of the scores and the number of keys; at {keys} keys the weights "
            "condense around a spread of {threshold}."
        ).format(metric=title, keys=count(s.keys), threshold=number(at))
    rule, _role = axes.rule_shown(result, view)
    return _("A map of the {metric} over dimension and number of keys under {rule}, from {low} to {high}.").format(
        metric=title, rule=rule.title, low=number(float(np.nanmin(values))), high=number(float(np.nanmax(values)))
    )
