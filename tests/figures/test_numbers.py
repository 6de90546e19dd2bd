import math
from itertools import pairwise

import pytest

from attnsim.figures.labels import levels, spread
from attnsim.figures.numbers import entropy_text, number, share_text, step_ticks, ticks


@pytest.mark.parametrize(
    ("value", "scale", "text"),
    [
        (16.071, None, "16.07"), (1.0041, None, "1.004"), (-0.0123, 16.0, "−0.01"), (-0.001, 16.0, "0.00"),
        (153.62, 23.0, "153.62"), (12345.6, None, "12,346"), (math.nan, None, "–"), (-math.inf, None, "−∞"),
        (0.0, None, "0.000"), (2.5e-7, None, "2.5·10⁻⁷"), (3e9, None, "3·10⁹"),
    ],
)  # fmt: skip
def test_numbers_have_about_four_digits_and_a_minus_sign(value, scale, text):
    assert number(value, scale) == text


def test_a_weight_is_never_rounded_to_0():
    assert share_text(0.957) == "0.957"
    assert share_text(0.000244) == "2.4·10⁻⁴"
    assert share_text(0.0) == "0.000"


def test_entropy_of_one_bit():
    assert entropy_text(math.log(2), bits=True) == "1.00 bits"
    assert entropy_text(math.log(2), bits=False) == "0.69 nats"


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-48.3, 33.1), (0, 0.0291), (-3e-5, 7e-5), (1e5, 9e8), (-1e-9, 0)])
def test_ticks_lie_inside_at_equal_distances(low, high):
    found = [at for at, _text in ticks(low, high)]
    assert 2 <= len(found) <= 7
    assert low - 1e-9 * (high - low) <= found[0]
    assert found[-1] <= high + 1e-9 * (high - low)
    assert len({text for _at, text in ticks(low, high)}) == len(found)


def test_powers_of_two_are_quartered():
    assert [text for _at, text in step_ticks(1024)] == ["0", "256", "512", "768", "1,024"]
    assert [text for _at, text in step_ticks(1)] == ["0", "1"]


def test_labels_are_moved_apart_and_keep_their_order():
    places = spread([0.0, 0.01, 0.02, 5.0], 1.0, -10.0, 10.0)
    assert min(b - a for a, b in pairwise(places)) > 0.97
    assert places[3] == 5.0


def test_near_labels_stand_on_different_storeys():
    assert levels([0.0, 0.5, 2.0], 1.0) == [0, 1, 0]
