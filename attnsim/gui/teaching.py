"""Prepare for a class: which controls students do not see, and which they see but cannot move."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
)

from attnsim.gui.field_words import CHOICE_TITLES, TITLES
from attnsim.gui.theme import font
from attnsim.words import _, mark

if TYPE_CHECKING:
    from attnsim.gui.window import MainWindow

OTHERS = {"seed": mark("Seed"), "scalings": mark("Scale rules")}


class TeachingDialog(QDialog):
    """Title, notes and two ticks for each control; the session file keeps them."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self.setWindowTitle(_("Prepare for a class"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        opened = window.documents.opened
        about = QLabel(
            _(
                "What you tick here goes into the session file: students who open it do not see the hidden controls "
                "and cannot move the locked ones."
            )
        )
        about.setWordWrap(True)
        self.title = QLineEdit(opened.title)
        self.title.setPlaceholderText(_("Title"))
        self.title.setAccessibleName(_("Title"))
        self.notes = QPlainTextEdit(opened.notes)
        self.notes.setPlaceholderText(_("Notes for your students"))
        self.notes.setAccessibleName(_("Notes for your students"))
        self.notes.setMaximumHeight(80)
        self.names = self._names(window)
        self.table = self._table(opened.hidden, opened.locked)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for part in (about, self.title, self.notes, self.table, buttons):
            layout.addWidget(part)
        self.resize(520, 620)

    @staticmethod
    def _names(window: "MainWindow") -> dict[str, str]:
        """Return the controls of the lab on screen, and what they are called."""
        page, own = window.sidebar.page, dict(window.session.lab.controls)
        known = {name: _(pair[1]) for name, pair in TITLES.items()} | {n: _(t) for n, t in CHOICE_TITLES.items()}
        known |= {name: _(control.name) for name, control in own.items()}
        known |= {name: _(title) for name, title in OTHERS.items()}
        there = ["seed", "scalings", *page.knobs, *page.choices]
        return {name: known.get(name, name) for name in there}

    def _table(self, hidden: tuple[str, ...], locked: tuple[str, ...]) -> QTableWidget:
        table = QTableWidget(len(self.names), 3)
        table.setHorizontalHeaderLabels([_("Control"), _("Hidden"), _("Locked")])
        table.verticalHeader().hide()
        table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.setAccessibleName(_("Controls"))
        table.setFont(font(13))
        for row, (name, title) in enumerate(self.names.items()):
            table.setItem(row, 0, QTableWidgetItem(title))
            table.item(row, 0).setFlags(Qt.ItemFlag.ItemIsEnabled)
            for column, chosen in ((1, hidden), (2, locked)):
                tick = QTableWidgetItem()
                tick.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable)
                tick.setCheckState(Qt.CheckState.Checked if name in chosen else Qt.CheckState.Unchecked)
                table.setItem(row, column, tick)
        return table

    def chosen(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return hidden and locked controls."""
        ticked = [
            tuple(
                name
                for row, name in enumerate(self.names)
                if self.table.item(row, column).checkState() == Qt.CheckState.Checked
            )
            for column in (1, 2)
        ]
        return ticked[0], ticked[1]


def prepare(window: "MainWindow") -> TeachingDialog:
    """Show the dialog; what is taken holds at once, and goes into the next session file."""
    dialog = TeachingDialog(window)

    def take() -> None:
        hidden, locked = dialog.chosen()
        window.documents.describe(dialog.title.text().strip(), dialog.notes.toPlainText().strip(), hidden, locked)
        window.messages.ask(
            _("This holds for whoever opens the session file."), _("Save session"), window.actions_["save"].trigger
        )

    dialog.accepted.connect(take)
    dialog.open()
    return dialog
