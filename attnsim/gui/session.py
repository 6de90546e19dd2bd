"""What the window shows: the scenario, the view, the vectors, and the latest consistent frame of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from attnsim.choices.sections import section_of
from attnsim.experiments import EXPERIMENTS, Experiment
from attnsim.experiments.preparation import prepare
from attnsim.experiments.result import Record
from attnsim.jobs import Outcome, Worker
from attnsim.labs import LABS
from attnsim.labs.lab import Lab
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors
from attnsim.view import MOST_MARKED, View
from attnsim.words import _


@dataclass(frozen=True, slots=True)
class Frame:
    """A result with the scenario and the experiment it belongs to; every panel shows the same one."""

    scenario: Scenario
    result: Record
    generation: int
    experiment: str = "walk"


@dataclass(frozen=True, slots=True)
class Page:
    """Where the user stands: a lab and its scenario. Undo goes from one to another."""

    lab: str
    scenario: Scenario


class _Change(QUndoCommand):
    """One change of lab or scenario; changes of the same fields melt into one until the drag ends."""

    def __init__(self, session: "Session", page: Page, fields: frozenset[str], stroke: int) -> None:
        super().__init__(_("change of {fields}").format(fields=", ".join(sorted(fields))))
        self.session, self.before, self.after = session, session.page, page
        self.fields, self.stroke = fields, stroke

    def id(self) -> int:
        return 1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if other.stroke != self.stroke or other.fields != self.fields:
            return False
        self.after = other.after
        return True

    def redo(self) -> None:
        self.session._turn_to(self.after)

    def undo(self) -> None:
        self.session._turn_to(self.before)


class Session(QObject):
    """Takes proposals, keeps what is valid, and posts it to the worker."""

    lab_changed = Signal(object)
    scenario_changed = Signal(object)
    vectors_changed = Signal(object)
    view_changed = Signal(object)
    frame_arrived = Signal(object)
    busy_changed = Signal(bool)
    refused = Signal(str)
    announced = Signal(str)
    _delivered = Signal(object)

    def __init__(self, lab: Lab, scenario: Scenario | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lab = lab
        self.scenario = scenario or Scenario(section=section_of(lab.key))
        self._sections: dict[str, Any] = {}
        self.vectors: Vectors | None = None
        self.view = View()
        self.frame: Frame | None = None
        self.generation = 0
        self.busy = False
        self.undo_stack = QUndoStack(self)
        self._stroke = 0
        self._tasks: dict[int, Callable[[Any], None]] = {}
        self._task = 0
        self._delivered.connect(self._receive)  # queued: the worker emits it in its own thread
        self.worker = Worker(self._delivered.emit)

    def start(self) -> None:
        """Ask for the first picture."""
        self._post()

    def stop(self) -> None:
        """Finish exports and join the worker."""
        self.worker.stop()

    def propose(self, **changes: Any) -> bool:
        """Change fields of the scenario if the whole stays valid.

        Parameters
        ----------
        **changes
            Fields of `Scenario`.

        Returns
        -------
        bool
            Whether the proposal was taken; if not, `refused` says why and everything stays.
        """
        try:
            scenario = self.scenario.but(**changes)
        except ValueError as error:
            self.refused.emit(str(error))
            self.scenario_changed.emit(self.scenario)  # controls go back to what runs
            return False
        if scenario != self.scenario:
            self.undo_stack.push(_Change(self, Page(self.lab.key, scenario), frozenset(changes), self._stroke))
        return True

    @property
    def page(self) -> Page:
        """Lab and scenario."""
        return Page(self.lab.key, self.scenario)

    def go_to(self, key: str, scenario: Scenario | None = None) -> None:
        """Change to a lab, and take a scenario along: the one that runs, or the one given.

        The lab's own options are those it was left with, unless the scenario brings some.
        """
        self.seal()
        taken = scenario or self.scenario
        usual = section_of(key)
        if type(taken.section) is not type(usual):
            taken = taken.but(section=self._sections.get(key, usual))
        if Page(key, taken) != self.page:
            self.undo_stack.push(_Change(self, Page(key, taken), frozenset({"lab"}), self._stroke))
            self.seal()

    def _turn_to(self, page: Page) -> None:
        """Run a page; the panels of another lab have to be there before its results are."""
        self._sections[self.lab.key] = self.scenario.section
        if page.lab != self.lab.key:
            self.lab, self.scenario = LABS[page.lab], page.scenario
            self.look(playhead=None, hovered=None)
            self.lab_changed.emit(self.lab)
        self._run(page.scenario)

    def seal(self) -> None:
        """End a stroke: the next change is a step of its own for undo."""
        self._stroke += 1

    def _run(self, scenario: Scenario) -> None:
        old, self.scenario = self.scenario, scenario
        if self.view.rule not in scenario.scalings:
            self.look(rule=scenario.scalings[min(1, len(scenario.scalings) - 1)])
        if scenario.keys < old.keys and self.vectors is None:
            self.look(marked=tuple(key for key in self.view.marked if key < scenario.keys), hovered=None)
        dims = self.vectors is None and self.lab.experiment == "walk"  # elsewhere the result says what its moments are
        if self.view.playhead is not None and dims and self.view.playhead >= scenario.dim:
            self.look(playhead=None)
        self.scenario_changed.emit(scenario)
        self._post()

    def _post(self) -> None:
        self.generation += 1
        scenario, vectors = self.scenario, self.vectors if self.lab.real else None
        experiment = EXPERIMENTS[self.lab.experiment]
        self._set_busy(True)
        label = (self.generation, scenario, self.lab.experiment)
        self.worker.show(label, lambda: self._results(experiment, scenario, vectors))

    def _results(self, experiment: Experiment, scenario: Scenario, vectors: Vectors | None) -> Iterator[Record]:
        """Yield results, in the worker's thread; on a new machine first have the kernels compiled."""
        if vectors is None:
            prepare(lambda: self.worker.stopping)
        if not self.worker.stopping:
            yield from experiment(scenario, vectors)

    def look(self, **changes: Any) -> None:
        """Change how the result is looked at; nothing is computed anew."""
        view = replace(self.view, **changes)
        if view != self.view:
            self.view = view
            self.view_changed.emit(view)

    def pin(self, key: int) -> None:
        """Mark a key for good, or take its mark away; the oldest gives way to a seventh."""
        marked = self.view.marked
        marked = tuple(k for k in marked if k != key) if key in marked else (*marked, key)[-MOST_MARKED:]
        self.look(marked=marked)

    def set_vectors(self, vectors: Vectors | None) -> None:
        """Look at real vectors, or at random ones again."""
        self.vectors = vectors
        if vectors is not None and not self.lab.real:
            self.go_to(next(iter(LABS)))
        self.look(playhead=None, marked=(), hovered=None)
        self.vectors_changed.emit(vectors)
        self._post()

    def move_vectors(self, vectors: Vectors) -> None:
        """Look at another layer, head or row of the same file; playhead and marks stay where they can."""
        self.vectors = vectors
        if self.view.playhead is not None and self.view.playhead >= vectors.dim:
            self.look(playhead=None)
        self.look(marked=tuple(key for key in self.view.marked if key < vectors.visible), hovered=None)
        self.vectors_changed.emit(vectors)
        self._post()

    def open(self, path: str | Path, *more: str | Path) -> None:
        """Read a file of vectors in the worker; what is on screen stays until it is read."""
        from attnsim.files.readers import load_vectors  # here, since the window's start must not wait for it

        name = Path(path).name

        def done(vectors: Vectors) -> None:
            self.set_vectors(vectors)
            self.announced.emit(vectors.note or _("{name} is open").format(name=name))

        self.run_task(lambda: load_vectors(str(path), *map(str, more)), done)

    def run_task(self, job: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Run something in the worker's queue, where nothing is dropped; its errors become messages."""
        self._task += 1
        self._tasks[self._task] = done
        self.worker.queue(self._task, job)

    def _receive(self, outcome: Outcome) -> None:
        if outcome.lane == "queue":
            done = self._tasks.pop(outcome.label)
            if outcome.error is not None:
                self.refused.emit(sentence(outcome.error))
            else:
                done(outcome.value)
            return
        generation, scenario, experiment = outcome.label
        if experiment != self.lab.experiment:
            return  # of the lab that was left
        if outcome.error is not None and generation == self.generation:
            self._set_busy(False)
            self.refused.emit(sentence(outcome.error))
            shown = self.frame is not None and self.frame.experiment == experiment
            if shown and self.frame.scenario != scenario and self.undo_stack.canUndo():
                self.undo_stack.undo()  # what is on screen and what the controls say stay one
        elif outcome.value is not None and (self.frame is None or generation >= self.frame.generation):
            # a result one request old is still shown: while a knob is dragged it is the freshest there is
            self.frame = Frame(scenario, outcome.value, generation, experiment)
            self._fit_view(outcome.value)
            self.frame_arrived.emit(self.frame)
        if outcome.last and generation == self.generation:
            self._set_busy(False)

    def _fit_view(self, result: Record) -> None:
        """Let go of what a smaller result no longer has: it may have been asked for while the old one was shown."""
        playhead, moments = self.view.playhead, result.moments
        if playhead is not None and (not moments.size or playhead >= moments[-1]):
            self.look(playhead=None)
        keys = result.row.keys_total if self.lab.real else result.scenario.keys
        if any(key >= keys for key in self.view.marked):
            self.look(marked=tuple(key for key in self.view.marked if key < keys))

    def _set_busy(self, busy: bool) -> None:
        if busy != self.busy:
            self.busy = busy
            self.busy_changed.emit(busy)


def sentence(error: BaseException) -> str:
    """Return what went wrong in one sentence for a reader."""
    if isinstance(error, OSError) and error.strerror:
        name = Path(str(error.filename)).name if error.filename else ""
        return f"{name}: {error.strerror}" if name else error.strerror
    if isinstance(error, ValueError) and str(error):
        return str(error)
    if isinstance(error, MemoryError):
        return _("This does not fit into the memory: take fewer keys, components or rows.")
    return _("Something went wrong ({kind}: {detail}); what is on screen stays.").format(
        kind=type(error).__name__, detail=str(error).split("\n")[0][:200]
    )
