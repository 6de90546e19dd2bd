"""The line over the panels: the sentence with the live numbers, and the buttons beside it."""

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from attnsim.gui import tips
from attnsim.gui.short_label import ShortLabel
from attnsim.gui.theme import LIGHT, Theme, font, icon
from attnsim.words import _

BESIDE = 14
DIGITS = 24  # room that live numbers may still take
SENTENCE_PIXELS = (18, 16, 14)
HEIGHT = 46  # of two lines, so that the panels stay where they are


class ProgressLine(QWidget):
    """Two pixels that fill while a result gets better, and are empty once it is complete."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(2)
        self._share = 1.0
        self._theme = LIGHT
        self._late = QTimer(self)  # work of a few milliseconds must not make the line flash
        self._late.setSingleShot(True)
        self._late.setInterval(150)
        self._late.timeout.connect(self.update)

    def show_share(self, share: float) -> None:
        """Show how much is done; 1 hides the line."""
        before, self._share = self._share, share
        if share >= 1.0:
            self._late.stop()
            if before < 1.0:
                self.update()
        elif before >= 1.0:
            self._late.start()
        elif not self._late.isActive():
            self.update()

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the share that is done."""
        if self._share < 1.0 and not self._late.isActive():
            painter = QPainter(self)
            painter.fillRect(self.rect(), QColor(self._theme.track))
            painter.fillRect(QRectF(0, 0, self.width() * max(self._share, 0.02), 2), QColor(self._theme.accent))


class Header(QWidget):
    """Sentence, numbers, buttons."""

    def __init__(self) -> None:
        super().__init__()
        self.title = QLabel()
        self.title.setObjectName("headline")
        self.title.setMinimumWidth(1)  # a long sentence must not widen the window
        self._sentence, self._size = "", SENTENCE_PIXELS[0]
        self.detail = ShortLabel("detail")
        self.open = self._button(_("Open vectors"), tips.OPEN)
        self.lessons = self._button(_("Lessons"), tips.LESSONS)
        self.lessons.setCheckable(True)
        self.help = self._button(_("How to read the picture, shortcuts"), tips.HELP)
        self.theme = self._button(_("Light or dark"), tips.THEME)
        self.why = QPushButton(_("Why?"))
        self.why.setCheckable(True)
        self.why.setAccessibleName(_("Why?"))
        self.why.setToolTip(_("The derivation with these numbers (W)"))
        self.export = QPushButton(_("Export"))
        self.export.setObjectName("export")
        self.export.setAccessibleName(_("Export"))
        self.export.setToolTip(tips.wrapped(tips.EXPORT))
        self.progress = ProgressLine()
        self._words = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._words.setSpacing(BESIDE)
        self._words.addWidget(self.title)
        self._words.addWidget(self.detail, 1)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addLayout(self._words, 1)
        for button in (self.why, self.lessons, self.open, self.help, self.theme, self.export):
            row.addWidget(button)
        holder = QWidget()
        holder.setFixedHeight(HEIGHT)
        row.setContentsMargins(0, 0, 0, 0)
        holder.setLayout(row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(holder)
        column.addWidget(self.progress)

    @staticmethod
    def _button(name: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setIconSize(QSize(20, 20))
        button.setAccessibleName(name)
        button.setToolTip(tips.wrapped(tip))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def say(self, title: str, detail: str) -> None:
        """Show the sentence and its numbers."""
        longer = len(detail) > len(self.detail.text())
        self.detail.say(detail)
        if self._sentence != title:
            self._sentence = title
            self._arrange()
        elif longer:
            self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find room for the words again."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Put the numbers beside the sentence, or under it where they would be cut; a long sentence is smaller."""
        room = max(self._words.geometry().width(), 200)
        for size in SENTENCE_PIXELS:
            metrics = QFontMetrics(font(size, QFont.Weight.DemiBold))
            if metrics.horizontalAdvance(self._sentence) + 4 <= room:
                break
        if size != self._size:
            self._size = size
            self.title.setStyleSheet("" if size == SENTENCE_PIXELS[0] else f"font-size: {size}px;")
        shown = metrics.elidedText(self._sentence, Qt.TextElideMode.ElideRight, room - 4)
        if self.title.text() != shown:
            self.title.setText(shown)
            self.title.setToolTip(self._sentence if shown != self._sentence else "")
            self.title.setAccessibleName(self._sentence)
        needed = (
            self.title.sizeHint().width() + BESIDE + self.detail.fontMetrics().horizontalAdvance(self.detail.text())
        )
        under = needed + DIGITS > self._words.geometry().width()
        direction = QBoxLayout.Direction.TopToBottom if under else QBoxLayout.Direction.LeftToRight
        if self._words.direction() != direction:
            self._words.setDirection(direction)
            self._words.setSpacing(0 if under else BESIDE)

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self.open.setIcon(icon("open", theme.muted))
        self.lessons.setIcon(icon("lesson", theme.muted))
        self.help.setIcon(icon("help", theme.muted))
        self.theme.setIcon(icon("sun" if theme.dark else "moon", theme.muted))
        self.export.setIcon(icon("export", theme.text, 16))
        self.progress.dress(theme)
