"""The measured map."""

import numpy as np

from attnsim.experiments.phase.record import Phase
from attnsim.figures.marks import Figure, Heat, Plot
from attnsim.figures.numbers import count
from attnsim.figures.phase import axes
from attnsim.view import View
from attnsim.words import _


def build(result: Phase, view: View) -> Figure:
    """Draw the mean over drawn rows of the number looked at, on a coarser grid."""
    metric, sample = axes.metric_of(view), result.sample
    values = sample.mean[axes.map_place(result, view), metric]
    walls = axes.edges(result.sample_x), axes.edges(result.sample_keys)
    title = axes.metric_title(metric)
    heat = Heat(*walls, values, 0.0, 1.0, title=title, label=_("measured"))
    plot = Plot(
        key="map",
        x=axes.x_axis(result, result.sample_x),
        y=axes.keys_axis(result.sample_keys),
        marks=(heat, *axes.border_marks(result, view), *axes.scenario_marks(result, view, result.sample_x)),
        heading=axes.heading(result, view, ""),
    )
    return Figure(
        key="phase_simulated",
        title=_("Phases, simulated"),
        subtitle=axes.plane_words(result),
        note=rows_words(result),
        plots=(plot,),
        summary=_summary(result, values),
    )


def rows_words(result: Phase) -> str:
    """Return how many rows a point has."""
    rows = result.sample.rows[result.sample.rows > 0]
    if not rows.size:
        return _("drawing…")
    if rows.min() == rows.max():
        return _("{rows} rows a point").format(rows=count(int(rows.max())))
    return _("{low} to {high} rows a point").format(low=count(int(rows.min())), high=count(int(rows.max())))


def _summary(result: Phase, values: np.ndarray) -> str:
    known = int(np.isfinite(values).sum())
    if not known:
        return _("No rows are drawn yet.")
    missing = values.size - known
    sentence = _("The same map from drawn rows at {known} points.").format(known=known)
    if missing and result.fraction >= 1.0:
        sentence += " " + _("{missing} points are left out: a row there takes too long.").format(missing=missing)
    return sentence
