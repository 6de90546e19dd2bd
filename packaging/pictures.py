"""Draws the pictures of the README anew: `.venv-3.11/bin/python packaging/pictures.py`, on no screen."""

import os
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PIL import Image
from PySide6.QtCore import QCoreApplication

from attnsim.gui import theme
from attnsim.gui.app import application
from attnsim.gui.window import MainWindow

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "pictures"
SIZE = (1440, 900)
COLOURS = 256
PLAYHEAD = 200
PATIENCE = 120.0  # seconds, for a machine that has to compile first


def wait(condition, seconds):
    """Let the window live until something holds."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.005)


def main():
    """Take one picture in each theme, with the heaviest and another key marked and the playhead under way."""
    FOLDER.mkdir(exist_ok=True)
    application()
    window = MainWindow()
    window.resize(*SIZE)
    window.show()
    window.begin()
    wait(lambda: window.session.frame is not None and window.session.frame.result.complete, PATIENCE)
    window.resize(*SIZE)  # again: it had been fitted to the small screen of this platform
    row = window.session.frame.result.row
    window.session.look(playhead=PLAYHEAD, marked=(int(row.scores(row.index(PLAYHEAD)).argmax()), 13))
    for name, dress in (("light", theme.LIGHT), ("dark", theme.DARK)):
        window.set_theme(dress, remembered=False)
        end = time.monotonic() + 1.0
        wait(lambda end=end: time.monotonic() > end, 2.0)
        path = FOLDER / f"window-{name}.png"
        window.grab().save(str(path))
        Image.open(path).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    window.close()


if __name__ == "__main__":
    main()
