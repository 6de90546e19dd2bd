"""Measures the window on this machine: what `attnsim measure` prints."""

import gc
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from attnsim.words import _

WARM_STARTS = 5
WARM_FRAMES, FRAMES = 300, 600
DRAG_VALUES, DRAG_SECONDS = 90, 1.5
SIZE = (1440, 860)
PATIENCE = 180.0  # seconds for a first run that has to compile
# a fresh interpreter that reports the time since its parent started it, at the first complete paint
CHILD = "from attnsim.gui.measure import report_start; report_start()"
STARTED, MARK = "ATTNSIM_STARTED", "attnsim-start"


def measure() -> dict[str, float]:
    """Measure start, frames, a drag and memory.

    Returns
    -------
    dict of str to float
        `frame_cpu_ms drag_values_shown drag_values_total slider_to_picture_ms first_window_ms rss_growth_mb`, and
        `first_picture_ms`: the same start until data are on screen. Times in ms, memory in MB (10^6).
    """
    choose_platform()
    if STARTED in os.environ:  # the child of a frozen program, which has no interpreter to start
        report_start()
        return {}
    from attnsim.gui.app import _destroy, application
    from attnsim.gui.window import MainWindow

    application()
    window = MainWindow()
    window.resize(*SIZE)
    window.show()
    window.session.start()
    try:
        wait(lambda: window.session.frame is not None and window.session.frame.result.complete)
        numbers = _play(window) | _drag(window)
    finally:
        window.session.stop()
        _destroy(window)
    return numbers | _starts()


def choose_platform() -> None:
    """Draw offscreen where there is no display."""
    if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"


def wait(condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Let Qt work until a condition holds."""
    from PySide6.QtCore import QCoreApplication, QEventLoop

    end = time.perf_counter() + seconds
    while not condition():
        if time.perf_counter() > end:
            raise ValueError(_("the window must answer within {seconds:g} s, and did not").format(seconds=seconds))
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
        time.sleep(0.0005)


class _Paints:
    """Watches the paint events of the panels' first views; `count` is that of the walks."""

    def __init__(self, window: object, counted: Callable[[int], object] = lambda count: None) -> None:
        from PySide6.QtCore import QEvent, QObject

        class Filter(QObject):
            def eventFilter(inner, watched: QObject, event: QEvent) -> bool:  # noqa: N805
                if event.type() == QEvent.Type.Paint:
                    self.seen[watched] = time.perf_counter()
                    if watched is self._watched[0]:
                        self.count += 1
                        counted(self.count)
                return False

        self.count = 0
        self.seen: dict = {}
        self._filter = Filter()
        self._watched = [panel.views[0].viewport() for panel in window.panels]
        for each in self._watched:
            each.installEventFilter(self._filter)

    def all_since(self, moment: float) -> bool:
        """Whether every panel was painted after a moment."""
        return all(self.seen.get(each, 0.0) > moment for each in self._watched)

    def remove(self) -> None:
        """Stop counting."""
        for each in self._watched:
            each.removeEventFilter(self._filter)


def _play(window: object) -> dict[str, float]:
    """Play until 600 frames are painted, from the start again at the end."""
    window.transport.speed.setCurrentIndex(window.transport.speed.findData(2.0))
    _run_frames(window, WARM_FRAMES)
    gc.collect()
    memory, cpu = _resident_mb(), time.process_time()
    frames = _run_frames(window, FRAMES)
    cpu, memory = time.process_time() - cpu, _resident_mb() - memory
    window.transport.pause()
    window.transport.to_end()
    return {"frame_cpu_ms": round(1e3 * cpu / frames, 2), "rss_growth_mb": round(memory, 2)}


def _run_frames(window: object, wanted: int) -> int:
    """Let Qt's own loop run until so many frames are painted: polling it would cost CPU of its own."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    paints = _Paints(window, lambda count: count >= wanted and loop.quit())
    again = window.transport.playing_changed.connect(lambda on: on or QTimer.singleShot(0, window.transport.toggle))
    window.transport.toggle()
    loop.exec()
    window.transport.playing_changed.disconnect(again)
    window.transport.pause()
    paints.remove()
    return paints.count


def _drag(window: object) -> dict[str, float]:
    """Drag the dimension's slider through 90 values in 1.5 s, and then measure single moves."""
    slider = window.sidebar.knobs["dim"].slider
    shown: set[int] = set()
    proposed: set[int] = set()
    window.session.frame_arrived.connect(lambda frame: shown.add(frame.scenario.dim))
    start = time.perf_counter()
    slider.setSliderDown(True)
    for number in range(DRAG_VALUES):
        wait(lambda number=number: time.perf_counter() >= start + number * DRAG_SECONDS / DRAG_VALUES)
        slider.setValue(300 + 4 * number)
        proposed.add(window.session.scenario.dim)
    slider.setSliderDown(False)
    wait(lambda: window.session.frame.scenario.dim == window.session.scenario.dim)
    paints = _Paints(window)
    delays = []
    for number in range(21):
        wait(lambda: window.session.frame.result.complete and not window.session.busy)
        before = time.perf_counter()
        slider.setValue(400 + 10 * number)
        wanted = window.session.generation
        wait(lambda wanted=wanted: window.shown_generation >= wanted)
        arrived = window.shown_at
        wait(lambda arrived=arrived: paints.all_since(arrived))
        delays.append(1e3 * (max(paints.seen.values()) - before))
    paints.remove()
    return {
        "drag_values_shown": len(shown & proposed),
        "drag_values_total": len(proposed),
        "slider_to_picture_ms": round(statistics.median(delays), 1),
    }


def _resident_mb() -> float:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        import psutil

        return float(psutil.Process().memory_info().rss) / 1e6


def _starts() -> dict[str, float]:
    """Start the program anew some times, and take the middle one."""
    windows, pictures = [], []
    child = ["measure"] if getattr(sys, "frozen", False) else ["-c", CHILD]
    for number in range(WARM_STARTS + 1):
        environment = os.environ | {STARTED: repr(time.time())}
        done = subprocess.run(
            [sys.executable, *child],
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        lines = [line.split() for line in done.stdout.splitlines() if line.startswith(MARK)]
        if done.returncode or not lines:
            raise ValueError(_("the window must start, and said: {words}").format(words=done.stderr.strip()[-200:]))
        if number:  # the first one warms the disk cache
            windows.append(float(lines[0][1]))
            pictures.append(float(lines[0][2]))
    return {
        "first_window_ms": round(statistics.median(windows), 0),
        "first_picture_ms": round(statistics.median(pictures), 0),
    }


def report_start() -> None:
    """Start the window as the program does, and print when it was painted and when it showed data."""
    started = float(os.environ[STARTED])
    from attnsim.gui.app import _destroy, application
    from attnsim.gui.window import MainWindow

    application()
    window = MainWindow()
    window.resize(*SIZE)
    window.show()
    window.begin()
    wait(lambda: window.painted_all)
    first = 1e3 * (time.time() - started)
    wait(lambda: window.session.frame is not None and window.shown_generation > 0)
    paints = _Paints(window)
    wait(lambda: paints.all_since(0.0))
    picture = 1e3 * (time.time() - started)
    sys.stdout.write(f"{MARK} {first:.1f} {picture:.1f}\n")
    sys.stdout.flush()
    window.session.stop()
    _destroy(window)
