"""One sentence over the lower edge of the panels, which the user can put away."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from attnsim.gui.theme import Theme, icon
from attnsim.words import _

NEWS_MILLISECONDS = 8_000
MARGIN = 16


class MessageBar(QFrame):
    """Floats over its parent, so that a message moves nothing."""

    def __init__(self, parent: QWidget, above: QWidget) -> None:
        super().__init__(parent)
        self._above = above  # what a message must not hide, nor anything below it
        self.setObjectName("messages")
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.action = QPushButton()
        self.action.hide()
        self._answer: Callable[[], None] | None = None
        self._refused: Callable[[], None] | None = None
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
        self, sentence: str, words: str, answer: Callable[[], None], refused: Callable[[], None] | None = None
    ) -> None:
        """Show an offer with one button, until it is taken or put away; `refused` is called then."""
        self._timer.stop()
        self._show(sentence, "plain")
        self._answer, self._refused = answer, refused
        self.action.setText(words)
        self.action.setAccessibleName(words)
        self.action.show()
        self._place()

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
        self._answer, self._refused = None, None
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
        text += 0 if self.action.isHidden() else self.action.sizeHint().width() + 10
        width = min(width, max(280, text))
        height = self.layout().heightForWidth(width) if self.layout().hasHeightForWidth() else self.sizeHint().height()
        self.setGeometry((parent.width() - width) // 2, self._above.y() - height - MARGIN, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the lower edge."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self.close_button.setIcon(icon("close", theme.muted, 16))
