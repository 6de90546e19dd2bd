"""Dialogs: open, export, help, about."""

import os
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QStandardPaths, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QFrame, QTextBrowser, QVBoxLayout

from attnsim.figures.moment import moment
from attnsim.gui import tips
from attnsim.gui.actions import shortcuts_text
from attnsim.gui.theme import font, strong
from attnsim.version import __version__
from attnsim.words import _

if TYPE_CHECKING:
    from attnsim.gui.window import MainWindow


def _folder() -> str:
    return QSettings().value("folder", str(Path.home()), type=str)


def export_folder() -> Path:
    """Return the folder of the last export, or the user's documents or home; always one that can be written to."""
    places = (
        QSettings().value("export_folder", "", type=str),
        QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation),
    )
    for place in places:
        if place and Path(place).is_dir() and os.access(place, os.W_OK):
            return Path(place)
    return Path.home()


def ask_open(window: "MainWindow") -> None:
    """Let the user choose a file of vectors."""
    from attnsim.files.readers import READERS  # like the other rooms here: the window's start does not wait for them

    known = " ".join(f"*{ending}" for ending in READERS)
    words = _("Queries and keys ({endings})").format(endings=known)
    paths, _filter = QFileDialog.getOpenFileNames(window, _("Open vectors"), _folder(), words)
    if paths:
        QSettings().setValue("folder", str(Path(paths[0]).parent))
        window.session.open(*paths)


def ask_export(window: "MainWindow") -> None:
    """Let the user choose where this moment is written."""
    from attnsim.files.writers import WRITERS

    if window.session.frame is None:
        window.messages.tell(_("There is nothing to export yet: the first draw is still on its way."))
        return
    filters = ";;".join(f"{ending[1:].upper()} (*{ending})" for ending in WRITERS)
    start = str(export_folder() / suggested_name(window))
    path, chosen = QFileDialog.getSaveFileName(window, _("Export this moment"), start, filters)
    if path:
        if not Path(path).suffix:
            path += "." + chosen.split()[0].lower()
        export(window, path)


def suggested_name(window: "MainWindow") -> str:
    """Return a file name that says what is shown."""
    result, lab = window.session.frame.result, window.session.lab
    if result.experiment != "walk":
        return f"attnsim-{lab.key}-seed{result.scenario.seed}.png"
    step = moment(result, window.session.view).step
    if result.vectors is None:
        return f"attnsim-d{step}-seed{result.scenario.seed}.png"
    at = result.vectors
    parts = (at.title, at.current.name, f"head{at.head}", f"row{at.row}", f"d{step}")
    words = (re.sub(r"[^\w.]+", "-", part).strip("-.")[:60] for part in parts)
    return "-".join(word for word in words if word) + ".png"


def export(window: "MainWindow", path: str) -> None:
    """Write what is on screen, in the worker's queue; what changes meanwhile does not change the file."""
    from attnsim import api

    result, view, lab = window.session.frame.result, window.session.view, window.session.lab.key
    name, folder = Path(path).name, Path(path).absolute().parent
    if not folder.is_dir():
        window.messages.warn(
            _("{name} cannot be written: the folder {folder} does not exist").format(name=name, folder=folder)
        )
        return
    QSettings().setValue("export_folder", str(folder))
    window.messages.tell(_("Writing {name}…").format(name=name))
    window.session.run_task(
        lambda: api.save(result, path, view, lab=lab),
        lambda _path: window.messages.tell(_("{name} is written").format(name=name)),
    )


def _show(window: "MainWindow", title: str, text: str, size: tuple[int, int]) -> QDialog:
    dialog = QDialog(window)
    dialog.setWindowTitle(title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    words = QTextBrowser()
    words.setObjectName("help")
    words.setAccessibleName(title)
    words.setFrameShape(QFrame.Shape.NoFrame)
    words.document().setDefaultFont(font(13))
    words.setHtml(text)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    close = buttons.button(QDialogButtonBox.StandardButton.Close)
    close.setText(_("Close"))
    close.setAccessibleName(_("Close"))
    close.setIcon(QIcon())  # the style's own is black in both themes
    buttons.rejected.connect(dialog.reject)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(20, 16, 12, 14)
    layout.setSpacing(12)
    layout.addWidget(words)
    layout.addWidget(buttons)
    dialog.resize(min(size[0], window.width() - 40), min(size[1], window.height() - 80))
    dialog.open()
    return dialog


def show_help(window: "MainWindow") -> QDialog:
    """Show how to read the picture, and every shortcut."""
    headings = [
        f"<p style='font-size:16px'>{strong(escape(words))}</p>"
        for words in (_("How to read the picture"), _("Shortcuts"))
    ]
    text = f"{headings[0]}{tips.reading()}{headings[1]}{shortcuts_text()}"
    return _show(window, _("How to read the picture, shortcuts"), text, (620, 720))


def show_about(window: "MainWindow") -> QDialog:
    """Show the version and the licences."""
    text = _("One draw through walk, scores and softmax: why attention divides by the square root of d.")
    licences = _("Apache License 2.0. The font Inter is under the SIL Open Font License, Qt under the LGPL 3.")
    name = f"<p style='font-size:17px'>{strong(f'attnsim {__version__}')}</p>"
    return _show(window, _("About attnsim"), f"{name}<p>{text}</p><p>{licences}</p>", (460, 260))
