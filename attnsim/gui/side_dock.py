"""What the panels beside the cards have in common: a title, a button to close, and a place of their own when narrow."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QLabel, QMainWindow, QToolButton, QWidget

from attnsim.gui.theme import LIGHT, Theme, icon

WIDTH = 400
HEIGHT = 640  # of a window of its own
LEAST_BESIDE = 1340  # width of the main window from which on a panel fits beside the plots


class SideDock(QDockWidget):
    """A dock at the right.

    Parameters
    ----------
    name : str
        Name for Qt.
    title : str
    closing : tuple of str
        Name and tool tip of the button that closes it.
    parent : QWidget
    """

    def __init__(self, name: str, title: str, closing: tuple[str, str], parent: QWidget) -> None:
        super().__init__(title, parent)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setAllowedAreas(Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea)
        self._theme = LIGHT
        self._shown_by: tuple[object, ...] = ()
        self._close = QToolButton()
        self._close.setAccessibleName(closing[0])
        self._close.setToolTip(closing[1])
        self._close.clicked.connect(self.close)
        self.setTitleBarWidget(self._title_bar(title))
        self.visibilityChanged.connect(lambda _on: self.note())

    def _title_bar(self, words: str) -> QWidget:
        """Return title and close button; Qt's own would be black on the dark theme."""
        bar, title = QWidget(), QLabel(words)
        bar.setObjectName("dockBar")
        title.setObjectName("cardTitle")
        row = QHBoxLayout(bar)
        row.setContentsMargins(16, 12, 10, 2)
        row.addWidget(title)
        row.addStretch(1)
        row.addWidget(self._close)
        return bar

    def stand_in(self, window: QMainWindow, *shown_by: object) -> None:
        """Take a place in a window; the given buttons and menu entries show whether the panel is open."""
        self._shown_by = shown_by
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self)
        window.resizeDocks([self], [WIDTH], Qt.Orientation.Horizontal)

    def note(self) -> None:
        """Tell buttons and menu entries whether the panel is open."""
        for control in self._shown_by:
            control.setChecked(not self.isHidden())

    def turn(self, shown: bool, width: int) -> None:
        """Show or hide the panel, in a main window of some width."""
        if shown:
            self.open_beside(width)
        else:
            self.hide()
        self.note()

    def open_beside(self, width: int) -> None:
        """Show the panel; in a narrow window as a window of its own, since the plots need theirs."""
        if not self.isFloating() and width < LEAST_BESIDE:
            self.setFloating(True)
            self.resize(WIDTH, HEIGHT)
            window, screen = self.parentWidget().frameGeometry(), self.screen().availableGeometry()
            self.move(min(window.right() + 8, screen.right() - WIDTH), max(screen.top(), window.top() + 40))
        self.show()
        self._share()

    def _share(self) -> None:
        """Give each of the panels that stand above each other the same height."""
        window = self.parentWidget()
        beside = [dock for dock in window.findChildren(SideDock) if dock.isVisible() and not dock.isFloating()]
        window.resizeDocks(beside, [window.height()] * len(beside), Qt.Orientation.Vertical)

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self._theme = theme
        self._close.setIcon(icon("close", theme.muted))
