"""Figures of the lab "Score spread"."""

import json
import math
from dataclasses import fields

import numpy as np
import pytest

from attnsim.choices.sections.spread import SpreadOptions
from attnsim.experiments import EXPERIMENTS
from attnsim.figures import FIGURES
from attnsim.figures.clicks import CLICKS
from attnsim.figures.marks import Bars, Cursor, Dots, Line, Text, Whiskers
from attnsim.figures.numbers import dim_ticks, log_ticks, with_last_digits
from attnsim.figures.spread.summary import SUMMARY
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.view import View

KEYS = LABS["spread"].figures


def results(**given):
    scenario = Scenario(**{"rows": 300, **given}, section=SpreadOptions(largest_dim=64))
    return list(EXPERIMENTS["spread"](scenario))


@pytest.fixture(scope="module")
def usual():
    return results(dim=64)[-1]


def sound(figure):
    """Every axis is finite and rises, and no logarithmic axis starts at 0."""
    for plot in figure.plots:
        for axis in (plot.x, plot.y):
            assert math.isfinite(axis.low)
            assert axis.low < axis.high
            assert not axis.log or axis.low > 0.0
            assert all(math.isfinite(at) for at, _text in axis.ticks or ())
        for mark in plot.marks:
            for f in fields(mark):
                value = getattr(mark, f.name)
                assert not (isinstance(value, np.ndarray) and np.isinf(value).any())
    assert figure.summary.endswith(".")


@pytest.mark.parametrize(
    "given",
    [
        {"dim": 1},
        {"dim": 1, "keys": 1},
        {"dim": 65_536, "keys": 65_536, "rows": 20},
        {"dim": 4, "rho": 1.0},
        {"dim": 8, "r_q": 1.0, "r_k": 1.0},
        {"law": "sign", "dim": 3},
        {"law": "student_t", "nu": 1.2, "dim": 4},
        {"law": "ar1", "dim": 8},
        {"law": "sparse", "dim": 2, "nonzero": 0.01},
        {"dim": 16, "sigma_q": 1000.0, "sigma_k": 0.001, "mean_q": 50.0},
        {"dim": 4, "rows": 1},
    ],
)
def test_figures_of_extreme_scenarios_are_sound_from_the_first_result_on(given):
    found = results(**{"rows": 60, **given})
    for result in (found[0], found[-1]):
        for key in KEYS:
            for view in (View(), View(picks=(("spread", "within"),))):
                sound(FIGURES[key](result, view))
        assert all(isinstance(text, str) for text in SUMMARY.headline(result, View()))
        json.dumps(SUMMARY.numbers(result, View()))


def test_the_bars_hold_all_scores_and_the_lines_are_law_and_limit(usual):
    density, tails = FIGURES["spread_density"](usual, View()).plots
    bars = next(mark for mark in density.marks if isinstance(mark, Bars))
    e = usual.ensemble
    assert bars.heights.sum() * bars.width == pytest.approx(e.counts.sum() / e.scores)
    lines = [mark for mark in density.marks if isinstance(mark, Line)]
    assert [(line.role, line.dashed) for line in lines] == [("muted", True), ("ink", False)]
    np.testing.assert_array_equal(lines[1].y, e.density[0])
    dots = next(mark for mark in tails.marks if isinstance(mark, Dots))
    assert dots.y.min() > tails.y.low


def test_the_quantiles_stand_on_the_exact_law_where_the_normal_limit_is_far():
    quantiles, difference = FIGURES["spread_qq"](results(dim=1)[-1], View()).plots
    law = next(mark for mark in quantiles.marks if isinstance(mark, Line) and mark.role == "ink")
    # a product of two normals has far longer tails than its normal limit
    assert law.y[-1] > 1.5 * law.x[-1]
    strokes = next(mark for mark in difference.marks if isinstance(mark, Whiskers))
    assert ((strokes.low <= 0.0) & (strokes.high >= 0.0)).mean() > 0.8


def test_the_growth_marks_both_slopes_and_the_turn(usual):
    growth, _ratio = FIGURES["spread_growth"](usual, View()).plots
    half, one = (mark for mark in growth.marks if isinstance(mark, Line) and mark.dashed)
    for line, slope in ((half, 0.5), (one, 1.0)):
        assert np.log(line.y[1] / line.y[0]) / np.log(line.x[1] / line.x[0]) == pytest.approx(slope)
    turn = next(mark for mark in growth.marks if isinstance(mark, Cursor)).at
    assert turn == pytest.approx(1 / 0.3**2 - 1)
    # the two slopes are the parts of the variance: they cross where these are equal
    at = [line.y[0] * (turn / line.x[0]) ** slope for line, slope in ((half, 0.5), (one, 1.0))]
    assert at[0] == pytest.approx(at[1])
    assert any("d* = 10.11" in mark.text for mark in growth.marks if isinstance(mark, Text))


