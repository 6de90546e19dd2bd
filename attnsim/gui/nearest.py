"""What the mark nearest to the mouse says, in plots of any kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF

from attnsim.figures.marks import Axis, Band, Bars, Dots, Heat, Line, Mark, Plot, Whiskers
from attnsim.figures.numbers import count, number
from attnsim.gui.axes import to_view, view_range
from attnsim.gui.theme import strong
from attnsim.words import _

if TYPE_CHECKING:
    from attnsim.gui.plot_view import PlotView

NEAR_PIXELS = 24.0

Rows = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A mark near the mouse: how far, in pixels; whether it is an area; and what to say."""

    distance: float
    area: bool
    name: str
    rows: Rows
    named: bool

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """Named before unnamed, points before areas, near before far."""
        return not self.named, self.area, self.distance


@dataclass(frozen=True, slots=True)
class Mouse:
    """Where the mouse is, in view units, and how large a pixel is there."""

    plot: Plot
    x: float
    y: float
    pixel_x: float
    pixel_y: float

    def nearest(self, x: np.ndarray, low: np.ndarray, high: np.ndarray, half: float = 0.0) -> tuple[int, float] | None:
        """Return which upright stroke from low to high, `half` wide to each side, is nearest, and how far in pixels."""
        across = np.maximum(np.abs(x - self.x) - half, 0.0) / self.pixel_x
        up = np.maximum(np.maximum(low - self.y, self.y - high), 0.0) / self.pixel_y
        distances = np.hypot(across, up)
        if not distances.size or np.isnan(distances).all():
            return None
        best = float(np.nanmin(distances))
        if best > NEAR_PIXELS:
            return None
        # of several as near, such as all of a band around the mouse, the one that is straight above or below
        ties = np.flatnonzero(distances <= best + 1e-9)
        return int(ties[np.argmin(np.abs(x[ties] - self.x))]), best


def sentence(plot: Plot, position: QPointF, view: PlotView) -> str:
    """Return the numbers of the data point nearest to the mouse, as a small table in rich text.

    Parameters
    ----------
    plot : Plot
        The plot under the mouse.
    position : QPointF
        In view units.
    view : PlotView
        Tells how many units a pixel is.

    Returns
    -------
    str
        Empty where nothing lies within 24 pixels. Marks without a label speak only where no labelled one is near, and
        areas (bands, matrices) where no point is.
    """
    pixel_x, pixel_y = view.box.viewPixelSize()
    mouse = Mouse(plot, position.x(), position.y(), pixel_x, pixel_y)
    finders = [(mark, _FIND[type(mark)]) for mark in plot.marks if type(mark) in _FIND]
    found = [each for each in (find(mark, mouse) for mark, find in finders) if each is not None]
    if not found:
        return ""
    best = min(found, key=lambda each: each.rank)
    cells = "".join(
        f"<tr><td>{escape(a)}&nbsp;&nbsp;</td><td align='right'>{escape(b)}</td></tr>" for a, b in best.rows
    )
    name = strong(escape(best.name)) if best.name else ""
    return f"{name}<table cellspacing='0' cellpadding='0'>{cells}</table>"


def _point(mark: Line | Dots, mouse: Mouse) -> Found | None:
    y = to_view(mouse.plot.y, mark.y)
    hit = mouse.nearest(to_view(mouse.plot.x, mark.x), y, y)
    if hit is None:
        return None
    i, distance = hit
    reach = _interval(mark, float(mark.x[i]), float(mark.y[i]), mouse.plot) if isinstance(mark, Dots) else ""
    return _found(distance, mark, _rows(mouse.plot, mark.x, i, _value(mouse.plot.y, mark.y, i) + reach))


def _interval(mark: Dots, x: float, y: float, plot: Plot) -> str:
    """Return the interval that whiskers of the same colour draw through a dot."""
    for other in plot.marks:
        if isinstance(other, Whiskers) and other.role == mark.role:
            at = np.flatnonzero((np.asarray(other.x) == x) & (other.low <= y) & (y <= other.high))
            if at.size:
                return f" ({_reach(plot.y, other.low, other.high, int(at[0]))})"
    return ""


def _whiskers(mark: Whiskers, mouse: Mouse) -> Found | None:
    low, high = (_above(mouse.plot.y, values) for values in (mark.low, mark.high))
    hit = mouse.nearest(to_view(mouse.plot.x, mark.x), low, high)
    if hit is None:
        return None
    i, distance = hit
    reach = _reach(mouse.plot.y, mark.low, mark.high, i)
    dot = _dot(mark, i, mouse.plot)  # of a dot with whiskers both say the same
    if dot:
        reach = f"{dot} ({reach})"
    return _found(distance, mark, _rows(mouse.plot, mark.x, i, reach))


