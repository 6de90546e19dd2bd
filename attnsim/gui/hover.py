"""Which key the mouse points at, and what to say of it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF

from attnsim.experiments.records import Walk
from attnsim.figures.marks import Bars, Paths, Plot, Rug
from attnsim.figures.moment import attention_of, moment
from attnsim.figures.numbers import count, number
from attnsim.gui.theme import strong
from attnsim.view import View
from attnsim.words import _

if TYPE_CHECKING:
    from attnsim.gui.plot_view import PlotView

NEAR_PIXELS = 24.0


def key_at(result: Walk, view: View, plot: Plot, position: QPointF, canvas: PlotView) -> int | None:
    """Return the key nearest the mouse, or None where nothing is near.

    Parameters
    ----------
    result : Walk
    view : View
    plot : Plot
        The plot under the mouse.
    position : QPointF
        In view units.
    canvas : PlotView
        Tells how many units a pixel is.
    """
    pixel_x, pixel_y = canvas.box.viewPixelSize()
    paths = next((mark for mark in plot.marks if isinstance(mark, Paths)), None)
    if paths is not None:
        at = min(max(int(np.searchsorted(paths.x, position.x(), side="right")) - 1, 0), max(paths.shown - 1, 0))
        return _nearest(paths.ys[at], position.y(), pixel_y, paths.keys)
    if plot.keys is not None:
        rank = round(position.x())
        return int(plot.keys[rank]) if 0 <= rank < len(plot.keys) else None
    rug = next((mark for mark in plot.marks if isinstance(mark, Rug)), None)
    if rug is not None and len(rug.values):
        every = -(-result.row.keys // len(rug.values))
        return _nearest(rug.values, position.x(), pixel_x, np.arange(len(rug.values)) * every)
    if plot.beside and any(isinstance(mark, Bars) for mark in plot.marks):
        scores = moment(result, view).scores
        return _nearest(scores, position.y(), pixel_y, np.arange(scores.size))
    return None


def _nearest(values: np.ndarray, at: float, pixel: float, keys: np.ndarray) -> int | None:
    if not len(values):
        return None
    distances = np.abs(values - at)
    nearest = int(np.argmin(distances))
    return int(keys[nearest]) if distances[nearest] <= NEAR_PIXELS * pixel else None


def sentence(result: Walk, view: View, key: int) -> str:
    """Return the exact numbers of a key at the playhead, as a small table in rich text."""
    now = moment(result, view)
    if not 0 <= key < now.scores.size:
        return ""
    tokens = result.vectors.tokens if result.vectors is not None else ()
    name = _("key {number}").format(number=count(key))
    if key < len(tokens):
        name = _("{name} “{token}”").format(name=name, token=escape(tokens[key].strip() or "␣"))
    rows = [(_("score S at m = {step}").format(step=count(now.step)), number(float(now.scores[key])))]
    for rule in result.rules:
        weight = float(attention_of(rule, result, now.index).weights[0, key])
        rows.append((_("weight, {rule}").format(rule=rule.title), _weight(weight)))
    cells = "".join(f"<tr><td>{escape(a)}&nbsp;&nbsp;</td><td align='right'>{escape(b)}</td></tr>" for a, b in rows)
    return f"{strong(name)}<table cellspacing='0' cellpadding='0'>{cells}</table>"


def _weight(weight: float) -> str:
    return f"{weight:.4f}" if weight >= 1e-4 or weight == 0.0 else number(weight)
