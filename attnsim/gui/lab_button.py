"""Which lab is on screen, and the list of all with their figures."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from attnsim.gui.session import Session
from attnsim.gui.theme import Theme, icon
from attnsim.labs import LABS
from attnsim.words import _

MOST_DIGITS = 9  # labs with a shortcut of their own


class LabMenu(QMenu):
    """All labs, and under them the figures of the one on screen: a tick shows or hides each.

    The window puts one into its menu bar, the button in the sidebar opens another.
    """

    def __init__(self, session: Session, parent: QWidget, shortcuts: bool = False) -> None:
        super().__init__(_("Labs"), parent)
        self.session = session
        self._group = QActionGroup(self)
        self.labs: dict[str, QAction] = {}
        for number, lab in enumerate(LABS.values(), start=1):
            action = QAction(_(lab.title), self)
            action.setCheckable(True)
            action.setToolTip(_(lab.lesson))
            if shortcuts and number <= MOST_DIGITS:
                action.setShortcut(QKeySequence(f"Ctrl+{number}"))
            action.triggered.connect(lambda _on=False, key=lab.key: session.go_to(key))
            self._group.addAction(action)
            self.addAction(action)
            self.labs[lab.key] = action
        self.addSection(_("Figures"))
        self.figures: dict[str, QAction] = {}
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self.fill)
        session.lab_changed.connect(self.fill)
        self.fill()

    def fill(self, *_ignored: object) -> None:
        """List the figures of the lab on screen."""
        lab = self.session.lab
        self.labs[lab.key].setChecked(True)
        for action in self.figures.values():
            self.removeAction(action)
        shown, titles = lab.visible(self.session.view.figures), dict(lab.figure_titles)
        self.figures = {}
        for key in lab.figures:
            action = QAction(_(titles[key]), self)
            action.setCheckable(True)
            action.setChecked(key in shown)
            action.triggered.connect(lambda on, key=key: self.show_figure(key, on))
            self.addAction(action)
            self.figures[key] = action

    def show_figure(self, key: str, on: bool) -> None:
        """Show or hide a figure of the lab; the last one stays, and of more than six the first gives way."""
        lab = self.session.lab
        shown = [each for each in lab.visible(self.session.view.figures) if each != key]
        if on:
            shown = [*shown[-(MOST_FIGURES - 1) :], key]
        if not shown:
            self.session.announced.emit(_("One figure has to stay"))
            return
        others = tuple(each for each in self.session.view.figures if each not in lab.figures)
        self.session.look(figures=(*others, *(each for each in lab.figures if each in shown)))


MOST_FIGURES = 6


class LabButton(QWidget):
    """The name of the lab on screen; a press lists the others."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.button = QToolButton()
        self.button.setObjectName("lab")
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the words
        self.button.setIconSize(QSize(14, 14))
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.menu = LabMenu(session, self.button)
        self.button.setMenu(self.menu)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 16, 4)
        row.addWidget(self.button)
        row.addStretch(1)
        session.lab_changed.connect(self.show_lab)
        self.show_lab(session.lab)

    def show_lab(self, lab: object) -> None:
        """Name the lab."""
        self.button.setText(_(lab.title))
        self.button.setAccessibleName(_("Lab: {title}").format(title=_(lab.title)))
        self.button.setToolTip(_("All labs and their figures (Ctrl+1, Ctrl+2, …)"))

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self.button.setIcon(icon("down", theme.muted))
