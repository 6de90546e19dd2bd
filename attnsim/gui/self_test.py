"""Draws each lab's window where nobody looks, and says what went wrong: what `attnsim self-test` asks of Qt."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from attnsim.words import _

SIZE = (1280, 800)
PATIENCE = 240.0  # seconds for a first run that has to compile
FEW_COLOURS = 40  # of a window that shows plots; a blank one has two or three
SAMPLES = 97  # pixels looked at in each direction


def self_test(opened: Path | None = None) -> Iterator[tuple[str, str]]:
    """Open each lab's window, its dialogs, the clipboard and a file, on Qt's platform without a screen.

    Parameters
    ----------
    opened : Path, optional
        A file to open in the first window, as a double click would.

    Yields
    ------
    tuple of (str, str)
        What was looked at, and what was found there.

    Raises
    ------
    ValueError
        Names what is not as it should be.
    """
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import QSettings, qVersion

    from attnsim.gui.app import application
    from attnsim.labs import LABS

    app = application()
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, os.devnull)
    yield "qt", f"Qt {qVersion()}, {app.platformName()}"
    yield "fonts", _fonts()
    yield "clipboard", _clipboard(app)
    for number, lab in enumerate(LABS):
        yield f"lab {lab}", _lab(lab, opened if number == 0 else None)


def _fonts() -> str:
    from PySide6.QtGui import QFontDatabase, QFontInfo

    from attnsim.gui.theme import font

    family = QFontInfo(font(13)).family()
    if family != "Inter" or "Inter" not in QFontDatabase.families():
        raise ValueError(_("the font must be Inter, not {family}").format(family=family))
    return family


def _clipboard(app: object) -> str:
    board = app.clipboard()
    before, words = board.text(), "attnsim"
    board.setText(words)
    found = board.text()
    board.setText(before)
    if found != words:
        raise ValueError(_("the clipboard does not give back what was put there"))
    return words


def _lab(lab: str, opened: Path | None) -> str:
    from attnsim.gui import dialogs, theme
    from attnsim.gui.app import _destroy
    from attnsim.gui.window import MainWindow

    window = MainWindow(lab)
    window.resize(*SIZE)
    window.show()
    window.begin()
    complaints: list[str] = []
    window.session.refused.connect(complaints.append)
    try:
        _wait(lambda: complaints or _complete(window))
        counts = []
        for dress in (theme.LIGHT, theme.DARK):
            window.set_theme(dress, remembered=False)
            counts.append(_colours(window))
        for show in (dialogs.show_help, dialogs.show_about):
            show(window).close()
        if opened is not None:
            _open(window, opened, complaints)
    finally:
        window.session.stop()
        _destroy(window)
    if complaints:
        raise ValueError(complaints[0])
    if min(counts) < FEW_COLOURS:
        raise ValueError(_("the window of {lab} is blank: {count} colours").format(lab=lab, count=min(counts)))
    return _("{count} colours").format(count=min(counts))


def _open(window: object, opened: Path, complaints: list[str]) -> None:
    """Open a file of vectors, and a session that was saved from it."""
    window.documents.failed.connect(complaints.append)
    window.documents.open(opened)
    _wait(lambda: complaints or (_complete(window) and window.session.frame.result.vectors is not None))
    with tempfile.TemporaryDirectory() as folder:
        window.documents.save(Path(folder) / "session")
        window.documents.new()
        window.documents.open(Path(folder) / "session.attnsim")
    _wait(lambda: complaints or (_complete(window) and window.session.frame.result.vectors is not None))


def _complete(window: object) -> bool:
    session = window.session
    shown = session.frame is not None and window.shown_generation >= session.generation
    # the first picture of a lab says that it works; only the walk's is waited for to its end
    return shown and (session.frame.experiment != "walk" or (session.frame.result.complete and not session.busy))


def _wait(condition: Callable[[], object]) -> None:
    from PySide6.QtCore import QCoreApplication, QEventLoop

    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise ValueError(_("the window must answer within {seconds:g} s, and did not").format(seconds=PATIENCE))
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
        time.sleep(0.002)


def _colours(window: object) -> int:
    """Return how many different colours a picture of the window has, on a grid of its pixels."""
    image = window.grab().toImage()
    width, height = image.width(), image.height()
    return len(
        {image.pixel(x * width // SAMPLES, y * height // SAMPLES) for x in range(SAMPLES) for y in range(SAMPLES)}
    )
