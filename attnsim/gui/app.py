"""Starts the application, opens the window, and ends both in good order."""

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtWidgets import QApplication

from attnsim.gui import theme
from attnsim.gui.screen import fit_screen
from attnsim.gui.window import MainWindow

INTERRUPTED = 130  # exit code of whoever is ended by Ctrl-C


def application() -> QApplication:
    """Return the one application, with fonts loaded and names set."""
    app = QApplication.instance()
    if app is None:
        QApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
        app = QApplication(["attnsim"])
    if app.organizationName() != "attnsim":
        app.setOrganizationName("attnsim")
        app.setApplicationName("attnsim")
        app.setDesktopFileName("attnsim")
        app.setWindowIcon(theme.icon("attnsim", theme.LIGHT.accent, 64))
        theme.prepare(app)
    return app


def open_window(path: str | os.PathLike[str] | None = None, state: object = None) -> int:
    """Open the window and run until it is closed.

    Parameters
    ----------
    path : path-like, optional
        A file to open: a session, an exported figure, or vectors.
    state : State, optional
        What is shown at first, such as that of a link.

    Returns
    -------
    int
        Exit code; 0 when the user closed the window.
    """
    app = application()
    window = MainWindow()
    restore, let_interrupt = _catch_errors(window), _end_on_interrupt(app)
    app.styleHints().colorSchemeChanged.connect(window.follow_system)
    app.aboutToQuit.connect(window.session.stop)
    window.resize(1440, 900)
    fit_screen(window)
    window.show()
    window.begin()
    source = state if state is not None else path
    QTimer.singleShot(0, window, lambda: window.welcome(source))
    code = app.exec()
    window.session.stop()
    restore()
    let_interrupt()
    _destroy(window)
    return code


def _end_on_interrupt(app: QApplication) -> Callable[[], object]:
    """Close on Ctrl-C. Returns what undoes it.

    Python's own answer, an exception, would come up inside whatever Qt is calling at that moment, a start
    or a paint, where it is lost at best.
    """
    before = signal.signal(signal.SIGINT, lambda *_ignored: QTimer.singleShot(0, app, lambda: app.exit(INTERRUPTED)))
    return lambda: signal.signal(signal.SIGINT, before)


def _catch_errors(window: MainWindow) -> object:
    """Show errors of any thread as one sentence; the trace goes to stderr. Returns what undoes it."""
    before = sys.excepthook, threading.excepthook

    def report(kind: type, error: BaseException, trace: object) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QCoreApplication.quit()
            return
        traceback.print_exception(kind, error, trace)
        window.failed.emit(error)  # the hook may run in another thread: the signal hops to the window's

    sys.excepthook = report
    threading.excepthook = lambda arguments: report(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)

    def restore() -> None:
        sys.excepthook, threading.excepthook = before

    return restore


def _destroy(window: MainWindow) -> None:
    """Delete the window while Qt still lives: left to Python's end, it crashes there."""
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


__all__ = ["application", "open_window"]