def test_the_pick_shows_what_the_softmax_sees(usual):
    def last_of_rho(view):
        dots = [mark for mark in FIGURES["spread_growth"](usual, view).plots[0].marks if isinstance(mark, Dots)]
        return next(mark.y[-1] for mark in dots if mark.label == "ρ = 0.9")

    ratio = last_of_rho(View(picks=(("spread", "within"),))) / last_of_rho(View())
    assert ratio == pytest.approx(math.sqrt(0.19 / 1.81), rel=0.1)


def test_bars_of_both_variances_stand_side_by_side_with_a_table(usual):
    figure = FIGURES["spread_pooled"](usual, View())
    pooled, within = (mark for mark in figure.plots[0].marks if isinstance(mark, Bars))
    assert np.all(pooled.centers + pooled.width <= within.centers + 1e-9 + 0.5 * pooled.width)
    assert len(set(figure.table.heads)) == 5  # files of data name columns by them
    assert all(len(line) == len(figure.table.heads) for line in (*figure.table.rows, *figure.table.values))
    row = dict(zip((growth.case.key for growth in usual.cases), figure.table.values, strict=True))
    assert row["rho"][2] == pytest.approx(1.81)
    assert row["rho"][4] == pytest.approx(0.19)
    assert row["mean_k"][4] == pytest.approx(1.0)
    assert row["mean_q"][4] == pytest.approx(2.0)


def test_the_cards_hold_theory_and_the_headline_says_how_it_grows(usual):
    cards = {card.key: card for card in SUMMARY.readouts(usual, View())}
    assert cards["sd"].theory == 8.0
    assert abs(cards["sd"].deviation) < 4.5
    assert cards["crossover:factors"].value == pytest.approx(10.111, abs=1e-3)
    assert set(SUMMARY.order(usual, View())) & set(cards) >= {"sd", "within_sd", "slope:none"}
    assert SUMMARY.headline(usual, View())[0] == "Scores spread like √d"
    assert SUMMARY.headline(results(dim=64, r_q=0.9, r_k=0.9)[-1], View())[0] == "Scores spread like d"


def test_what_the_lab_leaves_aside_is_said():
    result = results(dim=4, mask="causal")[-1]
    assert "mask and number format do not enter" in SUMMARY.headline(result, View())[1]


def test_ticks_of_logarithmic_axes_are_few_and_round():
    assert [text for _at, text in log_ticks(0.5, 3000.0)] == ["1", "10", "100", "1,000"]
    assert [text for _at, text in log_ticks(0.9, 9.0)] == ["1", "2", "5"]
    assert next(text for _at, text in log_ticks(1e-7, 1e-4)) == "10⁻⁷"
    assert [text for _at, text in dim_ticks(1.0, 65_536.0, 3)] == ["1", "64", "4,096"]


def test_a_run_without_a_window_prints_and_draws(tmp_path, capsys):
    from attnsim.__main__ import main

    words = ["run", "spread", "--dim", "8", "--keys", "4", "--rows", "50", "--largest-dim", "16", "--case-r", "0.5"]
    target = tmp_path / "spread.svg"
    assert main([*words, "--json", "--out", str(target), "--figures", "spread_growth,spread_pooled"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["lab"] == "spread"
    assert printed["scenario"]["case_r"] == 0.5
    assert printed["numbers"]["cases"]["factors"]["crossover"] == pytest.approx(3.0)
    assert printed["numbers"]["sd"]["theory"] == pytest.approx(math.sqrt(8.0))
    assert target.stat().st_size > 0


def test_a_click_opens_the_nearest_case_at_the_nearest_dimension(usual):
    found = CLICKS["spread_growth"](usual, View(), "growth", 60.0, 0.3 * 64)
    assert (found.dim, found.r_q, found.rho, found.section) == (64, 0.3, 0.0, None)
    assert CLICKS["spread_growth"](usual, View(), "growth", 60.0, 8.0).rho == 0.0
    assert CLICKS["spread_growth"](usual, View(picks=(("spread", "within"),)), "growth", 60.0, 3.5).rho == 0.9
    assert CLICKS["spread_growth"](usual, View(), "ratio", 60.0, 1.0) is None


def test_a_number_carries_what_its_last_digits_may_be_off():
    assert with_last_digits(0.84243, 0.0089) == "0.842(9)"
    assert with_last_digits(15.963, 0.131) == "15.96(13)"
    assert with_last_digits(-0.0204, 0.0886) == "−0.02(9)"
    assert with_last_digits(512.3, 40.0) == "512.3 ± 40.00"
    assert with_last_digits(0.5, math.nan) == "0.500"
