"""One sentence over the lower edge of the panels, which the user can put away."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from attnsim.gui.theme import Theme, icon
from attnsim.words import _

NEWS_MILLISECONDS = 8_000
MARGIN = 16


class MessageBar(QFrame):
    """Floats over its parent, so that news move nothing; what waits for an answer is given room of its own."""

    def __init__(self, parent: QWidget, *above: QWidget) -> None:
        super().__init__(parent)
        self._above = above  # the first of these that is shown must not be hidden, nor anything below it
        self.setObjectName("messages")
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.action = QPushButton()
        self.action.hide()
        self._answer: Callable[[], None] | None = None
        self._refused: Callable[[], None] | None = None
        self._passing = False
        self.room = QWidget()  # stands over `above` in the layout: an offer that stays must not hide axes for long
        self.room.hide()
        self.action.clicked.connect(self._take)
        self.close_button = QToolButton()
        self.close_button.setAccessibleName(_("Put the message away"))
        self.close_button.setIconSize(QSize(16, 16))
        self.close_button.clicked.connect(self._put_away)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 8, 8)
        row.addWidget(self.label, 1)
        row.addWidget(self.action, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        self.room.installEventFilter(self)
        parent.installEventFilter(self)
        self.hide()

    def tell(self, sentence: str, long: bool = False) -> None:
        """Show news, for a while; a long text for three times as long."""
        self._show(sentence, "plain")
        self._timer.start(NEWS_MILLISECONDS * (3 if long else 1))

    def warn(self, sentence: str) -> None:
        """Show what went wrong, until it is put away."""
        self._timer.stop()
        self._show(sentence, "bad")

    def ask(
        self,
        sentence: str,
        words: str,
        answer: Callable[[], None],
        refused: Callable[[], None] | None = None,
        passing: bool = False,
    ) -> None:
        """Show an offer with one button, until it is taken or put away; `refused` is called then.

        One that is `passing` speaks of what is on screen: `pass_by` takes it away, and it gives way to one that is not.
        """
        if passing and self.asking and not self._passing:
            return
        self._timer.stop()
        self._show(sentence, "plain")
        self._answer, self._refused, self._passing = answer, refused, passing
        self.action.setText(words)
        self.action.setAccessibleName(words)
        self.action.show()
        self._place()
        self.room.setFixedHeight(self.height())
        self.room.show()
        self._place()

    @property
    def asking(self) -> bool:
        """Whether an offer waits for its answer."""
        return self.isVisible() and self._answer is not None

    def pass_by(self) -> None:
        """Take away an offer that spoke of what is no longer on screen."""
        if self.asking and self._passing:
            self.hide()

    def _take(self) -> None:
        answer = self._answer
        self.hide()
        if answer is not None:
            answer()

    def _put_away(self) -> None:
        refused = self._refused
        self.hide()
        if refused is not None:
            refused()

    def _show(self, sentence: str, tone: str) -> None:
        self._answer, self._refused, self._passing = None, None, False
        self.room.hide()
        self.action.hide()
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            for part in (self, self.label):
                part.style().unpolish(part)
                part.style().polish(part)
        self.label.setText(sentence)
        self.setAccessibleName(sentence)
        self.show()
        self._place()
        self.raise_()

    def _place(self) -> None:
        parent = self.parentWidget()
        width = min(760, parent.width() - 2 * MARGIN)
        text = self.label.fontMetrics().horizontalAdvance(self.label.text()) + 90
        text += 0 if self.action.isHidden() else self.action.sizeHint().width() + 34
        width = min(width, max(280, text))
        height = self.layout().heightForWidth(width) if self.layout().hasHeightForWidth() else self.sizeHint().height()
        edge = next((each.y() for each in self._above if not each.isHidden()), parent.height()) - MARGIN
        top = edge - height if self.room.isHidden() else self.room.y()
        self.setGeometry((parent.width() - width) // 2, top, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the lower edge."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show) and self.isVisible():
            self._place()
        return False

    def hideEvent(self, event: QHideEvent) -> None:
        """Give the room back."""
        self.room.hide()
        super().hideEvent(event)

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self.close_button.setIcon(icon("close", theme.muted, 16))
