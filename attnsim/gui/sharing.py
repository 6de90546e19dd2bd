"""Copying: a link, a script, a command, the picture, the data."""

import csv
import io
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QImage

from attnsim.gui.panel import FigurePanel
from attnsim.words import _

if TYPE_CHECKING:
    from attnsim.gui.window import MainWindow

PICTURE_DPI = 200.0


def copy_link(window: "MainWindow") -> None:
    """Copy all that is on screen as one line."""
    from attnsim.files.link import to_link

    _copy(
        window,
        to_link(window.documents.state()),
        _("The link is copied: paste it into a chat, or open it (Ctrl+Shift+O)"),
    )


def copy_python(window: "MainWindow", figure: str | None = None) -> None:
    """Copy a script that makes the figures again."""
    from attnsim.files.script import to_python

    _copy(window, to_python(window.documents.state(), figure), _("A script that makes these figures is copied"))


def copy_command(window: "MainWindow", figure: str | None = None) -> None:
    """Copy a command that makes the figures again."""
    from attnsim.files.script import to_command

    _copy(window, to_command(window.documents.state(), figure), _("A command that makes these figures is copied"))


def _copy(window: "MainWindow", text: str, said: str) -> None:
    QGuiApplication.clipboard().setText(text)
    window.messages.tell(said)


def copy_picture(window: "MainWindow", panel: FigurePanel | None = None) -> None:
    """Copy what a file would hold, drawn in the worker: sharper than the screen, and light on paper."""
    from attnsim import api

    frame = window.session.frame
    if frame is None:
        window.messages.tell(_("There is nothing to copy yet: the first draw is still on its way."))
        return
    view, lab, result = window.session.view, window.session.lab.key, frame.result
    figures = () if panel is None else (panel.key,)

    def job() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "copy.png"
            api.save(result, path, view, figures=figures, lab=lab, dpi=PICTURE_DPI)
            return path.read_bytes()

    def done(content: bytes) -> None:
        image = QImage.fromData(content)
        data = QMimeData()
        data.setImageData(image)
        QGuiApplication.clipboard().setMimeData(data)
        window.messages.tell(_("The picture is copied"))

    window.exports.run(job, done)


def copy_data(window: "MainWindow", panel: FigurePanel | None = None) -> None:
    """Copy the numbers behind the figures as a table with tabs, which spreadsheets take."""
    from attnsim.files.writers.csv import write

    panels = window.panels if panel is None else [panel]
    figures = [each.figure for each in panels if each.figure is not None]
    if not figures:
        window.messages.tell(_("There is nothing to copy yet: the first draw is still on its way."))
        return
    stream, tabs = io.BytesIO(), io.StringIO(newline="")
    write(figures, stream, {})
    lines = [line for line in stream.getvalue().decode().splitlines() if not line.startswith("#")]
    csv.writer(tabs, dialect="excel-tab").writerows(csv.reader(lines))
    _copy(window, tabs.getvalue(), _("The numbers are copied"))


__all__ = ["copy_command", "copy_data", "copy_link", "copy_picture", "copy_python"]
