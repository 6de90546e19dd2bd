import pytest
from PySide6.QtCore import QPointF, QRectF

from attnsim.figures.marks import Text
from attnsim.gui import labels
from attnsim.gui.app import application

FRAME = QRectF(40.0, 7.0, 200.0, 100.0)


@pytest.fixture(autouse=True)
def app():
    return application()


def placed(*texts, taken=()):
    return labels.place(texts, FRAME, lambda text: QPointF(text.x, text.y), list(taken))


@pytest.mark.parametrize("x", [40.0, 140.0, 240.0])
@pytest.mark.parametrize("y", [7.0, 50.0, 107.0])
@pytest.mark.parametrize("anchor", [(0.0, 0.5), (0.5, 1.0), (1.0, 0.0)])
def test_words_stay_inside_the_frame(x, y, anchor):
    ((_text, box, _moved),) = placed(Text(x, y, "key 52", anchor=anchor))
    assert FRAME.contains(box)


def test_words_with_room_stand_where_the_figure_wants_them():
    ((_text, box, moved),) = placed(Text(100.0, 50.0, "key 52", anchor=(0.0, 0.5)))
    assert not moved
    assert (box.left(), box.center().y()) == (100.0, 50.0)


def test_words_at_one_place_move_apart_and_off_a_heading():
    heading = QRectF(40.0, 7.0, 150.0, 20.0)
    three = placed(*(Text(60.0, 20.0, f"key {key}") for key in range(3)), taken=[heading])
    boxes = [heading, *(labels._ink(box) for _text, box, _moved in three)]
    assert all(
        not labels._overlap(one, other) for place, one in enumerate(boxes) for other in boxes[:place]
    )  # fmt: skip


def test_words_of_a_point_that_was_zoomed_away_or_is_no_number_are_not_shown():
    assert placed(Text(500.0, 50.0, "key 1"), Text(float("nan"), 50.0, "key 2"), Text(60.0, 50.0, "")) == []
