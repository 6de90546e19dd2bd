import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea

from attnsim.choices.laws import LAWS
from attnsim.scenario import Scenario, knobs, offered_scalings, options


def test_there_is_a_control_for_every_field(window):
    sidebar = window.sidebar
    fields = {*sidebar.knobs, *sidebar.choices, "seed", "scalings"}
    assert fields == set(Scenario.__dataclass_fields__) - {"section"}  # of other labs


@pytest.mark.parametrize(
    ("field", "value"),
    [("dim", 100), ("keys", 9), ("sigma_q", 2.5), ("sigma_k", 0.5), ("mean_q", 1.5), ("mean_k", -0.25), ("rho", 0.4),
     ("r_q", 0.3), ("r_k", 0.2), ("rows", 300), ("nu", 7.0)],
)  # fmt: skip
def test_a_typed_number_becomes_the_field_of_the_scenario(window, field, value):
    window.sidebar.knobs[field].spin.setValue(value)
    assert getattr(window.session.scenario, field) == value


@pytest.mark.parametrize("field", [name for name in knobs() if name != "seed"])
def test_a_moved_slider_proposes_its_field_and_no_other(window, field):
    before = window.session.scenario
    slider = window.sidebar.knobs[field].slider
    slider.setValue(slider.value() + 100)
    after = window.session.scenario
    assert getattr(after, field) > getattr(before, field)
    assert after.but(**{field: getattr(before, field)}) == before


def test_every_law_and_alignment_can_be_chosen(window):
    combo = window.sidebar.choices["law"]
    for number in range(combo.count()):
        combo.setCurrentIndex(number)
        assert window.session.scenario.law == tuple(LAWS)[number]
    window.sidebar.choices["aligned"].setCurrentIndex(1)
    assert window.session.scenario.aligned == options()["aligned"][1]


def test_a_parameter_of_a_law_is_offered_only_to_a_law_that_reads_it(window):
    sidebar = window.sidebar
    combo = sidebar.choices["law"]
    for name, law in LAWS.items():
        combo.setCurrentIndex(combo.findData(name))
        for field in {field for other in LAWS.values() for field in other.reads}:
            control = sidebar.knobs[field] if field in sidebar.knobs else sidebar.choices[field].parent()
            assert control.isHidden() != (field in law.reads), (name, field)


def test_an_initialisation_can_be_chosen(window):
    combo = window.sidebar.choices["initialisation"]
    window.session.propose(law="initialised")
    combo.setCurrentIndex(combo.findData("t5"))
    assert window.session.scenario.initialisation == "t5"


def test_a_law_that_cannot_take_the_correlation_is_refused_with_the_reason_and_the_old_one_stays(window):
    window.session.propose(rho=0.3)
    combo = window.sidebar.choices["law"]
    combo.setCurrentIndex(combo.findData("low_rank"))
    assert window.session.scenario.law == "normal"
    assert combo.currentData() == "normal"
    assert "rho must be 0 for the law low_rank" in window.messages.label.text()
    window.session.propose(rho=0.0)
    combo.setCurrentIndex(combo.findData("low_rank"))
    assert not window.sidebar.knobs["rho"].isEnabled()
    assert "through their matrices alone" in window.sidebar.knobs["rho"].toolTip()


def test_the_dice_throws_another_seed_and_the_field_takes_the_largest(window, qtbot):
    before = window.session.scenario.seed
    window.sidebar.seed.dice.click()
    assert window.session.scenario.seed != before
    window.sidebar.seed.edit.setText(str(2**63 - 1))
    window.sidebar.seed.edit.editingFinished.emit()
    assert window.session.scenario.seed == 2**63 - 1


def test_a_chip_takes_its_rule_away_and_gives_it_back_in_its_place(window):
    before = window.session.scenario.scalings
    chip = window.sidebar.rules.chips["inverse_d"]
    chip.click()
    assert "inverse_d" not in window.session.scenario.scalings
    chip.click()
    assert set(window.session.scenario.scalings) == set(before)


def test_a_rule_with_a_number_is_added_as_a_chip(window, qtbot, settle):
    rules = window.sidebar.rules
    rules.kind.setCurrentIndex(rules.kind.findData("power"))
    rules.number.setValue(0.3)
    rules.add.click()
    assert window.session.scenario.scalings[-1] == "power:0.3"
    assert rules.chips["power:0.3"].isChecked()
    settle()
    assert len(window.panels[-1].views) == len(window.session.scenario.scalings)