def _dot(mark: Whiskers, i: int, plot: Plot) -> str:
    """Return the value of the dot of the same colour that a stroke goes through."""
    for other in plot.marks:
        if isinstance(other, Dots) and other.role == mark.role:
            inside = (mark.low[i] <= other.y) & (other.y <= mark.high[i])
            at = np.flatnonzero((np.asarray(other.x) == mark.x[i]) & inside)
            if at.size:
                return _value(plot.y, other.y, int(at[0]))
    return ""


def _band(mark: Band, mouse: Mouse) -> Found | None:
    low, high = (_above(mouse.plot.y, values) for values in (mark.low, mark.high))
    hit = mouse.nearest(to_view(mouse.plot.x, mark.x), low, high)
    if hit is None:
        return None
    i, distance = hit
    rows = _rows(mouse.plot, mark.x, i, _reach(mouse.plot.y, mark.low, mark.high, i))
    return _found(distance, mark, rows, area=True)


def _bars(mark: Bars, mouse: Mouse) -> Found | None:
    along, length = (mouse.plot.y, mouse.plot.x) if mark.across else (mouse.plot.x, mouse.plot.y)
    turned = Mouse(mouse.plot, mouse.y, mouse.x, mouse.pixel_y, mouse.pixel_x) if mark.across else mouse
    centers = np.asarray(mark.centers, dtype=np.float64)
    start, end = to_view(along, centers - mark.width / 2), to_view(along, centers + mark.width / 2)
    foot = view_range(length)[0] if length.log else 0.0
    top = to_view(length, mark.heights)
    half = float(np.nanmedian(end - start)) / 2.0 if centers.size else 0.0
    hit = turned.nearest((start + end) / 2.0, np.minimum(top, foot), np.maximum(top, foot), half)
    if hit is None:
        return None
    i, distance = hit
    if mark.across:
        bar = _cell(along, "y", _value(along, mark.centers, i))
        return _found(distance, mark, (bar, _cell(length, "x", _value(length, mark.heights, i))))
    return _found(distance, mark, _rows(mouse.plot, mark.centers, i, _value(length, mark.heights, i)))


def _heat(mark: Heat, mouse: Mouse) -> Found | None:
    plot = mouse.plot
    places = []
    for axis, edges, at in ((plot.x, mark.x, mouse.x), (plot.y, mark.y, mouse.y)):
        inside = int(np.searchsorted(_above(axis, edges), at, side="right")) - 1
        if not 0 <= inside < len(edges) - 1:
            return None
        places.append(inside)
    column, row = places
    value = float(mark.values[row, column])
    if np.isnan(value):
        return None
    rows = (
        _cell(plot.x, "x", _value(plot.x, _centers(plot.x, mark.x), column)),
        _cell(plot.y, "y", _value(plot.y, _centers(plot.y, mark.y), row)),
        (mark.title or _("value"), number(value)),
    )
    return Found(0.0, True, mark.label, rows, bool(mark.label or mark.title))


def _centers(axis: Axis, edges: np.ndarray) -> np.ndarray:
    low, high = np.asarray(edges[:-1], dtype=np.float64), np.asarray(edges[1:], dtype=np.float64)
    return np.sqrt(np.maximum(low, 0.0) * high) if axis.log else (low + high) / 2.0


def _above(axis: Axis, values: np.ndarray) -> np.ndarray:
    """Return places in view units; below a logarithmic axis, its low end."""
    return to_view(axis, np.maximum(values, axis.low) if axis.log else values)


def _found(distance: float, mark: Mark, rows: Rows, area: bool = False) -> Found:
    return Found(distance, area, mark.label, rows, bool(mark.label))


def _rows(plot: Plot, x: np.ndarray, i: int, value: str) -> Rows:
    return _cell(plot.x, "x", _value(plot.x, x, i)), _cell(plot.y, "y", value)


def _cell(axis: Axis, letter: str, value: str) -> tuple[str, str]:
    return axis.label or letter, value


def _value(axis: Axis, values: np.ndarray, i: int) -> str:
    """Return a number in words: the axis' own where it names its ticks, whole where all of them are."""
    values = np.asarray(values, dtype=np.float64)
    value = float(values[i])
    for at, text in axis.ticks or ():
        if abs(at - value) <= 1e-9 * max(1.0, abs(at)) and any(letter.isalpha() for letter in text):
            return text
    finite = values[np.isfinite(values)]
    if np.isfinite(value) and np.allclose(finite, np.rint(finite), rtol=1e-9, atol=0.0):
        return count(round(value)).replace("-", "\N{MINUS SIGN}")
    return number(value)


def _reach(axis: Axis, low: np.ndarray, high: np.ndarray, i: int) -> str:
    return _("{low} to {high}").format(low=_value(axis, low, i), high=_value(axis, high, i))


_FIND: dict[type, Callable[[Mark, Mouse], Found | None]] = {
    Line: _point,
    Dots: _point,
    Bars: _bars,
    Whiskers: _whiskers,
    Heat: _heat,
    Band: _band,
}
