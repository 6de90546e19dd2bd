"""Fields take a number and hand the keyboard back."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication


@pytest.fixture
def field(window, qtbot):
    """The field of the dimension, with the focus and its text selected."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    spin = window.sidebar.knobs["dim"].spin
    spin.setFocus()
    spin.selectAll()
    qtbot.waitUntil(spin.hasFocus)
    return spin


def test_enter_commits_and_the_shortcuts_work_again(window, qtbot, field):
    qtbot.keyClicks(field, "100")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert window.session.scenario.dim == 100
    assert QApplication.focusWidget() is window._content
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Home)
    assert window.session.view.playhead == 0
    assert window.session.undo_stack.count() == 1


def test_escape_leaves_the_value_and_hands_the_keyboard_back(window, qtbot, field):
    before = window.session.scenario.dim
    window.session.pin(3)
    qtbot.keyClicks(field, "100")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == str(before)
    assert window.session.scenario.dim == before
    assert QApplication.focusWidget() is window._content
    assert window.session.view.marked == (3,)  # the field's Esc is not the window's
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert window.session.view.marked == ()


def test_a_space_in_a_field_plays_and_blanks_nothing(window, qtbot, field):
    before = field.text()
    qtbot.keyClick(field, Qt.Key.Key_Space)
    assert field.text() == before
    assert window.transport.playing
    window.transport.pause()


@pytest.mark.parametrize("name", ["dim", "rho", "seed"])
def test_a_blank_field_returns_to_its_value_when_it_loses_the_focus(window, qtbot, field, name):
    control = window.sidebar.seed.edit if name == "seed" else window.sidebar.knobs[name].spin
    before, scenario = control.text(), window.session.scenario
    control.setFocus()
    line = control if name == "seed" else control.lineEdit()
    line.selectAll()
    qtbot.keyClick(control, Qt.Key.Key_Backspace)
    assert not line.text().strip()
    window._content.setFocus()
    assert control.text() == before
    assert window.session.scenario == scenario


def test_undo_is_the_windows_also_while_a_field_has_the_focus(window, qtbot, field):
    before = window.session.scenario.dim
    field.setValue(50)
    qtbot.keyClicks(field, "7")
    qtbot.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.session.scenario.dim == before
    assert field.text() == str(before)
    qtbot.keyClick(field, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert window.session.scenario.dim == 50


def test_the_seed_field_takes_enter_and_escape_too(window, qtbot, field):
    edit = window.sidebar.seed.edit
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "11")
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert edit.text() == str(window.session.scenario.seed) != "11"
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "12")
    qtbot.keyClick(edit, Qt.Key.Key_Enter)
    assert window.session.scenario.seed == 12
    assert QApplication.focusWidget() is window._content