def test_the_last_rule_cannot_be_taken_away(window):
    rules = window.sidebar.rules
    for name in window.session.scenario.scalings[1:]:
        rules.chips[name].click()
    last = window.session.scenario.scalings
    rules.chips[last[0]].click()
    assert window.session.scenario.scalings == last
    assert rules.chips[last[0]].isChecked()
    assert "1..6" in window.messages.label.text()


def test_an_impossible_correlation_is_refused_in_a_sentence_and_the_scenario_stays(window):
    window.session.propose(r_q=0.9, r_k=0.9)
    before = window.session.scenario
    window.sidebar.knobs["rho"].spin.setValue(0.5)
    assert window.session.scenario == before
    assert window.messages.isVisible()
    assert window.messages.label.text().startswith("rho must lie in -0.1..0.1")
    assert window.sidebar.knobs["rho"].spin.value() == before.rho


def test_the_compared_rule_is_the_lower_score_plot(window, qtbot):
    window.sidebar.rules.rule.setCurrentIndex(window.sidebar.rules.rule.findData("inverse_d"))
    assert window.session.view.rule == "inverse_d"
    qtbot.waitUntil(lambda: any(role == "rule_inverse_d" for _text, role in window.panels[1].views[1].plot.heading))


def test_a_drag_is_one_step_for_undo_and_typed_values_are_one_each(window):
    knob, stack = window.sidebar.knobs["dim"], window.session.undo_stack
    before = window.session.scenario.dim
    knob.slider.setSliderDown(True)
    for position in range(300, 340, 4):
        knob.slider.setValue(position)
    knob.slider.setSliderDown(False)
    assert stack.count() == 1
    knob.spin.setValue(50)
    knob.spin.setValue(60)
    assert stack.count() == 3
    for _step in range(3):
        window.actions_["undo"].trigger()
    assert window.session.scenario.dim == before
    assert knob.spin.value() == before
    window.actions_["redo"].trigger()
    assert window.session.scenario.dim not in (before, 50, 60)


def test_a_group_folds(window):
    group = window.sidebar.groups[0]
    group.head.click()
    assert group.body.isHidden()
    group.head.click()
    assert group.body.isVisible()


def test_a_focused_slider_keeps_its_arrow_keys(window, qtbot):
    slider = window.sidebar.knobs["dim"].slider
    slider.setFocus()
    before = slider.value()
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert slider.value() > before
    assert window.session.view.playhead is None


@pytest.mark.parametrize("field", ["mask", "format"])
def test_every_mask_and_format_can_be_chosen_and_says_what_it_is(window, field):
    combo = window.sidebar.choices[field]
    assert [combo.itemData(number) for number in range(combo.count())] == list(options()[field])
    for number in range(combo.count()):
        combo.setCurrentIndex(number)
        assert getattr(window.session.scenario, field) == options()[field][number]
        assert combo.itemData(number, Qt.ItemDataRole.ToolTipRole)


def test_the_number_of_a_mask_is_offered_only_to_one_that_reads_it_and_under_its_name(window):
    knob, combo = window.sidebar.knobs["mask_size"], window.sidebar.choices["mask"]
    assert knob.isHidden()
    combo.setCurrentIndex(combo.findData("strided"))
    assert not knob.isHidden()
    assert knob.label.text() == "Stride"


def test_every_rule_is_a_chip_or_in_the_list_and_can_be_added(window):
    rules = window.sidebar.rules
    offered = {rules.kind.itemData(number) for number in range(rules.kind.count())}
    assert offered | set(rules.chips) >= set(offered_scalings())
    for key in sorted(offered):
        window.session.propose(scalings=("inverse_sqrt",))
        rules.kind.setCurrentIndex(rules.kind.findData(key))
        rules.add.click()
        added = window.session.scenario.scalings[-1]
        assert added.partition(":")[0] == key
        assert rules.chips[added].isChecked()
    scroll = window.sidebar.findChild(QScrollArea)
    assert scroll.widget().minimumSizeHint().width() <= scroll.viewport().width()


