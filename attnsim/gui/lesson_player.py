"""Plays a lesson: each step moves the program's own controls, and what the reader had before comes back."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, QTimer, Signal

from attnsim.figures.readouts import Readout
from attnsim.figures.summaries import summary_of
from attnsim.files.lessons import Lesson, Step
from attnsim.gui.documents import Documents
from attnsim.gui.lesson_progress import BEFORE, Place, keep, place_in
from attnsim.gui.session import Page, Session
from attnsim.gui.transport import Transport
from attnsim.scenario import Scenario
from attnsim.view import View

if TYPE_CHECKING:
    from attnsim.files.state_record import State
    from attnsim.vectors import Vectors

WAIT_MILLISECONDS = 20  # between looks whether the cards show what a step set
SKIPPED = -1


class LessonPlayer(QObject):
    """The lesson that is read, the place in it, and what was on the screen before."""

    changed = Signal()  # lesson, step, prediction, or whether there is something to go back to

    def __init__(self, session: Session, transport: Transport, documents: Documents, parent: QObject) -> None:
        super().__init__(parent)
        self.session, self.transport, self.documents = session, transport, documents
        self.lesson: Lesson | None = None
        self.place = Place()
        self.before: State | None = _kept()
        self._vectors: Vectors | None = None
        self._shown: Page | None = None  # what a lesson set last
        self._wish: Callable[[], bool] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(WAIT_MILLISECONDS)
        self._timer.timeout.connect(self._try)

    # ------------------------------------------------------------------------------------------------ places

    @property
    def step(self) -> Step | None:
        """The step that is read; None without a lesson and at its end."""
        if self.lesson is None or self.at_end:
            return None
        return self.lesson.steps[self.place.step]

    @property
    def at_end(self) -> bool:
        """Whether the lesson's last page is shown."""
        return self.lesson is not None and self.place.step >= len(self.lesson.steps)

    @property
    def asks(self) -> bool:
        """Whether the step waits for a prediction."""
        return self.step is not None and bool(self.step.choices) and self.place.step not in self.place.predicted

    @property
    def predicted(self) -> int | None:
        """The choice that was predicted at this step; None if it was skipped or not asked for."""
        choice = self.place.predicted.get(self.place.step, SKIPPED)
        return None if choice == SKIPPED else choice

    def enter(self, lesson: Lesson) -> None:
        """Read a lesson from where it was left; one that was read to its end begins anew."""
        self._remember(lesson)
        self.lesson, self.place = lesson, place_in(lesson)
        if self.at_end:
            self.place = Place(done=True)
        self._go(play=True)

    def again(self) -> None:
        """Begin the lesson anew."""
        self.place = Place(done=self.place.done)
        self._go(play=True)

    def predict(self, choice: int | None) -> None:
        """Take a prediction, or None to skip it; then the step is shown."""
        if self.asks:
            self.place.predicted[self.place.step] = SKIPPED if choice is None else choice
            self._go(play=True)

    def forward(self) -> None:
        """Go to the next step, or to the end; a prediction that is asked for comes first."""
        if self.lesson is None or self.at_end or self.asks:
            return
        self.place.step += 1
        if self.at_end:
            self.place.done = True
            self._settle()
        else:
            self._go(play=True)

    def backward(self) -> None:
        """Go to the step before."""
        if self.lesson is not None and self.place.step > 0:
            self.place.step -= 1
            self._go(play=False)

    def leave(self) -> None:
        """Put the lesson away; the place in it is kept."""
        if self.lesson is not None:
            self._stop()
            self.lesson = None
            self.changed.emit()

    # ------------------------------------------------------------------------------------------ what is shown

    def _go(self, play: bool) -> None:
        """Show what holds at this step: until a prediction is made, what the step before has set."""
        lesson, at = self.lesson, self.place.step
        if not self.asks:
            step = lesson.steps[at]
            self.show_page(step.lab, step.scenario, step.view, play and step.play)
        elif at > 0:
            step = lesson.steps[at - 1]
            self.show_page(step.lab, step.scenario, step.view)
        self._settle()

    def _settle(self) -> None:
        keep(self.lesson, self.place)
        self.changed.emit()

    def show_page(self, lab: str, scenario: Scenario, view: View, play: bool = False) -> None:
        """Set lab, scenario and view by the session, as the user's hand would."""
        session = self.session
        self._stop()
        if session.vectors is not None:
            session.set_vectors(None)
        session.go_to(lab, scenario)
        session.look(**_looks(view, session.scenario))
        self._shown = session.page
        generation, playhead = session.generation, view.playhead
        if play or playhead is not None:
            self._wish = lambda: self._grant(generation, playhead, play)
            self._timer.start()

    def _grant(self, generation: int, playhead: int | None, play: bool) -> bool:
        """Move or start the playhead, once the cards show the step; whether there is nothing left to wait for."""
        session, frame = self.session, self.session.frame
        if session.generation != generation:
            return True  # the reader has changed something meanwhile
        fresh = frame is not None and frame.generation == generation and frame.experiment == session.lab.experiment
        if not fresh:
            return False
        moments = frame.result.moments
        if moments.size < 2:
            return True
        if not self.transport.isEnabled() or self.transport.dim != int(moments[-1]):
            return False
        end = int(moments[-1])
        place = end if playhead is None else min(playhead, end)
        session.look(playhead=None if place == end else place)
        if self.transport.scrub.value() != place:
            return False  # the cards are drawn a moment later
        if play and not self.transport.playing:
            self.transport.toggle()
        return True

    def _try(self) -> None:
        if self._wish is None or self._wish():
            self._timer.stop()

    def _stop(self) -> None:
        self._wish = None
        self._timer.stop()
        self.transport.pause()

    def numbers(self) -> list[Readout]:
        """Return the running result's cards for the numbers that this step speaks of."""
        frame, step = self.session.frame, self.step
        if step is None or self.asks or frame is None or frame.experiment != self.session.lab.experiment:
            return []
        if frame.generation != self.session.generation:
            return []
        named = [claim.key for claim in step.claims]
        cards = summary_of(frame.result).readouts(frame.result, self.session.view)
        return [card for card in cards if any(f"{name}/".startswith(f"{card.key}/") for name in named)]

    # --------------------------------------------------------------------------------- what was there before

    def _remember(self, lesson: Lesson) -> None:
        """Keep what is on the screen, unless it is a lesson's or nobody's while something of the user's is kept."""
        if self.before is not None:
            page = self.session.page
            nobody = page in (self._shown, Page("walk", Scenario()))
            if nobody or any(page == Page(step.lab, step.scenario) for step in lesson.steps):
                return
        from attnsim.files.state import to_json

        self.before, self._vectors = self.documents.state(), self.session.vectors
        QSettings().setValue(BEFORE, to_json(self.before))

    def give_back(self) -> None:
        """Show again what was there before the first lesson."""
        state, vectors = self.before, self._vectors
        self.leave()
        if state is None:
            return
        self.before, self._vectors, self._shown = None, None, None
        QSettings().remove(BEFORE)
        if vectors is None:
            self.documents.restore(state)
        else:
            self.documents.restore(replace(state, vectors=None))
            self.session.set_vectors(vectors)
            self.session.look(**_looks(state.view, self.session.scenario))
        self.changed.emit()

    @property
    def holds(self) -> bool:
        """Whether what is on the screen is a lesson's."""
        return self.lesson is not None or (self._shown is not None and self.session.page == self._shown)


def _looks(view: View, scenario: Scenario) -> dict[str, object]:
    """Return the fields of a view, with a rule that the scenario has."""
    rule = view.rule if view.rule in scenario.scalings else scenario.scalings[min(1, len(scenario.scalings) - 1)]
    return {f.name: getattr(view, f.name) for f in fields(View)} | {"rule": rule, "hovered": None}


def _kept() -> "State | None":
    """Return what an earlier run of the program did not give back."""
    text = QSettings().value(BEFORE, "", type=str)
    if not text:
        return None
    from attnsim.files.state import from_json

    try:
        return from_json(text)[0]
    except ValueError:
        return None
