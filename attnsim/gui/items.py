"""An item for each kind of mark but words: made once, moved with every frame.

A view does not save the painter between its items, so each item sets pen and brush itself.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from pyqtgraph.Qt import internals
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsItem

from attnsim.figures.heat_picture import heat_picture
from attnsim.figures.marks import Axis, Band, Bars, Cursor, Dots, Heat, Line, Mark, Paths, Rug, Whiskers
from attnsim.gui.axes import to_view, view_range
from attnsim.gui.theme import Theme
from attnsim.gui.walk_canvas import WalkCanvas

REST = 8  # frames without a change after which a curve is kept as a pixmap
POINT = 96.0 / 72.0  # a point in logical pixels


@dataclass(frozen=True, slots=True)
class Place:
    """Where marks stand: axes, theme, and device pixels per logical pixel."""

    x: Axis
    y: Axis
    theme: Theme
    ratio: float


def _pen(color: QColor, width: float, dashed: bool = False) -> QPen:
    pen = QPen(color, width)
    pen.setCosmetic(True)  # cosmetic widths count device pixels
    if dashed:
        pen.setDashPattern([4.0, 3.0])
    return pen


class CurveItem(pg.PlotCurveItem):
    """A curve that fills nothing, whatever was painted before it."""

    def paint(self, painter: QPainter, option: object, widget: object = None) -> None:
        """Draw the line alone: pyqtgraph would fill up to its chord with the brush it finds."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        super().paint(painter, option, widget)


class PolygonItem(pg.GraphicsObject):
    """A filled area."""

    def __init__(self) -> None:
        super().__init__()
        self._polygon = QPolygonF()
        self._brush = QBrush()

    def set_area(self, x: np.ndarray, low: np.ndarray, high: np.ndarray, brush: QBrush) -> None:
        """Fill between two curves; points that are not finite are left out."""
        good = np.isfinite(x) & np.isfinite(low) & np.isfinite(high)
        x, low, high = x[good], low[good], high[good]
        self.prepareGeometryChange()
        self._polygon = pg.functions.arrayToQPolygonF(np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]]))
        self._brush = brush
        self.update()

    def boundingRect(self) -> QRectF:
        """Return the reach of the area."""
        return self._polygon.boundingRect()

    def paint(self, painter: QPainter, option: object, widget: object = None) -> None:
        """Fill it."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._brush)
        painter.drawPolygon(self._polygon)


class RectanglesItem(pg.GraphicsObject):
    """Bars of one colour, drawn with one call."""

    def __init__(self) -> None:
        super().__init__()
        self._rectangles = internals.PrimitiveArray(pg.QtCore.QRectF, 4)
        self._snapped = internals.PrimitiveArray(pg.QtCore.QRectF, 4)
        self._brush = QBrush()
        self._bounds = QRectF()

    def set_bars(self, x: np.ndarray, y: np.ndarray, width: np.ndarray, height: np.ndarray, brush: QBrush) -> None:
        """Place bars by their corner and size, in view units."""
        good = np.isfinite(x) & np.isfinite(y) & np.isfinite(height) & np.isfinite(width)
        self._rectangles.resize(int(good.sum()))
        into = self._rectangles.ndarray()
        for column, values in enumerate((x, y, width, height)):
            into[:, column] = values[good]
        bounds = QRectF()
        if len(into):
            left, top = into[:, 0].min(), min(into[:, 1].min(), (into[:, 1] + into[:, 3]).min())
            right, bottom = (into[:, 0] + into[:, 2]).max(), max(into[:, 1].max(), (into[:, 1] + into[:, 3]).max())
            bounds = QRectF(left, top, right - left, bottom - top)
        if bounds != self._bounds:
            self.prepareGeometryChange()
            self._bounds = bounds
        self._brush = brush
        self.update()

    def boundingRect(self) -> QRectF:
        """Return the reach of all bars."""
        return self._bounds

    def paint(self, painter: QPainter, option: object, widget: object = None) -> None:
        """Fill them without antialiasing, so that neighbours show no seams."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._brush)
        view = self.getViewWidget()
        bars = self._rectangles.ndarray()
        if view is None or not stand_apart(bars):
            painter.drawRects(*self._rectangles.drawargs())
            return
        self._snapped.resize(len(bars))
        into = self._snapped.ndarray()
        into[:] = bars
        into[:, 0], into[:, 2] = even_gaps(
            bars, self.sceneTransform() * view.viewportTransform(), view.devicePixelRatioF()
        )
        painter.drawRects(*self._snapped.drawargs())


