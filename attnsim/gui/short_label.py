"""A line of live text that moves nothing."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy


class ShortLabel(QLabel):
    """A line of text that is cut when space is short, and may change with every frame.

    `QLabel.setText` asks all layouts up to the window to think again, which costs more than the text.
    """

    def __init__(self, name: str, alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft, least: int = 1) -> None:
        super().__init__()
        self._least = least  # fewer letters than these say nothing, and are left out
        self.setObjectName(name)
        self.setAlignment(alignment | Qt.AlignmentFlag.AlignVCenter)
        self.setMinimumWidth(0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._words = ""

    def say(self, text: str) -> None:
        """Show a text; the same text again costs nothing."""
        if text != self._words:
            self._words = text
            self.setAccessibleName(text)
            self.update()

    def text(self) -> str:
        """Return what is shown."""
        return self._words

    def sizeHint(self) -> QSize:
        """Return one line's height; the width is what there is."""
        return QSize(self.minimumWidth(), self.fontMetrics().height() + 2)

    def minimumSizeHint(self) -> QSize:
        """Return one line's height."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Write as much as fits, with an ellipsis; the whole is in the tool tip then."""
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self.palette().color(self.foregroundRole()))
        shown = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, self.width())
        if shown != self._words and len(shown) <= self._least:
            shown = ""
        painter.drawText(self.rect(), int(self.alignment()), shown)
        tip = self._words if shown != self._words else ""
        if self.toolTip() != tip:
            self.setToolTip(tip)
