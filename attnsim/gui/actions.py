"""Menus and shortcuts: everything the window can do, by keyboard too."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QSlider, QWidget

from attnsim.words import _, mark

if TYPE_CHECKING:
    from attnsim.gui.window import MainWindow

# (menu, name, words, shortcut, checkable); a name of None is a line between groups
ENTRIES = (
    (mark("File"), "open", mark("Open vectors…"), "Ctrl+O", False),
    (mark("File"), "random", mark("Back to random vectors"), "", False),
    (mark("File"), None, "", "", False),
    (mark("File"), "export", mark("Export…"), "Ctrl+E", False),
    (mark("File"), None, "", "", False),
    (mark("File"), "quit", mark("Quit"), "Ctrl+Q", False),
    (mark("Edit"), "undo", mark("Undo"), "Ctrl+Z", False),
    (mark("Edit"), "redo", mark("Redo"), "Ctrl+Y", False),
    (mark("Edit"), None, "", "", False),
    (mark("Edit"), "seed", mark("New seed"), "R", False),
    (mark("Edit"), "defaults", mark("Back to the first settings"), "", False),
    (mark("Edit"), "unpin", mark("Take all marks off keys"), "Esc", False),
    (mark("View"), "why", mark("Why? The derivation with these numbers"), "W", True),
    (mark("View"), "dark", mark("Dark"), "D", True),
    (mark("View"), "log_weights", mark("Weights on a logarithmic axis"), "L", True),
    (mark("View"), "bits", mark("Entropy in bits"), "B", True),
    (mark("View"), "zoom", mark("Back to full view"), "Z", False),
    (mark("View"), None, "", "", False),
    (mark("View"), "full_screen", mark("Full screen"), "F11", True),
    (mark("Play"), "play", mark("Play or pause"), "Space", False),
    (mark("Play"), "forward", mark("Step forward"), "Right", False),
    (mark("Play"), "back", mark("Step back"), "Left", False),
    (mark("Play"), "start", mark("To the start"), "Home", False),
    (mark("Play"), "end", mark("To the end"), "End", False),
    (mark("Help"), "help", mark("Shortcuts and help"), "F1", False),
    (mark("Help"), "about", mark("About attnsim"), "", False),
)


def build(window: "MainWindow", handlers: dict[str, Callable]) -> dict[str, QAction]:
    """Fill the menu bar and return the actions by name."""
    actions: dict[str, QAction] = {}
    menus: dict[str, object] = {}
    for menu, name, words, shortcut, checkable in ENTRIES:
        if menu not in menus:
            menus[menu] = window.menuBar().addMenu(_(menu))
        if name is None:
            menus[menu].addSeparator()
            continue
        action = QAction(_(words), window)
        action.setCheckable(checkable)
        if shortcut:
            action.setShortcut(QKeySequence(shortcut))
        action.triggered.connect(handlers[name])
        menus[menu].addAction(action)
        actions[name] = action
    return actions


def shortcuts_text() -> str:
    """Return a table of all shortcuts, in rich text."""
    rows = "".join(
        f"<tr><td style='padding:2px 18px 2px 0'><b>{shortcut}</b></td><td>{_(words).rstrip('…')}</td></tr>"
        for _menu, name, words, shortcut, _checkable in ENTRIES
        if name and shortcut
    )
    mouse = (
        (_("Hover"), _("exact numbers of the nearest key, marked in all panels")),
        (_("Click"), _("keep the mark, or take it off; up to six keys")),
        (_("Wheel, drag"), _("zoom and move a plot; double click goes back")),
        (_("Drop a file"), _("open its vectors")),
    )
    rows += "".join(f"<tr><td style='padding:2px 18px 2px 0'><b>{a}</b></td><td>{b}</td></tr>" for a, b in mouse)
    return f"<table>{rows}</table>"


class KeyKeeper(QObject):
    """Lets a focused control keep the keys it needs, which are also shortcuts of the window.

    It watches the controls alone: as a filter of the application it would be asked of every event of every frame.
    """

    def watch(self, window: QWidget) -> None:
        """Watch all controls of a window."""
        for kind in (QSlider, QAbstractSpinBox, QLineEdit, QComboBox, QAbstractButton):
            for control in window.findChildren(kind):
                control.removeEventFilter(self)
                control.installEventFilter(self)

    SLIDING = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accept the override of a shortcut where the control has a use for its key."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if isinstance(watched, QSlider | QAbstractSpinBox | QLineEdit | QComboBox) and event.key() in self.SLIDING:
                event.accept()
                return True
            pressed_by_space = isinstance(watched, QAbstractButton | QComboBox)
            if pressed_by_space and event.key() == Qt.Key.Key_Space and not event.modifiers():
                event.accept()
                return True
        return False
