"""Scenario A, kept beside the one that is changed, in every lab."""

from PySide6.QtCore import QObject, QTimer, Signal

from attnsim.choices.sections import section_of
from attnsim.experiments import EXPERIMENTS
from attnsim.gui.session import Frame, Session
from attnsim.scenario import Scenario

PATIENCE_MILLISECONDS = 400  # until what a drag broke off is taken up again


class Pinned(QObject):
    """Has the pinned scenario computed behind what is on screen: it never holds up what the user changes."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self.scenario: Scenario | None = None
        self.frame: Frame | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PATIENCE_MILLISECONDS)
        self._timer.timeout.connect(self._ask)
        session.lab_changed.connect(self._turn)

    def pin(self, scenario: Scenario | None) -> None:
        """Keep a scenario; None lets it go."""
        self.scenario, self.frame = scenario, None
        self._timer.stop()
        self.changed.emit()
        if scenario is not None:
            self._ask()

    def _turn(self) -> None:
        self.frame = None
        if self.scenario is not None:
            self._ask()

    def _ask(self) -> None:
        session, lab = self.session, self.session.lab
        if self.scenario is None or session.worker.stopping:
            return
        scenario, usual = self.scenario, section_of(lab.key)
        if type(scenario.section) is not type(usual):
            scenario = scenario.but(section=usual)
        shown = session.frame
        if shown is not None and shown.experiment == lab.experiment and shown.scenario == scenario:
            self._take(shown)  # it has just been on the screen
            return

        def job() -> Frame:
            best = None
            for best in EXPERIMENTS[lab.experiment](scenario, None):  # noqa: B007
                if session.worker.pressed:
                    break
            return Frame(scenario, best, 0, lab.experiment)

        session.run_task(job, self._take)

    def _take(self, frame: Frame) -> None:
        if self.scenario is None or frame.experiment != self.session.lab.experiment:
            return
        better = self.frame is None or frame.result.fraction >= self.frame.result.fraction
        if better:
            self.frame = frame
            self.changed.emit()
        if frame.result.fraction < 1.0:
            self._timer.start()
