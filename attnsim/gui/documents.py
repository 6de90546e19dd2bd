"""Sessions: new, open, save, recent; and what is on screen is kept while one works, so that a crash loses nothing."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, QStandardPaths, QTimer, Signal

from attnsim.files.state_record import State
from attnsim.gui.session import Session, sentence
from attnsim.view import View
from attnsim.words import _

if TYPE_CHECKING:
    from attnsim.vectors import Vectors

MOST_RECENT = 8
KEEP_MILLISECONDS = 5_000  # after the last change, until it is kept
LESSON = ".md"
KEPT = "session-{process}.attnsim"


class Documents(QObject):
    """What the session is as a file: which one, whether it has changed since, and what a teacher took away.

    The readers and writers load with their first use: the window's start does not wait for them.
    """

    changed = Signal()  # path, or whether anything is unsaved
    lesson_found = Signal(object)  # a Lesson in a file that was opened
    held = Signal(object)  # a State whose `hidden` and `locked` the controls must follow
    announced = Signal(str)
    failed = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self.path: Path | None = None
        self.opened = State()  # title, notes, hidden, locked of what was opened
        self._saved: State | None = None
        self._waiting: State | None = None  # for the file of its vectors
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(KEEP_MILLISECONDS)
        self._timer.timeout.connect(self.keep)
        session.scenario_changed.connect(self._note)
        session.view_changed.connect(self._note)
        session.vectors_changed.connect(self._note)

    def _note(self, *_ignored: object) -> None:
        if not self._timer.isActive():
            self._timer.start()
            self.changed.emit()

    def state(self) -> State:
        """Return what is on the screen."""
        from dataclasses import replace

        from attnsim.files.vector_reference import refer

        session = self.session
        reference = None if session.vectors is None else refer(session.vectors)
        view = replace(session.view, hovered=None)
        return replace(self.opened, lab=session.lab.key, scenario=session.scenario, view=view, vectors=reference)

    def describe(self, title: str, notes: str, hidden: tuple[str, ...], locked: tuple[str, ...]) -> None:
        """Take title and notes, and which controls are hidden or locked."""
        self.opened = State(title=title, notes=notes, hidden=hidden, locked=locked)
        self.held.emit(self.opened)
        self._note()

    @property
    def unsaved(self) -> bool:
        """Whether a session with a file has changed since it was saved or opened."""
        return self.path is not None and self._saved is not None and self.state() != self._saved

    def new(self) -> None:
        """Begin anew, with the first settings."""
        self.path, self._saved = None, None
        self.restore(State())
        self.changed.emit()

    def restore(self, state: State, said: tuple[str, ...] = ()) -> None:
        """Show a state; real vectors that did not travel with it are asked for."""
        session = self.session
        self.opened = State(title=state.title, notes=state.notes, hidden=state.hidden, locked=state.locked)
        vectors = None
        if state.vectors is not None:
            try:
                vectors = state.vectors.vectors()
            except ValueError as error:
                said = (*said, str(error))
        if vectors is not None or session.vectors is not None:
            session.set_vectors(vectors)
        session.go_to(state.lab, state.scenario)
        session.look(**{name: getattr(state.view, name) for name in View.__slots__})
        self.held.emit(state)
        self._waiting = state if state.vectors is not None and vectors is None else None
        if self._waiting is not None:
            said = (
                *said,
                _("The numbers of {title} are not in the file: open the file they came from (Ctrl+O).").format(
                    title=state.vectors.title or _("the real vectors")
                ),
            )
        if said:
            self.failed.emit(" ".join(said))

    def found(self, vectors: "Vectors") -> "Vectors":
        """Return vectors that were opened, looked at where a restored session looked if it is their file."""
        if self._waiting is None:
            return vectors
        reference, self._waiting = self._waiting.vectors, None
        try:
            return reference.found_in(vectors)
        except ValueError as error:
            self.failed.emit(str(error))
            return vectors

    def open(self, source: str | os.PathLike[str]) -> None:
        """Open a session, a link, a picture or data file of attnsim, a lesson, or a file of vectors."""
        if str(source).lower().endswith(LESSON):
            self._open_lesson(Path(source))
            return
        from attnsim.files.opening import state_in
        from attnsim.files.session import SUFFIX

        try:
            held = state_in(source)
        except (ValueError, OSError) as error:
            self.failed.emit(sentence(error))
            return
        if held is None:
            self.session.open(source)
            return
        state, said = held
        link = isinstance(source, str) and not os.path.exists(source)
        self.path = Path(source) if not link and Path(source).suffix.lower() == SUFFIX else None
        self.restore(state, said)
        self._saved = self.state() if self.path is not None else None
        if not link:
            self.remember(Path(source))
        if not said:
            name = state.title or (_("the link") if link else Path(source).name)
            self.announced.emit(_("{name} is open").format(name=name))
        self.changed.emit()

    def _open_lesson(self, path: Path) -> None:
        from attnsim.files.lessons import read_lesson

        try:
            lesson = read_lesson(path)
        except ValueError as error:
            self.failed.emit(str(error))
            return
        self.remember(path)
        self.lesson_found.emit(lesson)

    def save(self, path: str | os.PathLike[str] | None = None) -> bool:
        """Write the session, to its own file or another one; returns whether it is safe."""
        from attnsim.files.session import write

        target = path or self.path
        if target is None:
            return False
        state = self.state()
        try:
            self.path = write(target, state)
        except ValueError as error:
            self.failed.emit(str(error))
            return False
        self._saved = state
        self.remember(self.path)
        self.announced.emit(_("{name} is saved").format(name=self.path.name))
        self.changed.emit()
        return True

    # -------------------------------------------------------------------------------------------- recent files

    @staticmethod
    def recent() -> list[Path]:
        """Return the files opened or saved last that are still there."""
        known = QSettings().value("recent", [], type=list)
        return [Path(each) for each in known if each and Path(each).exists()][:MOST_RECENT]

    def remember(self, path: Path) -> None:
        """Put a file at the head of the recent ones."""
        path = path.absolute()
        others = [each for each in self.recent() if each != path]
        QSettings().setValue("recent", [str(each) for each in (path, *others)][:MOST_RECENT])

    # ------------------------------------------------------------------------------------- what a crash leaves

    @staticmethod
    def folder() -> Path:
        """Return where what is on screen is kept while one works."""
        return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation))

    def keep(self) -> None:
        """Keep what is on screen; where nothing can be written, work goes on without."""
        from attnsim.files.session import write

        try:
            self.folder().mkdir(parents=True, exist_ok=True)
            write(self.folder() / KEPT.format(process=os.getpid()), self.state())
        except (OSError, ValueError):
            return

    def let_go(self) -> None:
        """Rename what is kept to the last session, once the window is closed in good order."""
        self._timer.stop()
        self.keep()
        own = self.folder() / KEPT.format(process=os.getpid())
        try:
            os.replace(own, self.folder() / "last.attnsim")
        except OSError:
            return

    def left_behind(self) -> Path | None:
        """Return what a window that ended badly has left, the newest; older ones are put away."""
        try:
            files = sorted(self.folder().glob(KEPT.format(process="*")), key=lambda each: -each.stat().st_mtime)
        except OSError:
            return None
        dead = [each for each in files if not _alive(each)]
        for old in dead[1:]:
            old.unlink(missing_ok=True)
        return dead[0] if dead else None

    def take_back(self, path: Path) -> None:
        """Restore what was left behind, as a session without a name, and put it away."""
        from attnsim.files.opening import state_in

        try:
            held = state_in(path)
        except (ValueError, OSError) as error:
            self.failed.emit(sentence(error))
            return
        if held is not None:
            self.path, self._saved = None, None
            self.restore(*held)
            path.unlink(missing_ok=True)
            if not held[1]:
                self.announced.emit(_("What was on screen is back; it is not saved yet"))
            self.changed.emit()

    @staticmethod
    def last() -> Path | None:
        """Return the session with which the window was closed last, if there is one."""
        path = Documents.folder() / "last.attnsim"
        return path if path.is_file() else None


def _alive(path: Path) -> bool:
    """Whether the process that keeps a file still runs; a number that cannot be asked counts as alive."""
    digits = path.stem.rpartition("-")[2]
    if not digits.isdigit():
        return False
    if int(digits) == os.getpid():
        return True
    if os.name != "posix":
        return False
    try:
        os.kill(int(digits), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
