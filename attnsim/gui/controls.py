"""The sidebar: which lab, and the controls of it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLabel, QStackedWidget, QVBoxLayout

from attnsim.gui.lab_button import LabButton
from attnsim.gui.lab_controls import LabControls
from attnsim.gui.session import Session
from attnsim.gui.theme import LIGHT, Theme
from attnsim.labs.lab import Lab
from attnsim.scenario import Scenario
from attnsim.view import View

WIDTH = 272


class Sidebar(QFrame):
    """Holds the controls of each lab that was opened, and shows those of the one on screen."""

    remade = Signal()  # there are controls that were not there before

    def __init__(self, session: Session, lab: Lab) -> None:
        super().__init__()
        self.setObjectName("sidebar")
        self.setFixedWidth(WIDTH)
        self.session = session
        self._theme = LIGHT
        self._held: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self._pages: dict[str, LabControls] = {}
        self.labs = LabButton(session)
        self._stack = QStackedWidget()
        brand = QLabel("attnsim")
        brand.setObjectName("brand")
        brand.setContentsMargins(18, 11, 0, 4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 1, 0)
        layout.setSpacing(0)
        layout.addWidget(brand)
        layout.addWidget(self.labs)
        layout.addWidget(self._stack, 1)
        self.show_lab(lab)
        session.lab_changed.connect(self.show_lab)
        session.scenario_changed.connect(self.show_scenario)
        session.vectors_changed.connect(lambda vectors: self.page.show_vectors(vectors))
        session.view_changed.connect(self.show_view)

    @property
    def page(self) -> LabControls:
        """The controls on screen."""
        return self._stack.currentWidget()

    def __getattr__(self, name: str) -> object:
        if name in ("knobs", "choices", "picks", "groups", "seed", "rules", "vectors", "lesson"):
            return getattr(self.page, name)
        raise AttributeError(name)

    def show_lab(self, lab: Lab) -> None:
        """Show the controls of a lab; they are made when it is first opened."""
        if lab.key not in self._pages:
            page = LabControls(self.session, lab)
            page.dress(self._theme)
            page.hold(*self._held)
            self._pages[lab.key] = page
            self._stack.addWidget(page)
            self.remade.emit()
        self._stack.setCurrentWidget(self._pages[lab.key])
        self.page.show_view(self.session.view)
        self.page.show_vectors(self.session.vectors)

    def hold(self, hidden: tuple[str, ...], locked: tuple[str, ...]) -> None:
        """Follow a teacher: hide some controls and hold others fast, in every lab."""
        self._held = (hidden, locked)
        for page in self._pages.values():
            page.hold(hidden, locked)

    def show_scenario(self, scenario: Scenario) -> None:
        """Show the running scenario in every control."""
        self.page.show_scenario(scenario)

    def show_view(self, view: View) -> None:
        """Show how the result is looked at."""
        self.page.show_view(view)

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self._theme = theme
        self.labs.dress(theme)
        for page in self._pages.values():
            page.dress(theme)
