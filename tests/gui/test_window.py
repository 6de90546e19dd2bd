"""The whole window: frames, hover and pins, themes, files, exports, errors."""

import ast
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAccessible, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

import attnsim.gui
from attnsim.figures.marks import Paths

GUI = Path(attnsim.gui.__file__).parent


def paths_of(window):
    return next(mark for mark in window.panels[0].figure.plots[0].marks if isinstance(mark, Paths))


def spot(view, x, y):
    """Return where a point of a plot stands in its viewport."""
    return view.mapFromScene(view.box.mapViewToScene(QPointF(x, y)))


def vectors_file(folder, **arrays):
    draw = np.random.default_rng(5)
    path = folder / "two_heads.npz"
    np.savez(path, q=draw.normal(size=(2, 6, 8)), k=draw.normal(size=(2, 6, 8)), **arrays)
    return path


def test_every_panel_shows_the_same_frame(window):
    dim = window.session.scenario.dim
    assert f"{dim}" in window.header.detail.text()
    assert [panel.figure.key for panel in window.panels] == ["walk", "scores", "weights"]
    assert window.shown_generation == window.session.generation


def test_hovering_a_walk_marks_its_key_in_all_panels_and_says_its_numbers(window, qtbot):
    view, paths = window.panels[0].views[0], paths_of(window)
    key = int(np.argmax(paths.ys[-1]))
    qtbot.mouseMove(view.viewport(), spot(view, paths.x[-1], paths.ys[-1, key]))
    qtbot.waitUntil(lambda: window.session.view.hovered == key)
    qtbot.waitUntil(lambda: all("marked_0" in repr(panel.figure) for panel in window.panels))
    said = window.panels[0].bubble.text()
    assert window.panels[0].bubble.isVisible()
    assert f"key {key}" in said
    assert all(rule.title in said for rule in window.session.scenario.rules)


def test_a_click_pins_a_key_and_a_second_one_unpins_it(window, qtbot):
    view, paths = window.panels[0].views[0], paths_of(window)
    at = spot(view, paths.x[-1], paths.ys[-1, int(np.argmin(paths.ys[-1]))])
    key = int(paths.keys[int(np.argmin(paths.ys[-1]))])
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert window.session.view.marked == (key,)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert window.session.view.marked == ()


def test_a_bar_and_a_stroke_name_their_keys_too(window, qtbot):
    weights = window.panels[2].views[0]
    largest = int(weights.plot.keys[0])
    qtbot.mouseMove(weights.viewport(), spot(weights, 0.0, 0.01))
    qtbot.waitUntil(lambda: window.session.view.hovered == largest)
    raw = window.panels[1].views[0]
    score = float(window.session.frame.result.row.scores(-1)[largest])
    qtbot.mouseMove(raw.viewport(), spot(raw, score, raw.plot.y.high / 3))
    qtbot.waitUntil(lambda: window.session.view.hovered == largest)


def test_a_seventh_pin_lets_the_oldest_go(window):
    for key in range(7):
        window.session.pin(key)
    assert window.session.view.marked == (1, 2, 3, 4, 5, 6)


