"""Axes and grid of a plot on screen: round ticks, a faint grid, no tick marks."""

import math
from itertools import pairwise

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from attnsim.figures.marks import Axis
from attnsim.figures.numbers import number, ticks
from attnsim.gui.theme import Theme, font

LABEL_PIXELS = 12
TICK_PIXELS = 60  # about one tick in so many pixels
SIDE_LABEL_PIXELS = 18.0
RIGHT_ROOM = 7.0  # beside the frame, for half of the last tick
BESIDE, ABOVE = 10.0, 14.0  # pixels between the words of neighbours, and between lines

Places = tuple[tuple[float, str], ...]


class AxesFrame:
    """Ticks, labels, hairlines and grid of a plot, painted in screen pixels around and under the view's frame.

    Drawn into the view's cached background: pyqtgraph's axis items would be asked and painted with every frame.
    """

    def __init__(self) -> None:
        self.x: Places = ()
        self.y: Places = ()
        self.label, self.side_label = "", ""
        self.left = 6.0  # width that ticks and name of the y axis need, in pixels

    def set_places(self, x: Places, y: Places, label: str, side_label: str = "") -> bool:
        """Take ticks in view units and the names of both axes; returns whether anything is new."""
        fresh = (x, y, label, side_label) != (self.x, self.y, self.label, self.side_label)
        self.x, self.y, self.label, self.side_label = x, y, label, side_label
        return fresh

    def measure_left(self, places: Places) -> None:
        """Measure all ticks of the y axis, also those left out now: the width must not depend on the height."""
        metrics = QFontMetricsF(font(LABEL_PIXELS))
        self.left = max((metrics.horizontalAdvance(text) + 10.0 for _place, text in places), default=6.0)
        if self.side_label:
            self.left += SIDE_LABEL_PIXELS

    def paint(self, painter: QPainter, frame: QRectF, box: pg.ViewBox, theme: Theme) -> None:
        """Paint everything that stands still while the marks move."""
        (left, right), (low, high) = box.viewRange()
        xs = [(frame.left() + (place - left) / (right - left) * frame.width(), text) for place, text in self.x]
        ys = [(frame.bottom() - (place - low) / (high - low) * frame.height(), text) for place, text in self.y]
        painter.setPen(QPen(theme.color("grid"), 0.0))
        # the frame's lowest line is the axis itself
        painter.drawLines([QLineF(frame.left(), y, frame.right(), y) for y, _text in ys if y < frame.bottom() - 1.0])
        painter.setPen(QPen(QColor(theme.hairline), 0.0))
        painter.drawLine(QLineF(frame.left(), frame.top(), frame.left(), frame.bottom()))
        painter.drawLine(QLineF(frame.left(), frame.bottom(), frame.right(), frame.bottom()))
        painter.setFont(font(LABEL_PIXELS))
        painter.setPen(QColor(theme.muted))
        middle, ends = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignHCenter
        for y, text in ys:
            place = QRectF(0.0, y - 9.0, frame.left() - 7.0, 18.0)
            painter.drawText(place, int(middle | Qt.AlignmentFlag.AlignRight), text)
        metrics, end = QFontMetricsF(font(LABEL_PIXELS)), frame.right() + RIGHT_ROOM
        for x, text in xs:
            # the last one moves in where half of it would lie outside the card
            over = max(0.0, x + metrics.horizontalAdvance(text) / 2.0 - end)
            painter.drawText(QRectF(x - over - 60.0, frame.bottom() + 5.0, 120.0, 18.0), int(middle | ends), text)
        self._name(painter, frame)

    def _name(self, painter: QPainter, frame: QRectF) -> None:
        """Write the names of the axes; one that is wider than its axis may take the room beside it, too."""
        metrics, ends = QFontMetricsF(font(LABEL_PIXELS)), int(Qt.AlignmentFlag.AlignCenter)
        if self.label:
            room = frame.right() + 6.0
            text = metrics.elidedText(self.label, Qt.TextElideMode.ElideRight, room)
            width = metrics.horizontalAdvance(text) + 2.0
            left = max(0.0, min(frame.center().x() - width / 2.0, room - width))
            painter.drawText(QRectF(left, frame.bottom() + 24.0, width, 18.0), ends, text)
        if self.side_label:
            text = metrics.elidedText(self.side_label, Qt.TextElideMode.ElideRight, frame.height())
            painter.save()
            painter.translate(SIDE_LABEL_PIXELS / 2.0, frame.center().y())
            painter.rotate(-90.0)
            painter.drawText(QRectF(-frame.height() / 2.0, -9.0, frame.height(), 18.0), ends, text)
            painter.restore()


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


def tick_places(axis: Axis, low: float, high: float, pixels: float) -> Places:
    """Return ticks in view units for the range that is visible now."""
    if axis.ticks is not None:
        placed = [(float(to_view(axis, np.array([value]))[0]), text) for value, text in axis.ticks]
        slack = 1e-9 * (high - low)
        return tuple((place, text) for place, text in placed if low - slack <= place <= high + slack)
    if axis.log:
        every = max(1, math.ceil((high - low) / max(2.0, pixels / TICK_PIXELS)))
        return tuple((float(p), _power(p)) for p in range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1, every))
    return ticks(low, high, max(2, min(6, round(pixels / TICK_PIXELS))))


def thinned(places: Places, scale: float, across: bool) -> Places:
    """Return every tick, or every second, third, ... one: as many as have words that do not run together.

    Parameters
    ----------
    places : tuple of (float, str)
    scale : float
        Pixels per view unit.
    across : bool
        Whether words stand side by side, not above each other.

    Notes
    -----
    A tick at 0 stays, else the first one does.
    """
    metrics = QFontMetricsF(font(LABEL_PIXELS))
    half = [metrics.horizontalAdvance(text) / 2.0 if across else 0.0 for _place, text in places]
    gap = BESIDE if across else ABOVE
    zero = next((index for index, (place, _text) in enumerate(places) if place == 0.0), 0)
    for every in range(1, len(places)):
        kept = range(zero % every, len(places), every)
        apart = all((places[b][0] - places[a][0]) * scale >= half[a] + half[b] + gap for a, b in pairwise(kept))
        if apart:
            return tuple(places[index] for index in kept)
    return places[zero : zero + 1]


def _power(exponent: int) -> str:
    if -3 <= exponent <= 4:
        return number(10.0**exponent) if exponent < 0 else f"{10**exponent:,}"
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
