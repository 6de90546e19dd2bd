"""What hovering says in plots of any kind."""

import re
from html import unescape
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from attnsim.figures.marks import Axis, Band, Bars, Dots, Heat, Line, Plot, Whiskers
from attnsim.gui.nearest import sentence

CANVAS = SimpleNamespace(box=SimpleNamespace(viewPixelSize=lambda: (0.01, 0.01)))  # 100 pixels a unit
X = np.array([0.25, 0.5, 0.75])
Y = np.array([0.1, 0.5, 0.9])


def said(marks, x, y, x_axis=None, y_axis=None):
    plot = Plot("a", x_axis or Axis("time"), y_axis or Axis("height"), tuple(marks))
    words = re.sub(r"</?(table|tr|td|span)[^>]*>", " ", sentence(plot, QPointF(x, y), CANVAS))
    return " ".join(unescape(words).replace("\N{NO-BREAK SPACE}", " ").split())


@pytest.mark.parametrize("kind", [Line, Dots])
def test_the_nearest_point_is_named_with_both_axes(kind):
    mark = kind(X, Y, "ink", label="none & all")
    assert said([mark], 0.52, 0.45) == "none & all time 0.500 height 0.500"
    assert said([mark], 0.5, 0.77) == ""  # 27 pixels away


def test_whole_numbers_are_whole_and_named_ticks_are_names():
    x = Axis("format", 0.0, 2.0, ticks=((0.0, "fp32"), (1.0, "bf16")))
    dots = [Dots(np.array([0.0, 1.0, 2.0]), np.array([0.2, -3.0, 1024.0]), "ink")]
    assert said(dots, 1.0, -3.0, x) == "format bf16 height −3.000"
    assert said([Dots(np.array([64.0]), np.array([4096.0]), "ink")], 64.0, 4096.0) == "time 64 height 4,096"


def test_a_mark_without_a_label_speaks_only_where_no_labelled_one_is_near():
    plain, named = Line(X, Y), Dots(X, Y + 0.1, "ink", label="measured")
    assert said([plain, named], 0.5, 0.5) == "measured time 0.500 height 0.600"
    assert said([plain, named], 0.25, 0.0) == "measured time 0.250 height 0.200"
    assert said([plain, named], 0.25, -0.1) == "time 0.250 height 0.100"


def test_dots_tell_the_interval_of_their_whiskers():
    whiskers = Whiskers(X, Y - 0.05, Y + 0.05, "rule_none", label="none")
    dots = Dots(X, Y, "rule_none", label="none")
    assert said([whiskers, dots], 0.5, 0.5) == "none time 0.500 height 0.500 (0.450 to 0.550)"
    assert said([whiskers], 0.5, 0.53) == "none time 0.500 height 0.450 to 0.550"


def test_a_bar_is_met_anywhere_inside_it_upright_or_lying():
    bars = Bars(np.array([0.0, 1.0]), np.array([2.0, 5.5]), 0.8, "ink", label="keys")
    assert said([bars], 1.3, 3.0) == "keys time 1 height 5.500"
    assert said([bars], 0.0, 2.3) == ""
    lying = Bars(np.array([0.0, 1.0]), np.array([2.0, 5.5]), 0.8, "ink", across=True)
    assert said([lying], 3.0, 1.3) == "height 1 time 5.500"


def test_a_band_speaks_inside_and_a_point_near_the_mouse_before_it():
    band = Band(X, Y - 0.3, Y + 0.3, "ink", label="95 %")
    assert said([band], 0.74, 0.65) == "95 % time 0.750 height 0.600 to 1.200"
    assert said([band, Line(X, Y, label="theory")], 0.74, 0.8) == "theory time 0.750 height 0.900"


def test_a_cell_says_both_centres_and_its_value_and_an_empty_one_nothing():
    edges = 2.0 ** np.array([2.5, 3.5, 4.5])
    heat = Heat(edges, np.array([0.0, 1.0, 2.0]), np.array([[0.25, 0.5], [np.nan, 1.0]]), 0.0, 1.0, title="weight")
    x = Axis("dimension", edges[0], edges[-1], log=True)
    assert said([heat], np.log10(15.0), 0.9, x) == "dimension 16 height 0.500 weight 0.500"
    assert said([heat], np.log10(8.0), 1.5, x) == ""
    assert said([heat], np.log10(64.0), 0.9, x) == ""
    assert said([heat, Line(np.array([16.0]), np.array([0.8]))], np.log10(16.0), 0.8, x).endswith("weight 0.500")


def test_on_a_logarithmic_axis_near_means_near_on_screen():
    line = Line(np.array([1.0, 10.0, 100.0]), np.array([1.0, 1.0, 1.0]), label="flat")
    assert said([line], 1.1, 1.0, Axis("d", 1.0, 100.0, log=True)) == "flat d 10 height 1"
    assert said([line], 1.5, 1.0, Axis("d", 1.0, 100.0, log=True)) == ""


def test_nothing_to_say_of_nan_or_of_an_empty_plot():
    assert said([], 0.5, 0.5) == ""
    assert said([Line(X, np.full(3, np.nan), label="gone"), Dots(X[:0], X[:0], "ink", label="none")], 0.5, 0.5) == ""
