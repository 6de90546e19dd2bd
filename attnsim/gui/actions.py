"""Menus and shortcuts: everything the window can do, by keyboard too."""

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence

from attnsim.gui.theme import strong
from attnsim.words import _, mark

if TYPE_CHECKING:
    from attnsim.gui.window import MainWindow

# (menu, name, words, shortcut, checkable); a name of None is a line between groups
ENTRIES = (
    (mark("File"), "new", mark("New"), "Ctrl+N", False),
    (mark("File"), "open", mark("Open…"), "Ctrl+O", False),
    (mark("File"), "open_link", mark("Open a link…"), "Ctrl+Shift+O", False),
    (mark("File"), "random", mark("Back to random vectors"), "", False),
    (mark("File"), None, "", "", False),
    (mark("File"), "save", mark("Save session"), "Ctrl+S", False),
    (mark("File"), "save_as", mark("Save session as…"), "Ctrl+Shift+S", False),
    (mark("File"), "keep_preset", mark("Save as a preset…"), "", False),
    (mark("File"), "teach", mark("Prepare for a class…"), "", False),
    (mark("File"), None, "", "", False),
    (mark("File"), "export", mark("Export…"), "Ctrl+E", False),
    (mark("File"), None, "", "", False),
    (mark("File"), "quit", mark("Quit"), "Ctrl+Q", False),
    (mark("Edit"), "undo", mark("Undo"), "Ctrl+Z", False),
    (mark("Edit"), "redo", mark("Redo"), "Ctrl+Y", False),
    (mark("Edit"), None, "", "", False),
    (mark("Edit"), "copy_link", mark("Copy link text"), "Ctrl+Shift+C", False),
    (mark("Edit"), "copy_picture", mark("Copy picture"), "Ctrl+Shift+P", False),
    (mark("Edit"), "copy_data", mark("Copy data"), "Ctrl+Shift+D", False),
    (mark("Edit"), "copy_python", mark("Copy as Python"), "", False),
    (mark("Edit"), "copy_command", mark("Copy as command"), "", False),
    (mark("Edit"), None, "", "", False),
    (mark("Edit"), "seed", mark("New seed"), "R", False),
    (mark("Edit"), "defaults", mark("Back to the first settings"), "", False),
    (mark("Edit"), "pin", mark("Keep this as A beside what changes"), "P", True),
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
    (mark("Help"), "help", mark("How to read the picture, shortcuts"), "F1", False),
    (mark("Help"), "lessons", mark("Lessons"), "F2", True),
    (mark("Help"), "lesson_next", mark("Next step of the lesson"), "Alt+Right", False),
    (mark("Help"), "lesson_back", mark("Step before in the lesson"), "Alt+Left", False),
    (mark("Help"), None, "", "", False),
    (mark("Help"), "what", mark("What is this?"), "Shift+F1", False),
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
    keys = [
        (shortcut, _(words).rstrip("…")) for _menu, name, words, shortcut, _checkable in ENTRIES if name and shortcut
    ]
    mouse = (
        (_("Hover"), _("exact numbers of the nearest key, marked in all panels")),
        (_("Click"), _("keep the mark, or take it off; up to six keys")),
        (_("Wheel, drag"), _("zoom and move a plot; double click goes back")),
        (_("Drop a file"), _("open its vectors")),
        (_("Enter, Esc in a field"), _("take the number, or leave it as it was; the shortcuts work again")),
    )
    cell = "<td style='padding:2px 18px 2px 0'>"
    rows = "".join(f"<tr>{cell}{strong(escape(a))}</td>{cell}{escape(b)}</td></tr>" for a, b in (*keys, *mouse))
    return f"<table>{rows}</table>"
