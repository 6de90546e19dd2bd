"""What a right click on a card offers."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QWhatsThis

from attnsim.gui import export_dialog, sharing
from attnsim.gui.panel import FigurePanel
from attnsim.words import _

if TYPE_CHECKING:
    from attnsim.gui.window import MainWindow


def card_menu(window: "MainWindow", panel: FigurePanel) -> QMenu:
    """Return the menu of a card."""
    menu = QMenu(window)
    menu.addAction(_("Export this figure…"), lambda: export_dialog.ask_export(window, panel.key))
    menu.addAction(_("Copy picture"), lambda: sharing.copy_picture(window, panel))
    menu.addAction(_("Copy data"), lambda: sharing.copy_data(window, panel))
    menu.addAction(_("Copy as Python"), lambda: sharing.copy_python(window, panel.key))
    menu.addAction(_("Copy as command"), lambda: sharing.copy_command(window, panel.key))
    menu.addSeparator()
    menu.addAction(_("Back to full view"), lambda: [view.reset_zoom() for view in panel.views])
    menu.addAction(_("Hide this figure"), lambda: window.sidebar.labs.menu.show_figure(panel.key, False))
    if panel.whatsThis():
        place = panel.mapToGlobal(panel.rect().center())
        menu.addAction(_("How to read it"), lambda: QWhatsThis.showText(place, panel.whatsThis(), panel))
    return menu


def pop_up(window: "MainWindow", panel: FigurePanel, place: QPoint) -> None:
    """Show the menu of a card at a place of the screen."""
    menu = card_menu(window, panel)
    menu.aboutToHide.connect(menu.deleteLater)
    menu.popup(place)
