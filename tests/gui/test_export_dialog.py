"""The export dialog, the menu of a card, and the thread that writes."""

import pytest
from shiboken6 import isValid

from attnsim.files.writers import WRITERS
from attnsim.gui import export_dialog, exporting
from attnsim.gui.card_menu import card_menu


@pytest.fixture
def dialog(window):
    made = export_dialog.ask_export(window)
    yield made
    if isValid(made):  # one that was taken has deleted itself
        made.reject()


def test_every_format_is_offered_and_shows_the_fields_that_matter(window, dialog):
    offered = [dialog.format.itemData(i) for i in range(dialog.format.count())]
    assert set(offered) == {ending for ending, known in WRITERS.items() if not known.missing()}
    for ending in offered:
        dialog.format.setCurrentIndex(dialog.format.findData(ending))
        kind = WRITERS[ending].kind
        assert dialog.size.isVisibleTo(dialog) == (kind != "data")
        assert dialog.dpi.isVisibleTo(dialog) == (ending == ".png")
        assert dialog.seconds.isVisibleTo(dialog) == (kind == "film")


@pytest.mark.parametrize("ending", [".pdf", ".csv"])
def test_a_figure_alone_is_written_as_it_was_chosen(window, dialog, qtbot, tmp_path, ending):
    dialog.what.setCurrentIndex(dialog.what.findData("weights"))
    dialog.format.setCurrentIndex(dialog.format.findData(ending))
    dialog.take(str(tmp_path / "one"))
    qtbot.waitUntil(lambda: not window.exports.busy, timeout=60_000)
    assert (tmp_path / f"one{ending}").stat().st_size > 1_000
    assert "is written" in window.messages.label.text()


def test_each_figure_goes_into_a_file_of_its_own(window, dialog, qtbot, tmp_path):
    dialog.what.setCurrentIndex(dialog.what.findData("each"))
    dialog.format.setCurrentIndex(dialog.format.findData(".csv"))
    dialog.take(str(tmp_path / "all.csv"))
    qtbot.waitUntil(lambda: not window.exports.busy, timeout=60_000)
    assert sorted(path.name for path in tmp_path.glob("*.csv")) == ["all-scores.csv", "all-walk.csv", "all-weights.csv"]


def test_a_film_is_broken_off_and_leaves_nothing(window, dialog, qtbot, tmp_path):
    dialog.format.setCurrentIndex(dialog.format.findData(".gif"))
    dialog.seconds.setValue(20.0)
    dialog.take(str(tmp_path / "walk.gif"))
    assert window.messages.action.isVisible()
    window.messages.action.click()
    qtbot.waitUntil(lambda: not window.exports.busy, timeout=60_000)
    assert list(tmp_path.glob("*.gif*")) == []
    assert "broken off" in window.messages.label.text()


def test_the_window_answers_while_a_film_is_written(window, dialog, qtbot, tmp_path):
    dialog.format.setCurrentIndex(dialog.format.findData(".gif"))
    dialog.size.setCurrentIndex(dialog.size.findData("1280x720"))
    dialog.seconds.setValue(20.0)
    dialog.take(str(tmp_path / "walk.gif"))
    window.session.propose(dim=100)
    qtbot.waitUntil(lambda: window.session.frame.scenario.dim == 100, timeout=60_000)
    assert window.exports.busy
    window.exports.cancel()
    qtbot.waitUntil(lambda: not window.exports.busy, timeout=60_000)


def test_a_file_that_cannot_be_written_is_one_sentence(window, qtbot, tmp_path):
    (tmp_path / "folder.png").mkdir()
    exporting.export(window, str(tmp_path / "folder.png"))
    qtbot.waitUntil(lambda: not window.exports.busy, timeout=60_000)
    assert window.messages.property("tone") == "bad"
    assert "\n" not in window.messages.label.text()


def test_the_menu_of_a_card_exports_copies_and_hides_it(window, settle):
    panel = window.panels[1]
    entries = {action.text(): action for action in card_menu(window, panel).actions() if action.text()}
    assert {"Export this figure…", "Copy picture", "Copy data", "Hide this figure"} <= set(entries)
    entries["Copy data"].trigger()
    from PySide6.QtGui import QGuiApplication

    text = QGuiApplication.clipboard().text()
    assert text.startswith("scores/")
    assert "\t" in text
    entries["Hide this figure"].trigger()
    settle()
    assert [each.key for each in window.panels] == ["walk", "weights"]