def stand_apart(bars: np.ndarray) -> bool:
    """Whether upright bars leave gaps between them, as bars of keys do and those of a histogram do not."""
    return len(bars) > 1 and bool(bars[0, 2] < 0.98 * (bars[1, 0] - bars[0, 0]))


def even_gaps(bars: np.ndarray, to_view: QTransform, ratio: float) -> tuple[np.ndarray, np.ndarray]:
    """Return left edges and widths of upright bars, moved to whole device pixels.

    Parameters
    ----------
    bars : float64 array, shape (bars, 4)
        x, y, width, height in view units, at equal distances in x.
    to_view : QTransform
        From view units to pixels of the widget.
    ratio : float
        Device pixels per pixel.

    Returns
    -------
    left, width : float64 arrays, shape (bars,)
        All bars are equally wide and a device pixel or more apart; where there are fewer than two device pixels a bar,
        they touch.
    """
    scale, shift = to_view.m11() * ratio, to_view.dx() * ratio
    pitch = (bars[1, 0] - bars[0, 0]) * scale
    left = np.round(bars[:, 0] * scale + shift)
    if pitch < 2.0:
        wide = np.diff(left, append=left[-1] + np.ceil(pitch))
    else:
        wide = np.full(len(bars), min(max(round(bars[0, 2] * scale), 1), int(pitch) - 1))
    return (left - shift) / scale, wide / scale


class Holder:
    """One mark's item and the last mark it showed."""

    def __init__(self, item: QGraphicsItem, move: Callable[[QGraphicsItem, Mark, Place], None]) -> None:
        self.item = item
        self._move = move
        self._last: tuple[Mark, Place] | None = None
        self._still = 0

    def move(self, mark: Mark, place: Place) -> bool:
        """Show a mark, and return whether it is another one; the same one costs nothing but the comparison."""
        if self._last is not None and self._last[1] == place and same(self._last[0], mark):
            self._still += 1
            if self._still == REST and isinstance(mark, Line | Band | Whiskers):  # curves at rest are one pixmap
                self._cache(QGraphicsItem.CacheMode.DeviceCoordinateCache)
            return False
        self._still = 0
        if isinstance(mark, Line | Band | Whiskers):
            self._cache(QGraphicsItem.CacheMode.NoCache)
        self._last = (mark, place)
        self._move(self.item, mark, place)
        return True

    def _cache(self, mode: QGraphicsItem.CacheMode) -> None:
        if self.item.cacheMode() != mode:
            self.item.setCacheMode(mode)


def same(first: Mark, second: Mark) -> bool:
    """Whether two marks of one kind would be drawn alike."""
    for name in first.__slots__:
        a, b = getattr(first, name), getattr(second, name)
        if a is b:
            continue
        if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
            if np.shape(a) != np.shape(b) or not np.array_equal(a, b, equal_nan=True):
                return False
        elif a != b:
            return False
    return True


def _move_line(item: pg.PlotCurveItem, mark: Line, place: Place) -> None:
    item.setPen(_pen(place.theme.color(mark.role), max(1.0, mark.width * place.ratio), mark.dashed))
    item.setData(to_view(place.x, mark.x), to_view(place.y, mark.y), connect="finite", antialias=True)


def _move_band(item: PolygonItem, mark: Band, place: Place) -> None:
    color = place.theme.color(mark.role)
    color.setAlphaF(mark.opacity)
    low, high = to_view(place.y, mark.low), to_view(place.y, mark.high)
    item.set_area(to_view(place.x, mark.x), low, high, QBrush(color))


def over_card(color: QColor, opacity: float, theme: Theme) -> QColor:
    """Return the opaque colour that a see-through one has on the card: opaque fills cost far less."""
    card = QColor(theme.card)
    pairs = zip(color.getRgb()[:3], card.getRgb()[:3], strict=True)
    return QColor(*(round(opacity * a + (1.0 - opacity) * b) for a, b in pairs))


