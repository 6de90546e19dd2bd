"""The panel "Why?"."""

from PySide6.QtCore import Qt, QUrl

from attnsim.gui import theme


def opened(window, qtbot):
    qtbot.keyClick(window, Qt.Key.Key_W)
    qtbot.waitUntil(lambda: window.why is not None and bool(window.why.steps), timeout=20_000)
    return window.why


def test_w_opens_the_derivation_of_the_scenario_on_screen_and_closes_it(window, qtbot):
    assert window.why is None  # nothing of it is made before it is asked for
    panel = opened(window, qtbot)
    assert panel.isVisible()
    assert window.header.why.isChecked()
    text = panel.page.toPlainText()
    assert f"d = {window.session.scenario.dim}" in text
    assert "Three questions" in text
    window.actions_["why"].trigger()
    assert panel.isHidden()
    assert not window.header.why.isChecked()


def test_the_close_button_takes_the_check_off_the_menu(window, qtbot):
    panel = opened(window, qtbot)
    panel._close.click()
    assert not window.actions_["why"].isChecked()


def test_it_follows_the_scenario(window, qtbot, settle):
    panel = opened(window, qtbot)
    window.session.propose(dim=32)
    settle()
    qtbot.waitUntil(lambda: "d = 32," in panel.page.toPlainText(), timeout=20_000)


def test_while_it_plays_nothing_is_derived(window, qtbot, settle):
    panel = opened(window, qtbot)
    before = panel.shown_generation
    window.transport.toggle()
    window.session.propose(dim=32)
    settle()
    window.transport.toggle() if not window.transport.playing else None
    panel._ask()
    assert panel.shown_generation == before
    window.transport.pause()
    qtbot.waitUntil(lambda: panel.shown_generation > before, timeout=20_000)


def test_a_question_opens_its_scenario_and_undo_goes_back(window, qtbot, settle):
    panel = opened(window, qtbot)
    panel.page.anchorClicked.emit(QUrl("question:1"))
    assert window.session.scenario.mean_q == window.session.scenario.mean_k == 1.0
    settle()
    window.session.undo_stack.undo()
    assert window.session.scenario.mean_q == 0.0


def test_both_themes_colour_its_words(window, qtbot):
    panel = opened(window, qtbot)
    for chosen in (theme.DARK, theme.LIGHT):
        window.set_theme(chosen, remembered=False)
        assert chosen.text in panel.page.toHtml()


def test_its_parts_have_names_for_screen_readers(window, qtbot):
    panel = opened(window, qtbot)
    for part in (panel, panel.page, panel._close, window.header.why):
        assert part.accessibleName()
    assert panel.page.hasFocus()


def test_a_narrow_window_gives_it_a_window_of_its_own(window, qtbot):
    window.resize(1000, 700)
    assert opened(window, qtbot).isFloating()