def test_the_theme_changes_every_part_and_is_remembered(window, qtbot):
    from attnsim.gui import theme

    before, name = window.grab().toImage(), window.theme.name
    qtbot.keyClick(window, Qt.Key.Key_D)
    after = window.grab().toImage()
    assert window.theme.name != name
    assert theme.chosen(QApplication.instance()) is window.theme
    parts = (window.header, *window.panels, window.sidebar)
    places = [widget.mapTo(window, QPoint(3, widget.height() // 2)) for widget in parts]
    assert all(before.pixel(place) != after.pixel(place) for place in places)
    qtbot.keyClick(window, Qt.Key.Key_D)
    qtbot.wait(20)
    assert window.theme.name == name
    again = window.grab().toImage()
    assert all(before.pixel(place) == again.pixel(place) for place in places)


def test_log_weights_and_bits_are_a_key_away(window, qtbot):
    qtbot.keyClick(window, Qt.Key.Key_L)
    qtbot.keyClick(window, Qt.Key.Key_B)
    assert window.session.view.log_weights
    assert window.session.view.bits
    qtbot.waitUntil(lambda: window.panels[2].figure.plots[0].y.log)
    assert "bits" in repr(window.panels[2].figure.plots[0].heading)


def test_a_file_of_vectors_opens_and_random_ones_come_back(window, qtbot, settle, tmp_path):
    window.session.open(vectors_file(tmp_path))
    qtbot.waitUntil(lambda: window.session.vectors is not None, timeout=20_000)
    settle()
    assert window.session.frame.result.vectors is window.session.vectors
    assert window.sidebar.vectors.isVisible()
    assert not window.sidebar.knobs["dim"].isVisible()
    window.sidebar.vectors.head.setValue(1)
    window.sidebar.vectors.rows.setValue(4)
    assert (window.session.vectors.head, window.session.vectors.row) == (1, 4)
    settle()
    window.sidebar.vectors.back.click()
    settle()
    assert window.session.frame.result.vectors is None
    assert window.sidebar.knobs["dim"].isVisible()


@pytest.mark.parametrize("content", [b"", b"not an archive", b"PK\x03\x04broken"])
def test_a_bad_file_is_told_in_one_sentence_and_the_picture_stays(window, qtbot, tmp_path, content):
    path = tmp_path / "bad.npz"
    path.write_bytes(content)
    frame = window.session.frame
    window.session.open(path)
    qtbot.waitUntil(window.messages.isVisible, timeout=20_000)
    assert "bad.npz" in window.messages.label.text()
    assert "\n" not in window.messages.label.text()
    assert window.session.frame is frame
    window.messages.close_button.click()
    assert not window.messages.isVisible()


def test_a_dropped_file_opens(window, qtbot, tmp_path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(vectors_file(tmp_path)))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(600, 400), Qt.DropAction.CopyAction, data, buttons, keys))
    qtbot.waitUntil(lambda: window.session.vectors is not None, timeout=20_000)


def test_an_export_is_written_by_the_worker_and_announced(window, qtbot, tmp_path):
    from attnsim.gui import exporting

    path = tmp_path / "moment.svg"
    exporting.export(window, str(path))
    qtbot.waitUntil(lambda: "is written" in window.messages.label.text(), timeout=60_000)
    assert "<svg" in path.read_text(encoding="utf-8")[:2000]


def test_an_export_that_fails_says_why(window, qtbot, tmp_path):
    from attnsim.gui import exporting

    exporting.export(window, str(tmp_path / "nowhere" / "moment.png"))
    assert "moment.png cannot be written" in window.messages.label.text()
    assert str(tmp_path / "nowhere") in window.messages.label.text()


def test_an_export_of_real_vectors_is_named_after_what_is_shown(window, qtbot, settle, tmp_path):
    from attnsim.gui import exporting

    assert exporting.suggested_name(window) == "attnsim-d256-seed7.png"
    window.session.open(vectors_file(tmp_path))
    qtbot.waitUntil(lambda: window.session.vectors is not None, timeout=20_000)
    window.sidebar.vectors.head.setValue(1)
    window.sidebar.vectors.rows.setValue(4)
    settle()
    name = exporting.suggested_name(window)
    assert name.startswith("two_heads")
    assert name.endswith("-head1-row4-d8.png")
    assert not set(name) & set(' /\\:"')


def test_the_folder_of_an_export_is_that_of_the_last_one_and_never_that_of_the_input(window, tmp_path, monkeypatch):
    from PySide6.QtCore import QSettings

    from attnsim.gui import exporting

    QSettings().setValue("folder", str(tmp_path))
    assert exporting.export_folder() != tmp_path
    last = tmp_path / "figures"
    last.mkdir()
    QSettings().setValue("export_folder", str(last))
    assert exporting.export_folder() == last
    monkeypatch.setattr(exporting.os, "access", lambda place, _mode: str(place) != str(last))  # read-only
    assert exporting.export_folder() != last


def test_the_first_window_with_its_title_bar_fits_the_screen(qtbot):
    from PySide6.QtWidgets import QWidget

    from attnsim.gui.screen import USUAL_FRAME, fit_screen

    part = QWidget()
    qtbot.addWidget(part)
    free = part.screen().availableGeometry()
    part.resize(free.size())
    fit_screen(part)
    assert part.height() == free.height() - USUAL_FRAME.top() - USUAL_FRAME.bottom()
    assert part.width() == free.width() - USUAL_FRAME.left() - USUAL_FRAME.right()


def test_an_error_in_another_thread_becomes_a_sentence(window, qtbot, capsys):
    from attnsim.gui.app import _catch_errors

    restore = _catch_errors(window)
    try:
        thread = threading.Thread(target=lambda: 1 / 0)
        thread.start()
        thread.join()
        qtbot.waitUntil(window.messages.isVisible)
    finally:
        restore()
    assert "ZeroDivisionError" in window.messages.label.text()
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_every_control_has_a_name_for_screen_readers_and_every_panel_a_sentence(window, qtbot):
    window._describe()
    nameless = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isVisible()
        and widget.focusProxy() is None  # the line inside a spin box, which hands the focus on to it
        and not QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name).strip()
    ]
    assert nameless == []
    assert all(panel.accessibleDescription() == panel.figure.summary for panel in window.panels)


def test_tab_goes_round_all_visible_controls(window, qtbot):
    wanted = {*window.transport.controls(), window.header.export, window.sidebar.knobs["dim"].slider}
    seen, widget = set(), window.sidebar.knobs["dim"].spin
    for _step in range(400):
        seen.add(widget)
        widget = widget.nextInFocusChain()
    assert wanted <= seen


