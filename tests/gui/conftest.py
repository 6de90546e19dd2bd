"""A window to drive, on Qt's offscreen platform unless another one is asked for."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QSettings

COMPILING = 300_000  # milliseconds a first run may take on a machine that has never compiled the loops


@pytest.fixture(autouse=True)
def own_settings(tmp_path):
    """Keep the user's settings out of the tests, and the tests out of the user's settings."""
    for form in (QSettings.Format.NativeFormat, QSettings.Format.IniFormat):
        QSettings.setPath(form, QSettings.Scope.UserScope, str(tmp_path / "settings"))


@pytest.fixture
def fresh_window():
    """A window whose first picture is on its way."""
    from attnsim.gui.app import _destroy, application
    from attnsim.gui.window import MainWindow

    application()
    window = MainWindow()
    window.resize(1440, 900)
    window.show()
    window.session.start()
    yield window
    _destroy(window)


@pytest.fixture
def window(qtbot, fresh_window):
    """A window with its first picture complete."""
    _settle(qtbot, fresh_window)
    return fresh_window


@pytest.fixture
def settle(qtbot, window):
    """Return what waits until the picture of the running scenario is complete and drawn."""
    return lambda: _settle(qtbot, window)


def _settle(qtbot, window):
    """Wait until the picture of the running scenario is complete and drawn."""
    session = window.session
    qtbot.waitUntil(
        lambda: (
            session.frame is not None
            and session.frame.generation == session.generation
            and session.frame.result.complete
            and not session.busy
            and not window._refresh_timer.isActive()
        ),
        timeout=COMPILING,
    )
    qtbot.wait(1)
