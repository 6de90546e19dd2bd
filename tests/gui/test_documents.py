"""Sessions in the window: what is opened, saved, kept and restored."""

import numpy as np
import pytest
from PySide6.QtCore import QStandardPaths
from PySide6.QtGui import QGuiApplication

from attnsim.files import link
from attnsim.files import session as session_file
from attnsim.files.state_record import State
from attnsim.gui import file_menu, sharing, teaching
from attnsim.scenario import Scenario
from attnsim.view import View


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    """Keep the user's folders out of the tests."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    QStandardPaths.setTestModeEnabled(True)
    yield
    QStandardPaths.setTestModeEnabled(False)


STATE = State(
    lab="which_d", scenario=Scenario(dim=32, keys=9, seed=3, rows=100), view=View(marked=(1, 2), log_weights=True)
)


def test_a_saved_session_opens_with_lab_scenario_and_view(window, settle, tmp_path):
    window.documents.restore(STATE)
    assert window.documents.save(tmp_path / "class")
    window.documents.new()
    assert window.session.lab.key == "walk"
    window.documents.open(tmp_path / "class.attnsim")
    session = window.session
    assert (session.lab.key, session.scenario.dim, session.scenario.seed) == ("which_d", 32, 3)
    assert session.view.marked == (1, 2)
    assert session.view.log_weights
    assert window.windowTitle().startswith("class.attnsim")


def test_a_change_after_saving_is_unsaved_until_it_is_saved(window, tmp_path):
    window.documents.save(tmp_path / "one")
    assert not window.documents.unsaved
    window.session.propose(dim=99)
    assert window.documents.unsaved
    window.documents.save()
    assert not window.documents.unsaved
    assert window.documents.recent()[0].name == "one.attnsim"


def test_a_damaged_session_is_one_sentence_and_nothing_on_screen_changes(window, tmp_path):
    path = tmp_path / "bad.attnsim"
    path.write_text("nonsense")
    window.documents.open(path)
    assert window.messages.label.text().count("\n") == 0
    assert window.messages.property("tone") == "bad"
    assert window.session.scenario == Scenario()


def test_a_place_that_cannot_be_written_is_one_sentence_and_the_session_stays_unsaved(window, tmp_path):
    window.documents.save(tmp_path / "one")
    before = (tmp_path / "one.attnsim").read_bytes()
    (tmp_path / "folder.attnsim").mkdir()
    window.session.propose(dim=99)
    assert not window.documents.save(tmp_path / "folder.attnsim")
    assert window.messages.property("tone") == "bad"
    assert window.documents.unsaved
    assert (tmp_path / "one.attnsim").read_bytes() == before


def test_what_a_crash_leaves_is_offered_and_taken_back(window, tmp_path):
    documents = window.documents
    folder = documents.folder()
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("session-*.attnsim"):
        old.unlink()
    left = session_file.write(folder / "session-999999999.attnsim", STATE)
    window.welcome()
    assert window.messages.action.isVisible()
    window.messages.action.click()
    assert (window.session.lab.key, window.session.scenario.dim) == ("which_d", 32)
    assert not left.exists()
    assert "session-" not in window.windowTitle() + window.messages.label.text()
    window._interactive = False


def test_real_vectors_that_are_few_travel_with_the_session(window, settle, tmp_path):
    draw = np.random.default_rng(1)
    np.savez(tmp_path / "heads.npz", q=draw.normal(size=(2, 5, 16)), k=draw.normal(size=(2, 5, 16)))
    from attnsim.files.readers import load_vectors

    window.session.set_vectors(load_vectors(tmp_path / "heads.npz").at(head=1, row=3))
    settle()
    scores = window.session.frame.result.row.scores(-1)
    window.documents.save(tmp_path / "real")
    window.documents.new()
    settle()
    assert window.session.vectors is None
    window.documents.open(tmp_path / "real.attnsim")
    settle()
    np.testing.assert_allclose(window.session.frame.result.row.scores(-1), scores)


def test_the_link_that_is_copied_opens_the_same_state(window):
    window.documents.restore(STATE)
    sharing.copy_link(window)
    text = QGuiApplication.clipboard().text()
    assert link.is_link(text)
    state, said = link.from_link(text)
    assert not said
    assert (state.lab, state.scenario, state.view.marked) == ("which_d", window.session.scenario, (1, 2))
    window.documents.new()
    window.documents.open(text)
    assert window.session.scenario.dim == 32


def test_script_and_command_that_are_copied_name_the_lab(window):
    window.documents.restore(STATE)
    sharing.copy_python(window)
    assert "lab='which_d'" in QGuiApplication.clipboard().text()
    sharing.copy_command(window)
    assert QGuiApplication.clipboard().text().startswith("attnsim run which_d")


def test_the_picture_that_is_copied_has_the_card_on_it(window, settle, qtbot):
    settle()
    QGuiApplication.clipboard().clear()
    sharing.copy_picture(window, window.panels[2])
    qtbot.waitUntil(lambda: not QGuiApplication.clipboard().image().isNull(), timeout=60_000)
    image = QGuiApplication.clipboard().image()
    assert image.width() > 800
    colors = {image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}
    assert 0xFF0072B2 in colors or len(colors) > 50  # the bars of a rule, and words


def test_what_a_teacher_hides_is_gone_and_what_is_locked_stands_still(window):
    window.documents.restore(State(hidden=("rho", "law"), locked=("dim", "seed")))
    sidebar = window.sidebar
    assert sidebar.knobs["rho"].isHidden()
    assert not sidebar.knobs["dim"].isEnabled()
    assert not sidebar.seed.isEnabled()
    window.session.propose(keys=12)
    assert sidebar.knobs["rho"].isHidden()
    window.documents.new()
    assert not sidebar.knobs["rho"].isHidden()
    assert sidebar.knobs["dim"].isEnabled()


def test_the_dialog_for_a_class_goes_into_the_session_file(window, tmp_path, qtbot):
    dialog = teaching.prepare(window)
    dialog.title.setText("Lesson 1")
    row = list(dialog.names).index("keys")
    from PySide6.QtCore import Qt

    dialog.table.item(row, 2).setCheckState(Qt.CheckState.Checked)
    dialog.accept()
    window.documents.save(tmp_path / "lesson")
    state, said = session_file.read(tmp_path / "lesson.attnsim")
    assert not said
    assert (state.title, state.locked) == ("Lesson 1", ("keys",))
    assert not window.sidebar.knobs["keys"].isEnabled()


def test_a_preset_is_one_click_and_says_what_to_look_at(window):
    menu = window.preset_menu
    menu.fill()
    actions = [action for action in menu.actions() if action.text()]
    assert len(actions) >= 14
    actions[0].trigger()
    assert window.messages.isVisible()


def test_leaving_is_free_as_long_as_nothing_is_unsaved(window):
    assert file_menu.may_leave(window)
