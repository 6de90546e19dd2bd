"""The panel "Why?": the derivation with this scenario's numbers, each line beside the simulation on the screen."""

from PySide6.QtCore import QTimer, QUrl
from PySide6.QtWidgets import QTextBrowser, QWidget

from attnsim.experiments.evidence import evidence
from attnsim.experiments.records import Walk
from attnsim.figures.derivation import derivation
from attnsim.figures.derivation_page import page
from attnsim.figures.questions import QUESTIONS, Question, question
from attnsim.figures.step import Step
from attnsim.gui.session import Frame, Session
from attnsim.gui.side_dock import SideDock
from attnsim.gui.theme import Theme
from attnsim.gui.transport import Transport
from attnsim.words import _

PAUSE_MILLISECONDS = 300  # nobody reads a derivation while a knob is dragged
WORK = 400_000  # variates drawn for the weights: the worker is free again within some 20 ms
LINK = "question"


class WhyPanel(SideDock):
    """Steps and questions in one scrolling page; follows the scenario, but neither a drag nor the playhead."""

    def __init__(self, session: Session, transport: Transport, parent: QWidget) -> None:
        closing = (_("Close the derivation"), _("Close (W)"))
        super().__init__("why", _("Why?"), closing, parent)
        self.session, self.transport = session, transport
        self.steps: tuple[Step, ...] = ()
        self.shown_generation = 0
        self._questions: tuple[Question, ...] = ()
        self._asked = 0
        self.page = QTextBrowser()
        self.page.setObjectName("whyPage")
        self.page.setAccessibleName(_("Derivation with the numbers of this scenario"))
        self.page.setOpenLinks(False)
        self.page.setMinimumWidth(300)
        self.page.anchorClicked.connect(self._follow)
        self.setWidget(self.page)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MILLISECONDS)
        self._timer.timeout.connect(self._ask)
        session.frame_arrived.connect(self._note)
        transport.playing_changed.connect(self._note)
        self.visibilityChanged.connect(self._note)
        self.page.setHtml(f"<p>{_('Deriving…')}</p>")

    def open_beside(self, width: int) -> None:
        """Show the panel, and let the keyboard scroll it."""
        super().open_beside(width)
        self.page.setFocus()

    def _note(self, *_ignored: object) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _ask(self) -> None:
        """Have the worker draw the rows behind the lines, once the result on the screen is complete."""
        frame = self.session.frame
        walk = frame is not None and frame.experiment == "walk"
        ready = walk and frame.result.complete and frame.generation == self.session.generation
        if not ready or not self.isVisible() or self.transport.playing or frame.generation == self._asked:
            return
        self._asked = frame.generation
        known = self._questions
        self.session.run_task(lambda: derive(frame.result, known), lambda found: self._show(frame, *found))

    def _show(self, frame: Frame, steps: tuple[Step, ...], questions: tuple[Question, ...]) -> None:
        self._questions = questions
        if frame.generation >= self.shown_generation:
            self.steps, self.shown_generation = steps, frame.generation
            self._render()

    def _render(self) -> None:
        if not self.steps:
            return
        theme = self._theme
        colors = {
            "ink": theme.text, "muted": theme.muted, "accent": theme.accent, "good": theme.good, "warn": theme.bad,
        }  # fmt: skip
        bar = self.page.verticalScrollBar()
        place = bar.value()
        self.page.setHtml(page(self.steps, self._questions, colors.__getitem__))
        bar.setValue(place)  # who reads line 7 goes on reading line 7, with other numbers

    def _follow(self, link: QUrl) -> None:
        """Take the scenario of a question."""
        if link.hasFragment():
            self.page.scrollToAnchor(link.fragment())
        if link.scheme() == LINK:
            scenario = question(int(link.path())).scenario
            self.session.seal()
            if self.session.vectors is not None:
                self.session.set_vectors(None)
            self.session.go_to("walk", scenario)
            self.session.seal()

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        super().dress(theme)
        self._render()


def derive(result: Walk, known: tuple[Question, ...]) -> tuple[tuple[Step, ...], tuple[Question, ...]]:
    """Return the steps of a result and the questions, in the worker's thread."""
    found = None if result.vectors is not None else evidence(result.scenario, WORK)
    return derivation(result, found), known or tuple(question(each) for each in QUESTIONS)
