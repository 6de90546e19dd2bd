import numpy as np
import pytest
from draws import walk

from attnsim.figures.marks import Bars, Cursor, Dots
from attnsim.figures.softmax import largest_keys
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


def test_equal_scores_keep_the_order_of_the_keys():
    np.testing.assert_array_equal(largest_keys(np.array([1.0, 2.0, 2.0, 0.0]), 2), [1, 2])


def test_hidden_keys_have_no_bar_and_the_note_says_how_many_are_seen():
    figure = build(walk(keys=32, mask="window", mask_size=5), View())
    for plot in figure.plots:
        assert sorted(plot.keys) == [27, 28, 29, 30, 31]
        assert only(plot, Bars).heights.sum() == pytest.approx(1.0)
        assert only(plot, Cursor).at == pytest.approx(0.2)
    assert figure.note == "5 of 32 keys seen"


def test_a_row_whose_keys_are_all_hidden_says_so():
    figure = build(walk(keys=32, drawn=8, mask="window", mask_size=5), View())
    assert figure.note == "the mask hides every key drawn so far"
    assert all(plot.keys.size == 0 for plot in figure.plots)


def test_an_overflow_is_said_and_draws_no_weight():
    figure = build(walk(dim=256, sigma_q=100.0, sigma_k=100.0, format="fp16", scalings=("none",)), View())
    assert figure.plots[0].heading[1][0] == "overflow"
    assert only(figure.plots[0], Bars).heights.sum() == 0.0
    assert "overflows in fp16" in figure.summary


def test_a_sink_shows_its_share():
    heading = build(walk(keys=4, scalings=("softmax1",)), View()).plots[0].heading
    assert heading[3][0].startswith("sink 0.")


def test_rules_whose_colours_would_meet_take_others():
    names = ("cosine", "qknorm", "rmsnorm_qk", "layernorm_qk", "ssmax", "log_n")
    from attnsim.choices.scalings import parse
    from attnsim.figures.moment import rule_roles
    from attnsim.figures.palette import color

    for theme in ("light", "dark"):
        assert len({color(role, theme) for role in rule_roles(tuple(map(parse, names)))}) == 6
