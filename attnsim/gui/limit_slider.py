"""A slider whose range stays, and which shows the part of it that is allowed just now."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider

from attnsim.gui.theme import LIGHT, Theme

HANDLE = 10.0  # half of the handle's width with its border and a hair more, in pixels


class LimitSlider(QSlider):
    """Draws a dotted line in place of the track where a value would not be allowed."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.limits: tuple[int, int] | None = None
        self._theme = LIGHT

    def show_limits(self, low: int, high: int) -> None:
        """Mark positions outside of these as not allowed."""
        limits = (low, high) if (low, high) != (self.minimum(), self.maximum()) else None
        if limits != self.limits:
            self.limits = limits
            self.update()

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self._theme = theme
        self.update()

    def center_of(self, position: int) -> float:
        """Return where the handle's centre stands at a position, in pixels."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        option.sliderPosition = option.sliderValue = position
        part = self.style().subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self
        )
        return part.center().x() + 0.5

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the slider, and over its track what is not allowed."""
        super().paintEvent(event)
        if self.limits is None or not self.isEnabled():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, whole = self.height() / 2.0, QPainterPath()
        whole.addRect(QRectF(self.rect()))
        handle = QPainterPath()
        handle.addEllipse(QPointF(self.center_of(self.sliderPosition()), middle), HANDLE, HANDLE)
        painter.setClipPath(whole.subtracted(handle))
        dots = QPen(QColor(self._theme.muted), 1.5)
        dots.setDashPattern([1.0, 2.5])
        low, high = self.limits
        left_out = (0.0, self.center_of(low)) if low > self.minimum() else (0.0, 0.0)
        right_out = (self.center_of(high), float(self.width())) if high < self.maximum() else (0.0, 0.0)
        for left, right in (left_out, right_out):
            if right - left > 1.0:
                painter.fillRect(QRectF(left, middle - 4.0, right - left, 8.0), QColor(self._theme.side))
                painter.setPen(dots)
                painter.drawLine(QPointF(left + 1.0, middle), QPointF(right - 1.0, middle))
