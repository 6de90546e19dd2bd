"""Axes and grid of a plot on screen: round ticks, a faint grid drawn with one call, no tick marks."""

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem

from attnsim.figures.marks import Axis
from attnsim.figures.numbers import number, ticks
from attnsim.gui.theme import Theme, font

LABEL_PIXELS = 12
TICK_PIXELS = 60  # about one tick in so many pixels


class PlotAxis(pg.AxisItem):
    """An axis whose ticks are handed to it, at positions in view units."""

    def __init__(self, side: str) -> None:
        super().__init__(side, showValues=True, maxTickLength=0)
        self.enableAutoSIPrefix(False)
        self.setStyle(
            tickFont=font(LABEL_PIXELS),
            hideOverlappingLabels=False,
            autoExpandTextSpace=False,
            tickTextOffset=6,
            autoReduceTextSpace=False,
        )
        # replays of its picture are what makes pyqtgraph's axes dear: at rest it is one pixmap
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self._shown: tuple = ()

    def place(self, positions: tuple[tuple[float, str], ...]) -> None:
        """Show ticks; nothing happens when they are the same as before."""
        if positions != self._shown:
            self._shown = positions
            self.setTicks([list(positions), []])
            self._forget()

    def resizeEvent(self, event: object = None) -> None:
        """Draw anew in the new size."""
        super().resizeEvent(event)
        self._forget()

    def _forget(self) -> None:
        # the cached pixmap keeps what lay outside an earlier, smaller size
        self.setCacheMode(QGraphicsItem.CacheMode.NoCache)
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)

    def text_width(self) -> float:
        """Return the width of the widest tick, in pixels."""
        metrics = QFontMetricsF(font(LABEL_PIXELS))
        return max((metrics.horizontalAdvance(text) for _position, text in self._shown), default=0.0)

    def dress(self, theme: Theme, label: str) -> None:
        """Take a theme's colours."""
        self.setPen(pg.mkPen(theme.hairline))
        self.setTextPen(pg.mkPen(theme.muted))
        if label:
            self.setLabel(label, **{"color": theme.muted, "font-size": f"{LABEL_PIXELS}px"})
        else:
            self.showLabel(False)

    def mousePressEvent(self, event: object) -> None:
        """Leave the mouse to the plot: axes are not dragged."""
        event.ignore()

    def wheelEvent(self, event: object) -> None:
        """Leave the wheel to the plot."""
        event.ignore()


class FaintGrid(pg.GraphicsObject):
    """Hairlines at the major ticks, under everything."""

    def __init__(self) -> None:
        super().__init__()
        self._horizontal: list[float] = []
        self._vertical: list[float] = []
        self._pen = QPen(Qt.PenStyle.NoPen)
        self._range = QRectF(0, 0, 1, 1)
        self.setZValue(-100)

    def place(self, horizontal: list[float], vertical: list[float], reach: QRectF, pen: QPen) -> None:
        """Draw lines at y values and x values across a range."""
        if (horizontal, vertical, reach, pen) != (self._horizontal, self._vertical, self._range, self._pen):
            self.prepareGeometryChange()
            self._horizontal, self._vertical, self._range, self._pen = horizontal, vertical, reach, pen
            self.update()

    def boundingRect(self) -> QRectF:
        """Return the range of the view."""
        return self._range

    def paint(self, painter: QPainter, option: object, widget: object = None) -> None:
        """Draw all lines at once."""
        painter.setPen(self._pen)
        reach = self._range
        lines = [QLineF(reach.left(), y, reach.right(), y) for y in self._horizontal]
        lines += [QLineF(x, reach.top(), x, reach.bottom()) for x in self._vertical]
        painter.drawLines(lines)


def to_view(axis: Axis, values: np.ndarray) -> np.ndarray:
    """Return where numbers stand in the view: their logarithm on a logarithmic axis, where 0 is its low end."""
    if not axis.log:
        return np.asarray(values, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log10(np.asarray(values, dtype=np.float64))
    return np.where(np.isneginf(logs), math.log10(axis.low), logs)


def view_range(axis: Axis) -> tuple[float, float]:
    """Return the range of an axis in view units."""
    low, high = (math.log10(axis.low), math.log10(axis.high)) if axis.log else (axis.low, axis.high)
    return (low, high) if high > low else (low, low + 1.0)


def tick_places(axis: Axis, low: float, high: float, pixels: float) -> tuple[tuple[float, str], ...]:
    """Return ticks in view units for the range that is visible now."""
    if axis.ticks is not None:
        placed = [(float(to_view(axis, np.array([value]))[0]), text) for value, text in axis.ticks]
        slack = 1e-9 * (high - low)
        return tuple((place, text) for place, text in placed if low - slack <= place <= high + slack)
    if axis.log:
        every = max(1, math.ceil((high - low) / max(2.0, pixels / TICK_PIXELS)))
        return tuple((float(p), _power(p)) for p in range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1, every))
    return ticks(low, high, max(2, min(6, round(pixels / TICK_PIXELS))))


def _power(exponent: int) -> str:
    if -3 <= exponent <= 4:
        return number(10.0**exponent) if exponent < 0 else f"{10**exponent:,}"
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
