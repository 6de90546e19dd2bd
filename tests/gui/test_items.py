"""Pixels of single marks."""

import numpy as np
import pytest
from PySide6.QtGui import QTransform

from attnsim.figures.marks import Axis, Band, Bars, Line, Plot
from attnsim.gui.app import application
from attnsim.gui.items import REST, even_gaps, stand_apart
from attnsim.gui.plot_view import PlotView
from attnsim.gui.theme import DARK, LIGHT

X = np.linspace(0.0, 1.0, 101)


@pytest.fixture
def view(qtbot):
    application()
    view = PlotView()
    qtbot.addWidget(view)
    view.resize(400, 300)
    view.show()
    qtbot.waitExposed(view)
    return view


def picture(view, marks, theme, frames):
    for _frame in range(frames):
        view.show_plot(Plot("a", Axis("x"), Axis("y", -1.0, 1.0), marks), theme)
        view.grab()
    return view.grab().toImage()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("dashed", [False, True])
def test_an_open_curve_fills_nothing_up_to_its_chord(view, theme, dashed):
    band = Band(X, np.full_like(X, -0.9), np.full_like(X, -0.5), "row_band", 0.9)
    arc = Line(X, np.sqrt(X), "marked_0", dashed=dashed)
    for frames in (1, 2, REST + 3):
        image = picture(view, (band, arc), theme, frames)
        frame = view.box.sceneBoundingRect()
        inside = frame.left() + 0.25 * frame.width(), frame.bottom() - 0.69 * frame.height()  # y = 0.38: arc 0.5
        outside = frame.left() + 0.25 * frame.width(), frame.bottom() - 0.9 * frame.height()
        pixel = [image.pixel(int(x), int(y)) for x, y in (inside, outside)]
        assert pixel[0] == pixel[1]


@pytest.mark.parametrize("pixels", [1.3, 2.0, 2.6, 3.4, 4.7, 9.1])
@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_bars_of_keys_are_equally_wide_with_a_gap_of_a_pixel_or_more(pixels, ratio):
    bars = np.column_stack([np.arange(64) - 0.41, np.zeros(64), np.full(64, 0.82), np.ones(64)])
    left, width = even_gaps(bars, QTransform(pixels, 0.0, 0.0, -50.0, 31.7, 100.0), ratio)
    device = left * pixels * ratio + 31.7 * ratio
    np.testing.assert_allclose(device, np.round(device), atol=1e-6)
    gaps = np.diff(device) - (width * pixels * ratio)[:-1]
    if pixels * ratio >= 2.0:
        assert np.ptp(width) < 1e-9
        assert gaps.min() >= 1.0 - 1e-6
        assert np.ptp(gaps) <= 1.0 + 1e-6
    else:
        np.testing.assert_allclose(gaps, 0.0, atol=1e-6)


@pytest.mark.parametrize("width", [165, 190, 230, 300])
def test_bars_on_screen_never_touch_and_are_equally_wide(view, width):
    view.resize(width, 200)
    marks = (Bars(np.arange(64.0), np.full(64, 0.9), 0.82, "rule_none", opacity=1.0),)
    view.show_plot(Plot("a", Axis("key", -0.8, 63.8, ticks=()), Axis("", 0.0, 1.0, ticks=()), marks), LIGHT)
    image, frame = view.grab().toImage(), view.box.sceneBoundingRect()
    row = (image.pixel(x, int(frame.bottom() - 60)) for x in range(int(frame.left()) + 1, int(frame.right()) + 1))
    runs = "".join("#" if pixel == LIGHT.color("rule_none").rgb() else " " for pixel in row).split()
    assert len(runs) == 64
    assert len({len(run) for run in runs}) == 1


def test_bars_of_a_histogram_do_not_stand_apart():
    assert not stand_apart(np.array([[0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 1.0, 1.0]]))