def test_a_typed_formula_becomes_a_rule_and_a_wrong_one_a_sentence(window):
    window.session.propose(scalings=("inverse_sqrt",))
    rules = window.sidebar.rules
    rules.kind.setCurrentIndex(rules.kind.findData("custom"))
    assert rules.number.isHidden()
    assert not rules.formula.isHidden()
    rules.formula.setText("log(n)/sqrt(d)")
    rules.formula.returnPressed.emit()
    assert window.session.scenario.scalings[-1] == "custom:log(n)/sqrt(d)"
    assert window.sidebar.knobs["layer_number"].isHidden()
    rules.formula.setText("1/(layer*sqrt(d))")
    rules.add.click()
    assert not window.sidebar.knobs["layer_number"].isHidden()
    before = window.session.scenario
    rules.formula.setText("__import__('os')")
    rules.add.click()
    assert window.session.scenario == before
    assert "formula of custom" in window.messages.label.text()


def test_frames_of_rules_that_are_no_factors_reach_the_panels(window, settle):
    window.session.propose(scalings=("layernorm_qk", "softcap:5", "softmax1"), mask="top_k", format="fp16")
    window.session.look(rule="layernorm_qk")
    settle()
    assert len(window.panels[-1].views) == 3
    assert any("LayerNorm" in text for text, _role in window.panels[1].views[1].plot.heading)


def test_the_handle_of_rho_stays_while_another_knob_changes_what_is_allowed(window):
    window.session.propose(rho=0.4)
    rho = window.sidebar.knobs["rho"]
    before = rho.slider.value()
    window.session.propose(r_q=0.5, r_k=0.5)
    assert rho.slider.value() == before
    assert rho.value_at(rho.slider.minimum()) == -1.0
    assert rho.value_at(rho.slider.maximum()) == 1.0
    assert rho.slider.limits == (rho.position_of(-0.5), rho.position_of(0.5))
    assert "0.5" in rho.toolTip()
    window.session.propose(rho=0.0, r_q=0.0, r_k=0.0)
    assert rho.slider.limits is None


def test_a_handle_stops_at_the_limit_without_a_complaint(window):
    window.session.propose(r_q=0.3, r_k=0.3)
    rho = window.sidebar.knobs["rho"]
    rho.slider.setSliderDown(True)
    rho.slider.setValue(rho.slider.maximum())
    assert rho.slider.value() == rho.position_of(0.7)
    rho.slider.setSliderDown(False)
    assert window.session.scenario.rho == 0.7
    assert not window.messages.isVisible()


@pytest.mark.parametrize("dark", [False, True])
def test_the_track_outside_the_limits_looks_muted(window, qtbot, dark):
    from attnsim.gui.theme import DARK, LIGHT

    window.set_theme(DARK if dark else LIGHT, remembered=False)
    slider = window.sidebar.knobs["rho"].slider
    before = slider.grab().toImage()
    window.session.propose(r_q=0.7, r_k=0.7)
    after = slider.grab().toImage()
    middle = slider.height() // 2
    changed = [x for x in range(slider.width()) if before.pixel(x, middle) != after.pixel(x, middle)]
    low, high = (slider.center_of(place) for place in slider.limits)
    assert len(changed) > 0.5 * (slider.width() - (high - low))
    assert all(x < low + 1 or x > high - 1 for x in changed)


@pytest.mark.parametrize(("field", "value"), [("sigma_q", 0.0014567), ("rho", 0.123456789), ("nu", 8.12345)])
def test_enter_in_an_untouched_field_changes_nothing(window, field, value):
    window.session.propose(law="student_t", **{field: value})
    spin = window.sidebar.knobs[field].spin
    assert float(spin.text()) == pytest.approx(value, rel=1e-5)
    count = window.session.undo_stack.count()
    spin.setFocus()
    QTest.keyClick(spin, Qt.Key.Key_Return)
    assert getattr(window.session.scenario, field) == value
    assert window.session.undo_stack.count() == count


def test_a_playhead_beyond_a_shrunken_dimension_goes_to_its_end(window, settle):
    window.session.propose(dim=32)
    window.session.look(playhead=200)  # as when somebody scrubs while the old picture is still there
    settle()
    assert window.session.view.playhead is None