def _move_bars(item: RectanglesItem, mark: Bars, place: Place) -> None:
    color = over_card(place.theme.color(mark.role), mark.opacity, place.theme)
    along, length = (place.y, place.x) if mark.across else (place.x, place.y)
    start = to_view(along, np.asarray(mark.centers) - mark.width / 2)
    thick = to_view(along, np.asarray(mark.centers) + mark.width / 2) - start
    foot = view_range(length)[0] if length.log else 0.0
    reach = to_view(length, mark.heights) - foot
    if length.log:
        reach = np.maximum(reach, 0.0)
    feet = np.full_like(reach, foot)
    if mark.across:
        item.set_bars(feet, start, reach, thick, QBrush(color))
    else:
        item.set_bars(start, feet, thick, reach, QBrush(color))


def _move_dots(item: pg.ScatterPlotItem, mark: Dots, place: Place) -> None:
    color = place.theme.color(mark.role)
    x, y = to_view(place.x, mark.x), to_view(place.y, mark.y)
    good = np.isfinite(x) & np.isfinite(y)
    brush = QBrush(QColor(place.theme.card)) if mark.hollow else QBrush(color)
    rim = _pen(color if mark.hollow else QColor(place.theme.card), 1.5 if mark.hollow else 1.0)
    item.setData(x[good], y[good], size=mark.size * POINT, brush=brush, pen=rim)


def _move_whiskers(item: pg.PlotCurveItem, mark: Whiskers, place: Place) -> None:
    low = np.asarray(mark.low, dtype=np.float64)
    if place.y.log:
        low = np.maximum(low, place.y.low)  # an interval may reach below 0, which a logarithmic axis does not have
    x, low, high = to_view(place.x, mark.x), to_view(place.y, low), to_view(place.y, mark.high)
    good = np.isfinite(x) & np.isfinite(low) & np.isfinite(high) & (low <= high)
    pen = _pen(place.theme.color(mark.role), max(1.0, mark.width * place.ratio))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    item.setPen(pen)
    item.setData(np.repeat(x[good], 2), np.column_stack([low, high])[good].ravel(), connect="pairs", antialias=True)


def _move_heat(item: pg.ImageItem, mark: Heat, place: Place) -> None:
    pixels, (left, right, low, high) = heat_picture(mark, place.x, place.y, place.theme.name)
    (x, to_x), (y, to_y) = view_range(place.x), view_range(place.y)
    item.setImage(pixels, autoLevels=False, levels=None)
    item.setRect(
        QRectF(x + left * (to_x - x), y + low * (to_y - y), (right - left) * (to_x - x), (high - low) * (to_y - y))
    )


def _move_rug(item: pg.PlotCurveItem, mark: Rug, place: Place) -> None:
    color = place.theme.color(mark.role)
    color.setAlphaF(mark.opacity)
    low, high = view_range(place.y)
    x = np.repeat(to_view(place.x, mark.values), 2)
    y = np.tile([low, low + mark.height * (high - low)], len(mark.values))
    item.setPen(_pen(color, 1.0))
    item.setData(x, y, connect="pairs", antialias=True)


def _move_cursor(item: pg.InfiniteLine, mark: Cursor, place: Place) -> None:
    item.setAngle(0 if mark.across else 90)
    item.setPen(_pen(place.theme.color(mark.role), place.ratio, mark.dashed))
    item.setValue(float(to_view(place.y if mark.across else place.x, np.array([mark.at]))[0]))


def _curve() -> CurveItem:
    return CurveItem(skipFiniteCheck=False, segmentedLineMode="auto")


MAKERS: dict[type, tuple[Callable[[], QGraphicsItem], Callable]] = {
    Line: (_curve, _move_line),
    Band: (PolygonItem, _move_band),
    Bars: (RectanglesItem, _move_bars),
    Whiskers: (_curve, _move_whiskers),
    Heat: (lambda: pg.ImageItem(axisOrder="row-major"), _move_heat),
    Dots: (lambda: pg.ScatterPlotItem(pxMode=True, antialias=True), _move_dots),
    Paths: (WalkCanvas, lambda item, mark, place: item.set_paths(mark, place.theme.color(mark.role))),
    Rug: (_curve, _move_rug),
    Cursor: (lambda: pg.InfiniteLine(movable=False), _move_cursor),
}


def holder(mark: Mark) -> Holder:
    """Make the item for a mark of this kind."""
    make, move = MAKERS[type(mark)]
    return Holder(make(), move)
