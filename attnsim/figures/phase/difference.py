"""Measured minus exact, in standard errors."""

import numpy as np

from attnsim.experiments.phase.record import Phase
from attnsim.figures.marks import Figure, Heat, Plot
from attnsim.figures.numbers import number
from attnsim.figures.phase import axes
from attnsim.view import View
from attnsim.words import _

WIDEST = 4.0  # standard errors


def build(result: Phase, view: View) -> Figure:
    """Draw how many standard errors the drawn rows are from theory, point by point."""
    metric, place = axes.metric_of(view), axes.map_place(result, view)
    z = result.sample.deviation[place, metric]
    walls = axes.edges(result.sample_x), axes.edges(result.sample_keys)
    heat = Heat(*walls, z, -WIDEST, WIDEST, scale="diverging", title=_("standard errors"), label=_("measured − exact"))
    plot = Plot(
        key="map",
        x=axes.x_axis(result, result.sample_x),
        y=axes.keys_axis(result.sample_keys),
        marks=(heat, *axes.border_marks(result, view)),
        heading=axes.heading(result, view, ""),
    )
    return Figure(
        key="phase_difference",
        title=_("Simulated minus exact"),
        subtitle=_subtitle(result, z),
        note=_("in standard errors"),
        plots=(plot,),
        summary=_summary(result, z),
    )


def _subtitle(result: Phase, z: np.ndarray) -> str:
    if not np.isfinite(z).any():
        return result.note or _("drawing…")
    if np.isfinite(z).all():
        return _("chance alone: 19 of 20 points within ±2")
    return _("chance alone: 19 of 20 within ±2 · blank: too few rows")


def _summary(result: Phase, z: np.ndarray) -> str:
    known = z[np.isfinite(z)]
    if not known.size:
        return result.note or _("No rows are drawn yet.")
    return _("Of {count} points {beyond} lie more than 2 standard errors from theory; the farthest {most}.").format(
        count=known.size, beyond=int((np.abs(known) > 2.0).sum()), most=number(float(np.abs(known).max()))
    )
