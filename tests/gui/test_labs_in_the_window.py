"""Any lab in the window: its list, its controls, its figures, and a scenario kept beside another one."""

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QLabel

from attnsim.choices.sections import section_of
from attnsim.gui.lab_button import LabMenu
from attnsim.gui.stage import LEAST_HEIGHT, rows_of
from attnsim.labs import LABS
from attnsim.scenario import Scenario

pytestmark = pytest.mark.slow


@pytest.fixture
def go(qtbot, window):
    """Return what opens a lab and waits for its complete picture."""

    def open_(key, **changes):
        session = window.session
        session.go_to(key)
        if changes:
            assert session.propose(**changes)
        qtbot.waitUntil(
            lambda: (
                session.frame.experiment == session.lab.experiment
                and session.frame.generation == session.generation
                and session.frame.result.fraction >= 1.0
                and not session.busy
                and not window._refresh_timer.isActive()
            ),
            timeout=120_000,
        )
        qtbot.wait(1)

    return open_


@pytest.mark.parametrize("key", LABS)
def test_every_lab_opens_with_its_first_figures_and_carries_the_scenario_along(window, go, key):
    window.session.propose(dim=64, keys=16, rows=200, seed=11)
    go(key)
    assert [panel.key for panel in window.panels] == list(LABS[key].first)
    assert all(panel.figure is not None and panel.figure.title for panel in window.panels)
    scenario = window.session.scenario
    assert (scenario.dim, scenario.keys, scenario.seed) == (64, 16, 11)
    assert type(scenario.section) is type(section_of(key))
    assert window.header.title.text()


@pytest.mark.parametrize("key", LABS)
def test_every_field_of_a_lab_has_a_control_that_moves_it(window, go, key):
    window.session.propose(dim=16, keys=8, rows=50)
    go(key)
    page, section = window.sidebar.page, section_of(key)
    for field in () if section is None else section.__dataclass_fields__:
        control = page.knobs.get(field) or page.choices.get(field)
        assert control is not None, f"{field} has no control"
        if field in page.knobs:
            control.spin.setValue(control.knob.low)
            assert getattr(window.session.scenario.section, field) == control.knob.low
        else:
            control.setCurrentIndex(control.count() - 1)
            assert getattr(window.session.scenario.section, field) == control.itemData(control.count() - 1)
    for pick in LABS[key].picks:
        page.picks[pick.name].setCurrentIndex(len(pick.options) - 1)
        assert window.session.view.pick(pick.name, "") == pick.options[-1][0]


def test_the_menu_lists_all_labs_and_the_figures_of_the_one_on_screen(window, go):
    menu = window.sidebar.labs.menu
    assert list(menu.labs) == list(LABS)
    for key in LABS:
        go(key, dim=16, keys=8, rows=50)
        assert list(menu.figures) == list(LABS[key].figures)
        assert menu.labs[key].isChecked()


def test_a_lab_is_opened_from_the_menu_and_undone(window, go, qtbot):
    menu = next(each for each in window.menuBar().findChildren(LabMenu) or window.findChildren(LabMenu))
    other = next(key for key in LABS if key != "walk")
    menu.labs[other].trigger()
    assert window.session.lab.key == other
    window.session.undo_stack.undo()
    assert window.session.lab.key == "walk"
    assert window.session.scenario == Scenario()


def test_a_figure_is_hidden_and_shown_again_but_the_last_one_stays(window, settle):
    menu = window.sidebar.labs.menu
    menu.show_figure("scores", False)
    settle()
    assert [panel.key for panel in window.panels] == ["walk", "weights"]
    menu.show_figure("walk", False)
    menu.show_figure("weights", False)
    settle()
    assert [panel.key for panel in window.panels] == ["weights"]
    assert "has to stay" in window.messages.label.text()
    menu.show_figure("walk", True)
    settle()
    assert [panel.key for panel in window.panels] == ["walk", "weights"]


