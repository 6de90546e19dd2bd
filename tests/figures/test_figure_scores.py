from dataclasses import replace

import numpy as np
import pytest
from draws import real_walk, walk

from attnsim.figures.marks import Bars, Dots, Line, Rug
from attnsim.figures.scores import build
from attnsim.view import View


def only(plot, kind):
    return next(mark for mark in plot.marks if isinstance(mark, kind))


def test_bars_hold_all_scores_that_were_drawn_in_their_range():
    result = walk()
    for plot in build(result, View()).plots:
        bars = only(plot, Bars)
        assert bars.heights.sum() * bars.width == pytest.approx(result.ensemble.counts[-1].sum() / 6400, rel=1e-12)


def test_both_plots_have_one_shape_at_the_end_and_only_the_scale_differs():
    raw, scaled = build(walk(), View()).plots
    assert scaled.x.low * 16 == pytest.approx(raw.x.low)
    assert scaled.x.high * 16 == pytest.approx(raw.x.high)
    np.testing.assert_allclose(only(scaled, Bars).heights, 16 * only(raw, Bars).heights)
    np.testing.assert_allclose(only(scaled, Line).y, 16 * only(raw, Line).y)


def test_no_bar_and_no_curve_is_cut_off_at_any_dimension():
    result = walk(rho=0.4)
    for playhead in range(1, 257, 5):
        for plot in build(result, View(playhead=playhead)).plots:
            assert max(only(plot, Bars).heights.max(), only(plot, Line).y.max()) <= plot.y.high


def test_every_score_of_the_row_lies_inside_even_one_far_outside_the_law():
    plain = walk()
    walks = plain.row.walks.copy()
    walks[:, 0] = np.linspace(0.0, 190.0, 257)
    far = replace(plain, row=replace(plain.row, walks=walks))
    for plot in build(far, View(marked=(0,))).plots:
        assert plot.x.low < only(plot, Rug).values.min()
        assert only(plot, Rug).values.max() < plot.x.high
    assert not next(mark for mark in plot.marks if isinstance(mark, Dots)).hollow


def test_density_axes_change_seldom():
    tops = [build(walk(), View(playhead=m)).plots[0].y.high for m in range(1, 257, 3)]
    assert len(set(tops)) <= 10


def test_the_heading_is_measured_and_the_subtitle_says_of_what():
    result = walk()
    figure = build(result, View(playhead=200))
    step = result.ensemble.steps[result.ensemble.index(200)]
    sd = result.ensemble.sd.value[result.ensemble.index(200)]
    assert figure.plots[0].heading[1][0] == f"σ = {sd:.2f}"
    assert f"d = {step}" in figure.subtitle
    assert "200 rows at d = 190" in figure.subtitle
    assert "this row" in figure.subtitle


def test_the_lower_plot_follows_the_rule_of_the_view_and_falls_back_to_the_first():
    assert build(walk(), View(rule="constant:8")).plots[1].heading[0][1] == "rule_constant"
    assert build(walk(), View(rule="power:2")).plots[1].heading[0][1] == "rule_none"


def test_the_normal_limit_is_not_called_exact():
    result = walk()
    limit = replace(result, ensemble=replace(result.ensemble, exact=False))
    none = replace(result, ensemble=replace(result.ensemble, density=result.ensemble.density * np.nan))
    assert build(result, View()).note == "line: exact law"
    assert build(limit, View()).note == "line: normal limit"
    assert build(none, View()).note == "no closed form"
    assert not [mark for mark in build(none, View()).plots[0].marks if isinstance(mark, Line)]


def test_before_the_first_rows_only_this_row_is_shown():
    figure = build(walk(ensemble=False), View())
    assert figure.note == "drawing…"
    assert [type(mark) for mark in figure.plots[0].marks] == [Rug]


def test_a_long_row_is_thinned_evenly():
    result = walk(keys=4096, dim=8)
    values = only(build(result, View()).plots[0], Rug).values
    np.testing.assert_array_equal(values, result.row.walks[-1, ::8])


def test_real_vectors_are_not_called_a_law():
    figure = build(real_walk(), View())
    assert figure.note == "line: if independent"
    assert "queries" in figure.subtitle


@pytest.mark.parametrize("name", ["layernorm_qk", "softcap:5"])
def test_a_rule_that_is_no_factor_shows_this_rows_own_logits(name):
    from attnsim.experiments.walk import last
    from attnsim.scenario import Scenario

    result = last(Scenario(dim=64, keys=200, rows=50, scalings=("none", name)))
    figures = [build(result, View(rule=name, playhead=m)) for m in (0, 16, 32, 64)]
    spans = {(figure.plots[1].x.low, figure.plots[1].x.high) for figure in figures}
    assert len(spans) == 1
    plot = figures[-1].plots[1]
    bars = next(mark for mark in plot.marks if isinstance(mark, Bars))
    assert (bars.heights * bars.width).sum() == pytest.approx(1.0)
    logits = result.rules[1].logits(result.row.sums(-1))
    assert f"σ = {logits.std():.3f}" in plot.heading[1][0]
    assert figures[0].plots[1].marks == ()
