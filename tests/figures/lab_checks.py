"""What every figure of a lab must be: finite axes, words everywhere, marks of equal lengths."""

import math

import numpy as np

from attnsim.figures import FIGURES
from attnsim.figures.palette import THEMES, color
from attnsim.figures.summaries import summary_of
from attnsim.labs import LABS
from attnsim.view import View


def check_axis(axis):
    assert math.isfinite(axis.low)
    assert math.isfinite(axis.high)
    assert axis.low < axis.high
    assert not axis.log or axis.low > 0.0
    for value, words in axis.ticks or ():
        assert math.isfinite(value)
        assert words


def check_mark(mark):
    for theme in THEMES:
        if hasattr(mark, "role"):
            color(mark.role, theme)
    arrays = [getattr(mark, name) for name in ("x", "y", "low", "high", "centers", "heights") if hasattr(mark, name)]
    if hasattr(mark, "values") and hasattr(mark, "scale"):
        assert mark.values.shape == (len(mark.y) - 1, len(mark.x) - 1)
        assert np.all(np.diff(mark.x) > 0)
        assert np.all(np.diff(mark.y) > 0)
    else:
        assert len({np.shape(each) for each in arrays if np.ndim(each)}) <= 1


def check_lab(key, result, view=None):
    """Build every figure of a lab and what is said beside them, and return the figures by key."""
    view, built = view or View(), {}
    for name in LABS[key].figures:
        figure = built[name] = FIGURES[name](result, view)
        assert figure.key == name
        assert figure.title
        assert figure.summary
        assert figure.plots or figure.table or figure.page
        for plot in figure.plots:
            check_axis(plot.x)
            check_axis(plot.y)
            for mark in plot.marks:
                check_mark(mark)
    summary = summary_of(result)
    assert all(isinstance(words, str) for words in summary.headline(result, view))
    cards = {card.key for card in summary.readouts(result, view)}
    assert set(summary.order(result, view)) <= cards
    assert summary.caption(result)
    return built
