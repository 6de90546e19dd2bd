"""Dialogs: open, export, help, about."""

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFrame, QTextBrowser, QVBoxLayout

from attnsim.files.resources import resource
from attnsim.gui import tips
from attnsim.gui.actions import shortcuts_text
from attnsim.gui.theme import font, strong
from attnsim.version import __version__
from attnsim.words import _

if TYPE_CHECKING:
    from attnsim.gui.window import MainWindow


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
    words.setOpenExternalLinks(True)
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
    lab = window.session.lab
    figures = [panel.figure for panel in window.panels if panel.figure is not None]
    read = tips.reading() if lab.key == "walk" else tips.lab_reading(lab, figures)
    text = f"{headings[0]}{read}{headings[1]}{shortcuts_text()}"
    return _show(window, _("How to read the picture, shortcuts"), text, (620, 720))


def show_about(window: "MainWindow") -> QDialog:
    """Show the version, and whose work is inside under which licence."""
    text = _("One draw through walk, scores and softmax: why attention divides by the square root of d.")
    name = f"<p style='font-size:17px'>{strong(f'attnsim {__version__}')}</p>"
    return _show(window, _("About attnsim"), f"{name}<p>{text}</p>{_notice()}", (620, 560))


def _notice() -> str:
    """Return the notice of the licences, which is law and therefore not translated; a paragraph each."""
    place = resource("licences/NOTICE.txt")
    paragraphs = place.read_text(encoding="utf-8").strip().split("\n\n")
    made = "".join(f"<p>{escape(part).replace(chr(10), _break(part))}</p>" for part in paragraphs)
    full = place.with_name("third-party.txt")
    if full.exists():
        made += f"<p><a href='{full.as_uri()}'>{escape(_('All licences in full'))}</a></p>"
    return made


def _break(paragraph: str) -> str:
    """Return how the lines of a paragraph follow each other: a list keeps its lines, words flow."""
    lines = paragraph.split("\n")
    return "<br>" if len(lines) > 1 and all(": " in line for line in lines) else " "
