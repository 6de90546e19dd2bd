"""Dialogs: open, export, help, about."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QLabel, QVBoxLayout

from attnsim.gui.actions import shortcuts_text
from attnsim.version import __version__
from attnsim.words import _

if TYPE_CHECKING:
    from attnsim.gui.window import MainWindow


def _folder() -> str:
    return QSettings().value("folder", str(Path.home()), type=str)


def _remember(path: str) -> None:
    QSettings().setValue("folder", str(Path(path).parent))


def ask_open(window: "MainWindow") -> None:
    """Let the user choose a file of vectors."""
    from attnsim.files.readers import READERS  # like the other rooms here: the window's start does not wait for them

    known = " ".join(f"*{ending}" for ending in READERS)
    words = _("Queries and keys ({endings})").format(endings=known)
    paths, _filter = QFileDialog.getOpenFileNames(window, _("Open vectors"), _folder(), words)
    if paths:
        _remember(paths[0])
        window.session.open(*paths)


def ask_export(window: "MainWindow") -> None:
    """Let the user choose where this moment is written."""
    from attnsim.files.writers import WRITERS

    if window.session.frame is None:
        window.messages.tell(_("There is nothing to export yet: the first draw is still on its way."))
        return
    filters = ";;".join(f"{ending[1:].upper()} (*{ending})" for ending in WRITERS)
    start = str(Path(_folder()) / suggested_name(window))
    path, chosen = QFileDialog.getSaveFileName(window, _("Export this moment"), start, filters)
    if path:
        if not Path(path).suffix:
            path += "." + chosen.split()[0].lower()
        _remember(path)
        export(window, path)


def suggested_name(window: "MainWindow") -> str:
    """Return a file name that says what is shown."""
    session = window.session
    step = session.frame.result.row.dim if session.view.playhead is None else session.view.playhead
    return f"attnsim-d{step}-seed{session.scenario.seed}.png"


def export(window: "MainWindow", path: str) -> None:
    """Write what is on screen, in the worker's queue; what changes meanwhile does not change the file."""
    from attnsim import api

    result, view = window.session.frame.result, window.session.view
    name = Path(path).name
    window.messages.tell(_("Writing {name}…").format(name=name))
    window.session.run_task(
        lambda: api.save(result, path, view),
        lambda _path: window.messages.tell(_("{name} is written").format(name=name)),
    )


def _show(window: "MainWindow", title: str, text: str) -> None:
    dialog = QDialog(window)
    dialog.setWindowTitle(title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setWordWrap(True)
    label.setMinimumWidth(420)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    close = buttons.button(QDialogButtonBox.StandardButton.Close)
    close.setText(_("Close"))
    close.setAccessibleName(_("Close"))
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(22, 18, 22, 16)
    layout.setSpacing(14)
    layout.addWidget(label)
    layout.addWidget(buttons)
    dialog.open()


def show_help(window: "MainWindow") -> None:
    """Show what the picture means, and every shortcut."""
    meaning = _(
        "Each thin line is the running sum of q·k for one key. Where it ends is that key's score, and the softmax "
        "of the scores under each rule gives the weights. Playing grows the dimension of one and the same draw."
    )
    _show(window, _("Shortcuts and help"), f"<p>{meaning}</p>{shortcuts_text()}")


def show_about(window: "MainWindow") -> None:
    """Show the version and the licences."""
    text = _("One draw through walk, scores and softmax: why attention divides by the square root of d.")
    licences = _("Apache License 2.0. The font Inter is under the SIL Open Font License, Qt under the LGPL 3.")
    _show(window, _("About attnsim"), f"<h3>attnsim {__version__}</h3><p>{text}</p><p>{licences}</p>")