def test_no_plot_offers_a_context_menu(window):
    views = [view for panel in window.panels for view in panel.views]
    assert all(not view.box.menuEnabled() for view in views)


def test_a_wheel_zooms_and_the_full_view_comes_back(window, qtbot):
    view = window.panels[0].views[0]
    before = view.box.viewRange()
    view.box.scaleBy((0.5, 0.5))
    view.zoomed = True
    assert view.box.viewRange() != before
    assert window.panels[0].views[1].box.viewRange()[1] == pytest.approx(view.box.viewRange()[1])
    qtbot.keyClick(window, Qt.Key.Key_Z)
    np.testing.assert_allclose(view.box.viewRange(), before)


def test_undo_brings_the_first_settings_back(window, settle):
    first = window.session.scenario
    window.session.propose(dim=32)
    window.actions_["defaults"].trigger()
    assert window.session.scenario == first
    window.actions_["undo"].trigger()
    assert window.session.scenario.dim == 32


@pytest.mark.parametrize("size", [(960, 640), (1024, 680), (1280, 800), (2560, 1440)])
def test_the_window_takes_the_sizes_it_is_made_for(window, qtbot, size):
    window.resize(*size)
    qtbot.wait(20)
    assert (window.width(), window.height()) == size
    for panel in window.panels:
        assert panel.mapTo(window, panel.rect().bottomRight()).x() < size[0]
        assert all(view.box.width() > 20 for view in panel.views)
    shown = [card for card in window.readouts.cards if card.isVisible()]
    assert len(shown) >= min(4, (size[0] - 304) // 184)
    largest = int(window.panels[2].views[0].plot.keys[0])
    for key in (largest, 52):
        window.session.pin(key)
    qtbot.waitUntil(lambda: any(view._texts for view in window.panels[2].views))
    for view in (view for panel in window.panels for view in panel.views):
        frame = view.box.sceneBoundingRect()
        assert all(frame.contains(box) for _text, box, _moved in view.placed_texts())
        assert all(frame.left() <= at.x() <= frame.right() for _face, _color, at, _text in view._runs)


def test_a_window_closed_in_the_middle_of_a_run_ends_its_worker(qtbot):
    from attnsim.gui.app import _destroy, application
    from attnsim.gui.window import MainWindow

    application()
    window = MainWindow()
    window.show()
    window.session.start()
    window.session.propose(rows=100_000, dim=2000)
    worker = window.session.worker
    _destroy(window)
    assert not worker._thread.is_alive()


SIX_HUNDRED_FRAMES = """
from attnsim.gui.measure import _run_frames, wait
from attnsim.gui.app import _destroy, application
from attnsim.gui.window import MainWindow
application()
window = MainWindow()
window.show()
window.session.start()
wait(lambda: window.session.frame is not None and window.session.frame.result.complete)
wait(lambda: window.panels[0].views)
window.transport.speed.setCurrentIndex(window.transport.speed.findData(4.0))
assert _run_frames(window, 600) >= 600
window.session.stop()
_destroy(window)
"""


@pytest.mark.slow
def test_six_hundred_frames_end_with_exit_code_0():
    command = [sys.executable, "-c", SIX_HUNDRED_FRAMES]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr


def test_the_start_loads_neither_numba_nor_scipy_nor_matplotlib():
    code = (
        "import sys; from attnsim.gui.app import application; from attnsim.gui.window import MainWindow\n"
        "application(); window = MainWindow()\n"
        "print([name for name in ('numba', 'scipy', 'matplotlib') if name in sys.modules])\n"
        "from attnsim.gui.app import _destroy; _destroy(window)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.strip() == "[]", done.stderr


SHOWING = {"setText", "setToolTip", "setAccessibleName", "setWindowTitle", "addItem", "say", "tell", "warn", "addMenu"}


@pytest.mark.parametrize("path", sorted(GUI.glob("*.py")), ids=lambda path: path.stem)
def test_every_sentence_on_screen_goes_through_words(path):
    bare = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SHOWING:
            for argument in node.args[:1]:
                text = argument.value if isinstance(argument, ast.Constant) else ""
                if isinstance(text, str) and any(letter.isalpha() for letter in text) and text != "attnsim":
                    bare.append((node.lineno, text))
    assert bare == []


def test_a_scenario_that_fails_while_it_is_drawn_is_taken_back(window, settle, monkeypatch):
    from attnsim.gui import session

    before = window.session.scenario
    original = session.EXPERIMENTS["walk"]

    def failing(scenario, vectors):
        if scenario.dim == 77:
            raise ValueError("dim must not be 77")
        yield from original(scenario, vectors)

    monkeypatch.setitem(session.EXPERIMENTS, "walk", failing)
    window.session.propose(dim=77)
    settle()
    assert window.session.scenario == before
    assert window.sidebar.knobs["dim"].spin.value() == before.dim
    assert window.messages.label.text() == "dim must not be 77"
