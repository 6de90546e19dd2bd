"""What the mouse points at, and what to say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from attnsim.experiments.records import Walk
from attnsim.experiments.result import Record
from attnsim.figures.marks import Plot
from attnsim.gui import hover
from attnsim.view import View

if TYPE_CHECKING:
    from attnsim.gui.plot_view import PlotView


def at(
    result: Record, view: View, plot: Plot | None, position: QPointF | None, canvas: PlotView
) -> tuple[int | None, str]:
    """Return the key under the mouse, if there is one, and exact numbers as rich text."""
    if plot is None or position is None:
        return None, ""
    if isinstance(result, Walk):
        key = hover.key_at(result, view, plot, position, canvas)
        if key is not None and key < result.row.keys:
            return key, hover.sentence(result, view, key)
    from attnsim.gui.nearest import sentence

    return None, sentence(plot, position, canvas)


def values(plot: Plot, position: QPointF) -> tuple[float, float]:
    """Return a place of a plot in axis units."""
    x, y = position.x(), position.y()
    return 10.0**x if plot.x.log else x, 10.0**y if plot.y.log else y