def test_cards_stand_in_rows_of_three_and_four_in_two_by_two():
    keys = tuple("abcdef")
    assert [rows_of(keys[:count]) for count in (1, 3, 4, 5)] == [
        [("a",)], [("a", "b", "c")], [("a", "b"), ("c", "d")], [("a", "b", "c"), ("d", "e")],
    ]  # fmt: skip


def test_where_it_is_narrow_more_than_three_cards_stand_in_twos():
    keys = tuple("abcdef")
    assert [len(row) for row in rows_of(keys, width=700.0)] == [2, 2, 2]
    assert [len(row) for row in rows_of(keys[:3], width=700.0)] == [3]


def test_a_pinned_scenario_stays_beside_the_one_that_changes(window, settle, qtbot):
    settle()
    window.actions_["pin"].trigger()
    window.session.propose(dim=64)
    settle()
    qtbot.waitUntil(lambda: window.pinned.frame is not None and bool(window.stage.pinned), timeout=60_000)
    qtbot.waitUntil(lambda: window.stage.pinned[0].figure is not None, timeout=60_000)
    assert (window.pinned.frame.scenario.dim, window.session.frame.scenario.dim) == (256, 64)
    top, bottom = window.stage.pinned[0], window.panels[0]
    assert top.figure.plots[0].x.high > bottom.figure.plots[0].x.high
    assert (top._side.text(), bottom._side.text()) == ("A", "B")
    window.actions_["pin"].trigger()
    assert not window.stage.pinned or window.pinned.scenario is None


def test_with_a_pinned_scenario_every_card_keeps_a_height_to_read_and_stands_over_its_twin(window, go, qtbot):
    window.session.propose(dim=32, keys=8, rows=50)
    window.actions_["pin"].trigger()
    go("spread")
    qtbot.waitUntil(lambda: len(window.stage.pinned) == len(window.panels) == 4, timeout=60_000)
    qtbot.waitUntil(lambda: all(card.height() >= LEAST_HEIGHT for card in window.stage.everything), timeout=5_000)
    tops = [
        [card.mapTo(window.stage, QPoint()).y() for card in cards] for cards in (window.stage.pinned, window.panels)
    ]
    assert [a < b for a, b in zip(*tops, strict=True)] == [True] * 4
    assert tops[1][0] < tops[0][2], "each row of A is followed by its own row of B"


@pytest.mark.parametrize("key", [key for key in LABS if key != "walk"])
def test_the_pinned_scenario_is_computed_in_every_lab(window, go, qtbot, key):
    window.session.propose(dim=32, keys=8, rows=50)
    window.actions_["pin"].trigger()
    go(key, seed=12)
    qtbot.waitUntil(lambda: window.pinned.frame is not None, timeout=120_000)
    qtbot.waitUntil(lambda: all(panel.figure is not None for panel in window.stage.pinned), timeout=60_000)
    assert window.pinned.frame.scenario.seed == 7
    assert window.session.frame.scenario.seed == 12
    assert [panel.key for panel in window.stage.pinned] == [panel.key for panel in window.panels]


def test_numbers_under_the_mouse_are_said_in_any_lab(window, go):
    other = "which_d"
    go(other, dim=64, keys=16, rows=200)
    panel = next(each for each in window.panels if each.views)
    view = panel.views[0]
    dots = next(mark for mark in view.plot.marks if hasattr(mark, "size") and len(mark.x))
    x, y = float(dots.x[0]), float(dots.y[0])
    import math

    place = QPointF(math.log10(x) if view.plot.x.log else x, math.log10(y) if view.plot.y.log else y)
    window._hover(view.plot, place, view)
    assert panel.bubble.isVisible()
    assert panel.bubble.text()


def test_a_choice_is_called_by_its_title_like_a_number(window, go):
    go("gradients", dim=16, keys=4, rows=20)
    combo = window.sidebar.page.choices["training_loss"]
    label = next(label for label in combo.parentWidget().findChildren(QLabel) if label.buddy() is combo)
    assert (label.text(), combo.accessibleName()) == ("Trained on", "training loss")
