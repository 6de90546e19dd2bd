"""What controls, cards and F1 explain."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTextBrowser, QWidget

from attnsim.figures.readouts import readouts
from attnsim.gui import dialogs, tips
from attnsim.scenario import Scenario
from attnsim.view import View


def test_every_field_of_the_scenario_is_explained_but_the_rules_which_explain_themselves():
    assert set(tips.FIELDS) == set(Scenario.__dataclass_fields__) - {"scalings", "section"}


def test_every_control_says_what_it_does(window):
    def explained(widget):
        while widget is not None and not widget.toolTip():
            widget = widget.parentWidget()
        return widget is not None

    silent = [
        widget.accessibleName()
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isVisible()
        and widget.focusProxy() is None
        and not window.sidebar.rules.isAncestorOf(widget)
        and not explained(widget)
    ]
    assert silent == []
    assert "r_q" in window.sidebar.knobs["r_q"].toolTip()


def test_every_card_says_what_is_measured_over_what_and_what_the_gauge_is(window):
    for each in readouts(window.session.frame.result, View()):
        said = tips.card(each, of_file=False)
        assert ("Gauge" in said) == (each.low is not None)
        assert ("SE:" in said) == (each.deviation is not None)
        assert ("Saturated" in said) == (each.tone == "saturated")
    cards = {card.readout.key: card for card in window.readouts.cards if card.isVisible()}
    assert "all pairs" in cards["sd"].toolTip()
    assert "within rows" in cards["within_sd"].toolTip()
    assert "Given q" in cards["row_sd"].whatsThis()


@pytest.mark.parametrize("show", [dialogs.show_help, dialogs.show_about])
def test_dialogs_fit_the_smallest_window_and_scroll_what_does_not(window, qtbot, show):
    window.resize(window.minimumSize())
    dialog = show(window)
    qtbot.waitExposed(dialog)
    assert dialog.height() <= window.height()
    words = dialog.findChild(QTextBrowser)
    reach = words.document().size().height() - words.viewport().height()
    assert words.verticalScrollBar().maximum() >= reach - 1
    assert words.horizontalScrollBar().maximum() == 0
    assert "font-weight:700" not in words.toHtml()  # there is no bold face: Qt would smear one
    dialog.reject()


def test_f1_says_how_to_read_every_part(window, qtbot):
    dialog = dialogs.show_help(window)
    said = dialog.findChild(QTextBrowser).toPlainText()
    for part in ("How to read the picture", "Walks", "band", "Dashed", "histogram", "strokes", "Weights", "Gauge"):
        assert part in said
    dialog.reject()
