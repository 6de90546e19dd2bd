"""The answers that a reader may predict, one of which is right."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QRadioButton, QVBoxLayout, QWidget

from attnsim.files.lessons import Choice
from attnsim.gui.lesson_words import plain, rich
from attnsim.gui.theme import Theme
from attnsim.words import _


class Words(QLabel):
    """Words of a choice, on as many lines as they need: a radio button's own would be cut. A click chooses it."""

    def __init__(self, button: QRadioButton) -> None:
        super().__init__()
        self._button = button
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose."""
        self._button.click()


class Prediction(QWidget):
    """Asks, and after the answer shows what was right."""

    picked = Signal()

    def __init__(self, choices: tuple[Choice, ...]) -> None:
        super().__init__()
        self.choices = choices
        self.group = QButtonGroup(self)
        self.words: list[Words] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 6)
        column.setSpacing(4)
        for number, choice in enumerate(choices):
            button = QRadioButton()
            button.setAccessibleName(plain(choice.text))
            self.group.addButton(button, number)
            words = Words(button)
            row = QHBoxLayout()
            row.setSpacing(6)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(words, 1)
            column.addLayout(row)
            self.words.append(words)
        self.group.idClicked.connect(lambda _number: self.picked.emit())

    @property
    def choice(self) -> int | None:
        """The number of the choice that is picked."""
        number = self.group.checkedId()
        return None if number < 0 else number

    def show_answer(self, asks: bool, predicted: int | None, theme: Theme) -> None:
        """Show the choices, and once it is answered which of them is right and which was predicted."""
        for number, (choice, words) in enumerate(zip(self.choices, self.words, strict=True)):
            button = self.group.button(number)
            button.setEnabled(asks)
            if number == predicted:
                button.setChecked(True)
            sign, name = "", plain(choice.text)
            if not asks and choice.right:
                sign, name = f"<span style='color:{theme.good}'>✓</span> ", _("right: {words}").format(words=name)
            elif not asks and number == predicted:
                sign, name = f"<span style='color:{theme.bad}'>✗</span> ", _("not so: {words}").format(words=name)
            button.setAccessibleName(name)
            text = rich(choice.text, theme)
            words.setText(text.replace("line-height:125%'>", f"line-height:125%'>{sign}", 1))
