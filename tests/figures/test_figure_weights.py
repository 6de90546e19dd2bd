import numpy as np
import pytest
from draws import walk

from attnsim.figures.marks import Bars, Cursor, Dots
from attnsim.figures.softmax import largest_keys, row_weights
from attnsim.figures.weights import build
from attnsim.view import View

SIX = ("none", "inverse_sqrt", "inverse_d", "constant:8", "power:0.25", "constant:3")


def only(plot, kind):
    return next(mark for mark in plot.marks if isinstance(mark, kind))


@pytest.mark.parametrize("playhead", [0, 1, 77, 256])
def test_all_weights_sum_to_1_under_every_rule(playhead):
    for plot in build(walk(scalings=SIX), View(playhead=playhead)).plots:
        assert only(plot, Bars).heights.sum() == pytest.approx(1.0, rel=1e-12)


def test_rules_are_taken_at_the_playhead_not_at_the_end():
    result = walk()
    at = result.row.scores(result.row.index(64)) / 8.0
    plot = build(result, View(playhead=64)).plots[1]
    expected = np.exp(at - at.max()) / np.exp(at - at.max()).sum()
    np.testing.assert_allclose(only(plot, Bars).heights, expected[plot.keys], rtol=1e-12)


def test_bars_are_sorted_and_name_their_keys():
    result = walk(keys=4096, dim=16)
    figure = build(result, View())
    assert figure.note == "largest 64 of 4,096"
    scores = result.row.walks[-1]
    np.testing.assert_array_equal(figure.plots[0].keys, np.argsort(-scores, kind="stable")[:64])
    assert only(figure.plots[0], Cursor).at == 1 / 4096


def test_a_highlight_stands_on_its_bar():
    plot = build(walk(), View(marked=(3,))).plots[1]
    dot, rank = only(plot, Dots), int(np.flatnonzero(plot.keys == 3)[0])
    assert (dot.x[0], dot.y[0]) == (rank, only(plot, Bars).heights[rank])


def test_two_rules_of_one_kind_have_two_colours():
    roles = [plot.heading[0][1] for plot in build(walk(scalings=SIX), View()).plots]
    assert len(set(roles)) == 6
    assert roles[3] == "rule_constant"


def test_the_logarithmic_axis_has_a_floor():
    plot = build(walk(), View(log_weights=True)).plots[0]
    assert plot.y.log
    assert only(plot, Bars).heights.min() == 1e-6


def test_entropy_is_shown_in_the_unit_asked_for():
    assert build(walk(keys=32), View(playhead=0)).plots[0].heading[2][0] == "3.47 nats"
    assert build(walk(keys=32), View(playhead=0, bits=True)).plots[0].heading[2][0] == "5.00 bits"


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_no_score_overflows(scale):
    row = row_weights(np.array([1.0, -1.0, 0.5]) * scale, 1.0, np.arange(3))
    assert row.top.sum() == pytest.approx(1.0)
    assert 0.0 <= row.entropy <= np.log(3)


def test_entropy_of_two_equal_keys_far_above_the_rest_is_ln_2():
    row = row_weights(np.array([900.0, 900.0, -900.0]), 1.0, np.arange(3))
    assert row.entropy == pytest.approx(np.log(2.0), rel=1e-14)
    assert row.largest == 0.5


def test_equal_scores_keep_the_order_of_the_keys():
    np.testing.assert_array_equal(largest_keys(np.array([1.0, 2.0, 2.0, 0.0]), 2), [1, 2])
