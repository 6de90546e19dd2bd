"""The colours of a Heat beside its plot, painted in screen pixels into the view's cached background."""

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen

from attnsim.figures.heat_picture import heat_share
from attnsim.figures.marks import Heat, Plot
from attnsim.figures.numbers import ticks
from attnsim.figures.palette import SCALE_STEPS, scale_table
from attnsim.gui.theme import Theme, font

GAP, BAR, AFTER, TITLE, END = 14.0, 12.0, 6.0, 20.0, 4.0  # pixels, from left to right
FONT_PIXELS = 12
LEAST_APART = 34.0  # pixels a tick


class ColorBar:
    """Bar, ticks and title of the first Heat of a plot that wants a bar."""

    def __init__(self) -> None:
        self._heat: Heat | None = None
        self._look: tuple = ()

    def take(self, plot: Plot) -> bool:
        """Take the plot's Heat and return whether the bar looks different now."""
        self._heat = next((mark for mark in plot.marks if isinstance(mark, Heat) and mark.bar), None)
        heat = self._heat
        look = () if heat is None else (heat.low, heat.high, heat.scale, heat.title)
        fresh = look != self._look
        self._look = look
        return fresh

    def room(self) -> float:
        """Return the width it takes, in pixels; 0 without a bar."""
        if self._heat is None:
            return 0.0
        return GAP + BAR + AFTER + self._words() + (TITLE if self._heat.title else 0.0) + END

    def _words(self) -> float:
        # measured at the most ticks, so that the width does not depend on the height
        metrics = QFontMetricsF(font(FONT_PIXELS))
        places = [place for most in (2, 3, 4, 5) for place in ticks(self._heat.low, self._heat.high, most)]
        return max((metrics.horizontalAdvance(text) for _at, text in places), default=0.0)

    def paint(self, painter: QPainter, frame: QRectF, theme: Theme) -> None:
        """Paint it at the right of the plot's frame."""
        heat = self._heat
        if heat is None or not heat.high > heat.low:
            return
        bar = QRectF(round(frame.right() + GAP), frame.top(), BAR, frame.height())
        painter.drawImage(bar, _colors(heat, theme))
        painter.setPen(QPen(QColor(theme.hairline), 0.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(bar)
        painter.setFont(font(FONT_PIXELS))
        painter.setPen(QColor(theme.muted))
        most = max(2, min(5, int(frame.height() / LEAST_APART)))
        for at, text in ticks(heat.low, heat.high, most):
            y = bar.bottom() - (at - heat.low) / (heat.high - heat.low) * bar.height()
            place = QRectF(bar.right() + AFTER, y - 9.0, self._words() + 2.0, 18.0)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
        if heat.title:
            self._title(painter, frame, bar.right() + AFTER + self._words() + TITLE / 2.0, heat.title)

    @staticmethod
    def _title(painter: QPainter, frame: QRectF, x: float, title: str) -> None:
        metrics = QFontMetricsF(font(FONT_PIXELS))
        text = metrics.elidedText(title, Qt.TextElideMode.ElideRight, frame.height())
        painter.save()
        painter.translate(x, frame.center().y())
        painter.rotate(-90.0)
        painter.drawText(
            QRectF(-frame.height() / 2.0, -9.0, frame.height(), 18.0), int(Qt.AlignmentFlag.AlignCenter), text
        )
        painter.restore()


def _colors(heat: Heat, theme: Theme) -> QImage:
    """Return the colours from the high end, above, to the low one."""
    values = heat.high - (np.arange(SCALE_STEPS) + 0.5) / SCALE_STEPS * (heat.high - heat.low)
    steps = np.rint(heat_share(heat, values) * (SCALE_STEPS - 1)).astype(np.intp)
    pixels = np.ascontiguousarray(scale_table(heat.scale, theme.name)[steps][:, np.newaxis])
    return QImage(pixels.data, 1, SCALE_STEPS, 4, QImage.Format.Format_RGBA8888).copy()
