import numpy as np
import pytest

from attnsim.figures.marks import Axis, Band, Bars, Cursor, Dots, Figure, Line, Paths, Plot, Rug, Text
from attnsim.gui.app import application
from attnsim.gui.panel import FigurePanel
from attnsim.gui.theme import DARK, LIGHT

X = np.linspace(0.0, 1.0, 5)


def marks(height=1.0):
    return (
        Band(X, -X, X, "row_band"),
        Bars(X, height * X + 0.1, 0.1, "rule_none"),
        Line(X, X, dashed=True),
        Dots(X, X, "marked_0"),
        Paths(X, np.outer(X, [1.0, 2.0]), 5, np.arange(2)),
        Rug(X, "ink"),
        Cursor(0.5, "accent"),
        Text(0.5, 0.5, "√m", bold=True),
    )


def figure(plots):
    return Figure("walk", "Title", "line under it", "note", tuple(plots), "One sentence.")


@pytest.fixture
def panel(qtbot):
    application()
    panel = FigurePanel("walk")
    qtbot.addWidget(panel)
    panel.resize(420, 500)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("log", [False, True])
def test_every_kind_of_mark_is_drawn_on_both_axes_in_both_themes(panel, theme, log):
    axis = Axis("y", 1e-3, 2.0, log=log)
    panel.show_figure(figure([Plot("a", Axis("x", 0.0, 1.0), axis, marks(), heading=(("q·k", "rule_none"),))]), theme)
    assert len({panel.grab().toImage().pixel(x, y) for x in range(40, 400, 7) for y in range(90, 440, 7)}) > 8


def test_moving_marks_keeps_the_items_and_their_views(panel):
    panel.show_figure(figure([Plot("a", Axis("x"), Axis("y"), marks())]), LIGHT)
    view, items = panel.views[0], [each.item for each in panel.views[0]._holders]
    panel.show_figure(figure([Plot("a", Axis("x"), Axis("y"), marks(2.0))]), LIGHT)
    assert panel.views[0] is view
    assert [each.item for each in view._holders] == items


def test_one_mark_more_keeps_the_items_before_it(panel):
    panel.show_figure(figure([Plot("a", Axis("x"), Axis("y"), marks())]), LIGHT)
    before = [each.item for each in panel.views[0]._holders]
    panel.show_figure(figure([Plot("a", Axis("x"), Axis("y"), (*marks(), Cursor(0.2)))]), LIGHT)
    assert [each.item for each in panel.views[0]._holders][:-1] == before


def test_plots_above_each_other_have_frames_of_their_weights_and_one_left_edge(panel):
    plots = [
        Plot("a", Axis(ticks=()), Axis(high=1000.0), marks(), weight=2.0),
        Plot("b", Axis("key"), Axis(), marks(), weight=1.0),
    ]
    panel.show_figure(figure(plots), LIGHT)
    above, below = panel.views
    assert above.box.height() == pytest.approx(2.0 * below.box.height(), abs=3.0)
    assert above.box.sceneBoundingRect().left() == below.box.sceneBoundingRect().left()


def test_a_plot_beside_another_shares_its_height_and_range(panel):
    plots = [
        Plot("a", Axis("x"), Axis("y", -3.0, 3.0), marks()),
        Plot("b", Axis(ticks=()), Axis("", -3.0, 3.0, ticks=()), marks(), weight=0.2, beside=True),
    ]
    panel.show_figure(figure(plots), LIGHT)
    first, beside = panel.views
    assert first.box.height() == beside.box.height()
    first.box.setYRange(-1.0, 1.0, padding=0.0)
    np.testing.assert_allclose(beside.box.viewRange()[1], [-1.0, 1.0])


def test_the_sentence_becomes_the_description(panel):
    panel.show_figure(figure([Plot("a", Axis(), Axis(), marks())]), LIGHT)
    panel.describe()
    assert panel.accessibleName() == "Title"
    assert panel.accessibleDescription() == "One sentence."


def test_the_note_is_cut_before_the_title(panel):
    panel.resize(220, 300)
    panel.show_figure(figure([Plot("a", Axis(), Axis(), marks())]), LIGHT)
    panel._title.setText("Score distribution")
    panel._note.say("line: normal limit")
    panel.layout().activate()
    assert panel._title.width() >= panel._title.sizeHint().width()
    assert panel._title.geometry().right() < panel._note.geometry().left()
    assert panel._note.geometry().right() <= panel.width() - 14


def test_a_y_axis_has_its_name_beside_it_and_room_for_it(panel):
    ticks = ((0.0, "0"), (0.5, "-1000"), (1.0, "1"))
    panel.show_figure(figure([Plot("a", Axis(), Axis("", ticks=ticks), ())]), LIGHT)
    bare = panel.views[0].box.sceneBoundingRect().left()
    before = panel.views[0].grab().toImage()
    panel.show_figure(figure([Plot("a", Axis(), Axis("running sum of q·k", ticks=ticks), ())]), LIGHT)
    view = panel.views[0]
    assert view.box.sceneBoundingRect().left() >= bare + 14
    after = view.grab().toImage()
    strip = {after.pixel(x, y) for x in range(2, 14) for y in range(view.height() // 4, 3 * view.height() // 4)}
    assert len(strip) > 3
    assert len({before.pixel(2, y) for y in range(view.height() // 4, 3 * view.height() // 4)}) == 1


def test_the_highest_tick_is_not_cut_and_ticks_left_out_still_count_for_the_width(panel):
    ticks = ((0.0, "0"), (0.5, "0.555"), (1.0, "1"))
    plot = Plot("a", Axis(), Axis("", ticks=ticks), ())
    panel.resize(220, 110)
    panel.show_figure(figure([plot]), LIGHT)
    few = panel.views[0].axes.y
    panel.resize(220, 400)
    panel.show_figure(figure([plot]), LIGHT)
    view = panel.views[0]
    assert len(few) < len(view.axes.y)
    assert view.box.sceneBoundingRect().top() >= 6.0
    from PySide6.QtGui import QFontMetricsF

    from attnsim.gui.theme import font

    assert view.box.sceneBoundingRect().left() >= QFontMetricsF(font(12)).horizontalAdvance("0.555") + 7.0
