"""Writes files in a thread of its own: a film takes longer than anyone keeps a slider still."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from attnsim.gui.session import sentence
from attnsim.jobs import Outcome, Worker


class Exports(QObject):
    """A queue of exports, of which the running one can tell how far it is and be broken off."""

    failed = Signal(str)
    progressed = Signal(float)  # share of the running film
    _delivered = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._worker: Worker | None = None
        self._done: dict[int, Callable[[Any], None]] = {}
        self._number = 0
        self.cancelled = False
        self._delivered.connect(self._receive)

    @property
    def busy(self) -> bool:
        """Whether anything is being written or waits for it."""
        return bool(self._done)

    def run(self, job: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Run a job behind those that wait; its error becomes one sentence."""
        if self._worker is None:
            self._worker = Worker(self._delivered.emit)
        self._number += 1
        self._done[self._number] = done
        self.cancelled = False
        self._worker.queue(self._number, job)

    def cancel(self) -> None:
        """Break off the running film; nothing half-written stays."""
        self.cancelled = True

    def _receive(self, outcome: Outcome) -> None:
        done = self._done.pop(outcome.label)
        if outcome.error is not None:
            self.failed.emit(sentence(outcome.error))
        else:
            done(outcome.value)

    def stop(self) -> None:
        """Break off films, finish the rest, and join the thread."""
        self.cancelled = True
        if self._worker is not None:
            self._worker.stop()
