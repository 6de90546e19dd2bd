import numpy as np
import pytest
from draws import real_walk, walk

from attnsim.experiments.walk import last
from attnsim.figures import FIGURES
from attnsim.figures.marks import Band, Bars, Cursor, Line, Paths, Rug, Text
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.view import View


def marks(plot, kind):
    return [mark for mark in plot.marks if isinstance(mark, kind)]


def words(plot):
    return [mark.text for mark in marks(plot, Text)]


def test_every_figure_shows_the_same_draw_at_the_playhead():
    result, view = walk(), View(playhead=100, marked=(3,))
    at = result.row.index(100)
    ends = result.row.scores(at)
    walks, scores, weights = (FIGURES[key](result, view) for key in LABS["walk"].first)
    paths = marks(walks.plots[0], Paths)[0]
    np.testing.assert_array_equal(paths.ys[paths.shown - 1], ends)
    np.testing.assert_array_equal(marks(scores.plots[0], Rug)[0].values, ends)
    np.testing.assert_allclose(marks(scores.plots[1], Rug)[0].values, ends / 10.0, rtol=1e-14)
    raw = np.exp(ends - ends.max())
    np.testing.assert_allclose(marks(weights.plots[0], Bars)[0].heights, np.sort(raw / raw.sum())[::-1], rtol=1e-12)


def test_ranges_stay_while_the_playhead_moves():
    result = walk(dim=64)
    for key in ("walk", "weights"):
        seen = {tuple((p.x, p.y) for p in FIGURES[key](result, View(playhead=m)).plots) for m in range(65)}
        assert len(seen) == 1, key
    assert len({tuple(p.x for p in FIGURES["scores"](result, View(playhead=m)).plots) for m in range(65)}) == 1


def test_the_band_is_the_rows_own_law_and_the_dashed_lines_are_the_law_over_draws():
    result = walk()
    plot = FIGURES["walk"](result, View()).plots[0]
    wide, narrow = marks(plot, Band)
    np.testing.assert_allclose(narrow.high - narrow.low, 2 * result.row.query_norm)
    np.testing.assert_allclose(wide.high - wide.low, 4 * result.row.query_norm)
    upper, lower = [line for line in marks(plot, Line) if line.dashed]
    np.testing.assert_allclose(upper.y, np.sqrt(result.row.steps))
    np.testing.assert_allclose(lower.y, -np.sqrt(result.row.steps))


@pytest.mark.parametrize("fields", [{"rho": 0.5}, {"mean_q": 0.3}, {"mean_k": 0.3}, {"sigma_q": 2.0}, {"sigma_k": 0.5}])
def test_the_root_is_named_only_where_it_is_true(fields):
    assert "±√d" in words(FIGURES["walk"](walk(), View()).plots[0])
    named = words(FIGURES["walk"](walk(**fields), View()).plots[0])
    assert "±√d" not in named
    assert "mean ± sd" in named


def test_the_axis_covers_walks_and_bands():
    for fields in ({}, {"rho": 0.9}, {"mean_q": -2.0, "mean_k": 3.0}, {"keys": 1}, {"dim": 1}):
        result = walk(**fields)
        plot = FIGURES["walk"](result, View()).plots[0]
        assert plot.y.low < result.row.walks.min() <= result.row.walks.max() < plot.y.high
        assert plot.y.low < (result.row.mean - 2 * result.row.sd).min()
        assert plot.y.high > (result.theory.mean + result.theory.sd).max()


def test_the_note_counts_what_is_drawn():
    assert FIGURES["walk"](walk(), View()).note == "32 walks"
    assert FIGURES["walk"](walk(keys=1), View()).note == "1 walk"
    many = FIGURES["walk"](walk(keys=4096, dim=8), View())
    assert many.note == "200 of 4,096 walks"
    assert marks(many.plots[0], Paths)[0].ys.shape[1] == 200
    assert FIGURES["walk"](walk(keys=4096, dim=8, drawn=64), View()).note == "first 64 of 4,096 keys"


def test_paths_are_the_walks_of_the_keys_they_name():
    result = walk(keys=1000, dim=16)
    paths = marks(FIGURES["walk"](result, View()).plots[0], Paths)[0]
    np.testing.assert_array_equal(paths.ys, result.row.walks[:, paths.keys])


def test_a_highlighted_key_has_its_own_line_and_name():
    result = walk()
    plot = FIGURES["walk"](result, View(playhead=50, marked=(4, 9), hovered=11)).plots[0]
    lines = {mark.role: mark for mark in marks(plot, Line) if mark.role.startswith("marked")}
    np.testing.assert_array_equal(lines["marked_1"].y, result.row.walks[:51, 9])
    assert {"key 4", "key 9", "key 11"} <= set(words(plot))
    assert marks(plot, Cursor)[0].at == 50.0


def test_labels_keep_their_distance():
    plot = FIGURES["walk"](walk(), View(marked=(0, 1, 2, 3, 4, 5))).plots[0]
    heights = sorted(mark.y for mark in marks(plot, Text))
    assert min(np.diff(heights)) > 0.04 * (plot.y.high - plot.y.low)


def test_a_key_that_is_not_drawn_yet_is_left_out():
    for key in LABS["walk"].figures:
        FIGURES[key](walk(drawn=4, dim=16), View(marked=(31,)))


def test_the_marginal_holds_every_score_once():
    result = walk(keys=500, dim=64)
    bars = marks(FIGURES["walk"](result, View(playhead=40)).plots[1], Bars)[0]
    area = bars.heights.sum() * bars.width / result.row.sd[40]
    assert area == pytest.approx(1.0, rel=1e-12)


def test_at_dimension_0_nothing_is_claimed():
    walks, scores, _weights = (FIGURES[key](walk(), View(playhead=0)) for key in LABS["walk"].first)
    assert walks.plots[1].marks == ()
    assert not marks(scores.plots[0], Bars)
    assert "Nothing" in scores.subtitle


def test_real_vectors_have_no_law_over_draws():
    figure = FIGURES["walk"](real_walk(), View())
    assert not [line for line in marks(figure.plots[0], Line) if line.dashed]
    assert "independent" in figure.subtitle
    assert "given q" not in figure.subtitle


@pytest.mark.parametrize(
    ("fields", "plain"),
    [({"r_q": 0.3}, True), ({"r_q": 0.3, "r_k": 0.2}, False), ({"law": "laplace"}, True),
     ({"law": "low_rank"}, True), ({"law": "low_rank", "projections": "tied"}, False),
     ({"law": "ar1"}, False), ({"law": "initialised"}, False), ({"law": "student_t", "nu": 2.0}, False)],
)  # fmt: skip
def test_the_law_over_draws_is_called_the_root_of_m_only_where_it_is(fields, plain):
    result = last(Scenario(dim=32, keys=4, rows=20, **fields))
    assert ("±√d" in words(FIGURES["walk"](result, View()).plots[0])) == plain
