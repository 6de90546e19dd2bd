import pytest
from PySide6.QtCore import Qt


def test_playing_begins_at_the_start_and_reaches_the_end(window, qtbot, settle):
    window.session.propose(dim=16)
    settle()
    seen = []
    window.session.view_changed.connect(lambda view: seen.append(view.playhead))
    window.transport.speed.setCurrentIndex(window.transport.speed.count() - 1)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    assert window.transport.playing
    qtbot.waitUntil(lambda: not window.transport.playing, timeout=20_000)
    assert seen[0] == 0
    assert seen[-1] is None
    steps = seen[:-1]
    assert steps == sorted(steps)


def test_steps_walk_the_checkpoints_and_stop_at_both_ends(window, qtbot):
    dim = window.session.frame.result.row.dim
    for key, expected in (
        (Qt.Key.Key_Left, dim - 1), (Qt.Key.Key_Left, dim - 2), (Qt.Key.Key_Right, dim - 1), (Qt.Key.Key_Right, None),
        (Qt.Key.Key_Right, None), (Qt.Key.Key_Home, 0), (Qt.Key.Key_Left, 0), (Qt.Key.Key_End, None),
    ):  # fmt: skip
        qtbot.keyClick(window, key)
        assert window.session.view.playhead == expected


def test_scrubbing_pauses_and_every_panel_follows(window, qtbot):
    window.transport.toggle()
    window.transport.scrub.setValue(100)
    assert not window.transport.playing
    assert window.session.view.playhead == 100
    qtbot.waitUntil(lambda: "100" in window.header.detail.text())
    assert "100" in window.transport.label.text()
    walk = window.panels[0].figure.plots[0]
    assert any(getattr(mark, "shown", None) == 101 for mark in walk.marks)


def test_pause_keeps_the_playhead(window, qtbot):
    window.transport.toggle()
    qtbot.waitUntil(lambda: (window.session.view.playhead or 0) > 3, timeout=10_000)
    window.transport.toggle()
    held = window.session.view.playhead
    qtbot.wait(80)
    assert window.session.view.playhead == held


def test_nothing_is_simulated_while_it_plays(window, qtbot):
    generation, result = window.session.generation, window.session.frame.result
    window.transport.toggle()
    qtbot.wait(150)
    window.transport.pause()
    assert window.session.generation == generation
    assert window.session.frame.result is result


@pytest.mark.parametrize("factor", [0.25, 8.0])
def test_speed_is_offered_from_a_quarter_to_eight(window, factor):
    assert window.transport.speed.findData(factor) >= 0


def test_a_smaller_dimension_brings_the_playhead_to_its_end(window, qtbot, settle):
    window.transport.scrub.setValue(200)
    window.session.propose(dim=64)
    settle()
    assert window.session.view.playhead is None
    assert window.transport.scrub.maximum() == 64


def test_label_headline_and_panels_never_show_different_moments(window, qtbot, settle):
    window.session.propose(dim=4000)  # more dimensions than checkpoints
    settle()
    for playhead in (0, 1001, 2503, None):
        window.session.look(playhead=playhead)
        now = window.transport.label.text(), window.header.detail.text(), window.panels[0].figure
        qtbot.waitUntil(lambda: not window._refresh_timer.isActive())
        then = window.transport.label.text(), window.header.detail.text(), window.panels[0].figure
        assert all(a is not b for a, b in zip(now, then, strict=True)) or playhead is None
        step = int(window.session.frame.result.row.steps[max(0, window.session.frame.result.row.index(playhead))])
        assert window.transport.label.text().startswith(f"d = {step:,} of")
        assert window.header.detail.text().split()[2].rstrip(":") == f"{step:,}"


def test_the_label_waits_for_the_picture_of_its_moment(window, qtbot):
    before = window.transport.label.text()
    window.session.look(playhead=17)
    assert window.transport.label.text() == before
    window.refresh()
    assert window.transport.label.text() == "d = 17 of 256"
    assert window.header.detail.text().startswith("d = 17 ")
