import itertools

import pytest
from PySide6.QtGui import QFontMetricsF

from attnsim.figures.marks import Axis
from attnsim.gui.app import application
from attnsim.gui.axes import LABEL_PIXELS, thinned, tick_places
from attnsim.gui.theme import font

STEPS = Axis("", 0.0, 320.0, ticks=tuple((float(step), str(step)) for step in (0, 64, 128, 192, 256)))


@pytest.mark.parametrize("pixels", [40.0, 70.0, 110.0, 160.0, 400.0])
def test_ticks_never_run_together_and_the_one_at_zero_stays(pixels):
    application()
    kept = thinned(tick_places(STEPS, 0.0, 320.0, pixels), pixels / 320.0, across=True)
    width = QFontMetricsF(font(LABEL_PIXELS)).horizontalAdvance
    ends = [
        (place * pixels / 320.0 - width(text) / 2, place * pixels / 320.0 + width(text) / 2) for place, text in kept
    ]
    assert kept[0] == (0.0, "0")
    assert all(right < left for (_left, right), (left, _right) in itertools.pairwise(ends))


def test_ticks_with_room_all_stay():
    application()
    assert len(thinned(tick_places(STEPS, 0.0, 320.0, 400.0), 400.0 / 320.0, across=True)) == 5


def test_a_tick_at_zero_in_the_middle_stays_when_others_go():
    application()
    places = tuple((float(at), str(at)) for at in range(-3, 4))
    kept = thinned(places, 12.0, across=True)
    assert (0.0, "0") in kept
    assert len(kept) < len(places)
