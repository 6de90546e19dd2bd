"""A dot for each step of a lesson: done, here, to come."""

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnsim.gui.theme import LIGHT, Theme

RADIUS, APART = 4.0, 14


class StepDots(QWidget):
    """Shows a place; the words beside it say the same."""

    def __init__(self) -> None:
        super().__init__()
        self._count, self._here = 1, 0
        self._theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_place(self, count: int, here: int) -> None:
        """Show that of `count` steps the one numbered `here` from 0 is read; `count` itself is the end."""
        self._count, self._here = count, here
        self.updateGeometry()
        self.update()

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Return the room of all dots."""
        return QSize(APART * self._count, round(2 * RADIUS) + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the dots."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for step in range(self._count):
            center = QPointF(APART * (step + 0.5), self.height() / 2)
            reached = QColor(self._theme.accent if step <= self._here else self._theme.track)
            painter.setPen(QPen(reached, 1.5))
            painter.setBrush(reached if step < self._here else Qt.BrushStyle.NoBrush)
            painter.drawEllipse(center, RADIUS, RADIUS)
            if step == self._here:
                painter.setBrush(reached)
                painter.drawEllipse(center, RADIUS / 2, RADIUS / 2)
