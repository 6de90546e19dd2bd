import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from attnsim.figures.marks import Axis, Paths, Plot
from attnsim.gui.app import application
from attnsim.gui.plot_view import PlotView
from attnsim.gui.theme import DARK, LIGHT
from attnsim.gui.walk_canvas import WalkCanvas

STEPS, CURVES = 80, 20


@pytest.fixture
def view(qtbot):
    application()
    view = PlotView()
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.show()
    qtbot.waitExposed(view)
    return view


def plot(shown):
    walks = np.cumsum(np.random.default_rng(3).normal(size=(STEPS, CURVES)), axis=0)
    paths = Paths(np.arange(STEPS), walks, shown, np.arange(CURVES))
    return Plot("walks", Axis("m", 0, STEPS), Axis("", -40, 40), (paths,))


def canvas(view) -> WalkCanvas:
    return view._holders[0].item


def picture(view) -> QImage:
    return view.grab().toImage()


def test_playing_forward_draws_only_the_new_segments(view):
    view.show_plot(plot(10), LIGHT)
    picture(view)
    assert canvas(view).segments_drawn == 9 * CURVES
    view.show_plot(plot(13), LIGHT)
    picture(view)
    assert canvas(view).segments_drawn == 12 * CURVES


def test_a_picture_grown_step_by_step_is_the_one_drawn_at_once(view):
    for shown in range(1, 41):
        view.show_plot(plot(shown), LIGHT)
        picture(view)
    grown = picture(view)
    canvas(view)._image = None
    view.viewport().update()
    assert canvas(view)._image is None
    at_once = picture(view)
    difference = [
        abs(a - b)
        for x in range(0, grown.width(), 3)
        for y in range(0, grown.height(), 3)
        for a, b in zip(QColor(grown.pixel(x, y)).getRgb(), QColor(at_once.pixel(x, y)).getRgb(), strict=True)
    ]
    assert max(difference) <= 2  # rounding of blended colours


@pytest.mark.parametrize("change", ["rewind", "resize", "theme", "zoom"])
def test_what_changes_the_whole_picture_draws_all_of_it_again(view, qtbot, change):
    view.show_plot(plot(40), LIGHT)
    picture(view)
    before = canvas(view).segments_drawn
    if change == "rewind":
        view.show_plot(plot(20), LIGHT)
    elif change == "resize":
        view.resize(500, 320)
    elif change == "theme":
        view.show_plot(plot(40), DARK)
    else:
        view.box.setXRange(0, 20, padding=0)
    picture(view)
    drawn = canvas(view).segments_drawn - before
    assert drawn == (19 if change == "rewind" else 39) * CURVES


def test_walks_that_are_not_finite_do_not_end_the_drawing(view):
    walks = np.full((5, 3), np.nan)
    paths = Paths(np.arange(5), walks, 5, np.arange(3))
    view.show_plot(Plot("walks", Axis("", 0, 5), Axis("", -1, 1), (paths,)), LIGHT)
    picture(view)
