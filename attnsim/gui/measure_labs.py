"""Measures each lab on this machine: what `attnsim measure --labs` prints."""

import statistics
import time
from typing import TYPE_CHECKING

from attnsim.gui import measure
from attnsim.labs import LABS

if TYPE_CHECKING:
    from attnsim.gui.window import MainWindow

MOVES = 9  # of a knob, of which the middle one counts
FRAMES = 120


def measure_labs() -> dict[str, dict[str, float | None]]:
    """Open each lab, move a knob in it and play it.

    Returns
    -------
    dict of str to dict
        By lab: `open_ms`, from asking for it until its figures are painted, warm; `knob_ms`, from a change of the seed
        to the paint of its first picture; `frame_cpu_ms`, CPU of the process a painted frame while playing, None where
        nothing moves; `complete_ms`, until the last result of a change is there.
    """
    measure.choose_platform()
    from attnsim.gui.app import _destroy, application
    from attnsim.gui.window import MainWindow

    application()
    window = MainWindow()
    window.resize(*measure.SIZE)
    window.show()
    window.session.start()
    try:
        _until_shown(window)
        for key in LABS:  # loads modules and loops
            window.session.go_to(key)
            _until_shown(window)
        return {key: _lab(window, key) for key in LABS}
    finally:
        window.close()
        _destroy(window)


def _lab(window: "MainWindow", key: str) -> dict[str, float | None]:
    window.session.go_to("walk" if key != "walk" else "which_d")
    _until_shown(window)
    begun = time.perf_counter()
    window.session.go_to(key)
    _until_shown(window)
    opened = time.perf_counter() - begun
    knobs = []
    for number in range(MOVES):
        begun = time.perf_counter()
        window.session.propose(seed=100 + number)
        _until_shown(window)
        knobs.append(time.perf_counter() - begun)
    measure.wait(lambda: _complete(window))
    ended = time.perf_counter() - begun
    return {
        "open_ms": round(1e3 * opened, 1),
        "knob_ms": round(1e3 * statistics.median(knobs), 1),
        "frame_cpu_ms": _frame(window),
        "complete_ms": round(1e3 * ended, 0),
    }


def _frame(window: "MainWindow") -> float | None:
    """Return the CPU of a frame; the playhead is moved by hand, as fast as frames are painted."""
    from PySide6.QtWidgets import QApplication

    moments = window.session.frame.result.moments
    if moments.size < 2:
        return None
    places = [int(moments[number * (moments.size - 1) // FRAMES]) for number in range(FRAMES)]
    for warm in (True, False):
        begun = time.process_time()
        for place in places:
            window.session.look(playhead=place)
            window.refresh()
            QApplication.processEvents()
        spent = time.process_time() - begun
        if warm:
            window.session.look(playhead=None)
    return round(1e3 * spent / FRAMES, 2)


def _complete(window: "MainWindow") -> bool:
    session = window.session
    return not session.busy and session.frame.result.fraction >= 1.0


def _until_shown(window: "MainWindow") -> None:
    """Wait until the picture of what was asked for last is painted."""
    from PySide6.QtWidgets import QApplication

    wanted = window.session.generation
    measure.wait(
        lambda: (
            window.session.frame is not None
            and window.session.frame.experiment == window.session.lab.experiment
            and window.shown_generation >= wanted
        )
    )
    QApplication.processEvents()
