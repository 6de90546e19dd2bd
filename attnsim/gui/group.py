"""A heading in the sidebar that folds what is under it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from attnsim.gui.theme import Theme, icon
from attnsim.words import _


class Group(QWidget):
    """A heading that folds what is under it."""

    def __init__(self, title: str, folded: bool = False) -> None:
        super().__init__()
        self.head = QToolButton()
        self.head.setObjectName("group")
        self.head.setText(title)
        self.head.setCheckable(True)
        self.head.setChecked(not folded)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setAccessibleName(_("Group {title}").format(title=title))
        self.head.setToolTip(_("Fold or unfold {title}").format(title=title))
        self.body = QWidget()
        self.rows = QVBoxLayout(self.body)
        self.rows.setContentsMargins(0, 2, 0, 4)
        self.rows.setSpacing(6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.body)
        self.body.setVisible(not folded)
        self.head.toggled.connect(self._fold)
        self._theme: Theme | None = None

    def _fold(self, open_: bool) -> None:
        self.body.setVisible(open_)
        if self._theme is not None:
            self.dress(self._theme)

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self._theme = theme
        self.head.setIcon(icon("down" if self.head.isChecked() else "right", theme.muted))
