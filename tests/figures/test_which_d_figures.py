"""Figures of the lab "Which d?"."""

import json

import numpy as np
import pytest

from attnsim import api
from attnsim.choices.sections.which_d import VARIANTS, WhichD
from attnsim.figures import FIGURES
from attnsim.figures.marks import Dots, Line, Text, Whiskers
from attnsim.figures.summaries import summary_of
from attnsim.figures.which_d.bugs import CASES
from attnsim.figures.which_d.lines import LINES, title_of
from attnsim.figures.which_d.logarithmic import log_axis, powers_of_ten
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.view import View

SHOWN = View().picking("reveal", "shown")


def result_of(guess="none", heads=8, **fields):
    return api.run(Scenario(**({"rows": 200} | fields), section=WhichD(guess=guess, heads=heads)), lab="which_d")


@pytest.fixture(scope="module")
def usual():
    return result_of()


def texts(figure):
    yield from (figure.title, figure.subtitle, figure.note, figure.summary)
    yield from (line.text for line in figure.page)
    for row in figure.table.rows if figure.table else ():
        yield from row
    for plot in figure.plots:
        yield from (text for text, _role in plot.heading)
        yield from (mark.text for mark in plot.marks if isinstance(mark, Text))
        yield from (mark.label for mark in plot.marks if hasattr(mark, "label"))


@pytest.mark.parametrize("key", ["which_d_symptoms", "which_d_growth", "which_d_answer"])
def test_no_name_is_told_while_the_answer_is_hidden(usual, key):
    said = " ".join(texts(FIGURES[key](usual, View())))
    assert not [name for name in VARIANTS if title_of(name) in said]
    roles = {m.role for plot in FIGURES[key](usual, View()).plots for m in plot.marks}
    assert not {role for role in roles if role.startswith("rule_")}


def test_the_answer_names_the_mystery_once_it_is_shown(usual):
    figure = FIGURES["which_d_answer"](usual, SHOWN)
    assert title_of(usual.mystery) in figure.subtitle
    assert [row[0] for row in figure.table.rows] == list("ABCDEFG")
    assert {row[0]: row[1] for row in figure.table.rows}[usual.letter(usual.mystery)] == title_of(usual.mystery)
    roles = {mark.role for plot in FIGURES["which_d_symptoms"](usual, SHOWN).plots for mark in plot.marks}
    assert {LINES[name].role for name in VARIANTS} <= roles


def test_a_right_guess_a_wrong_one_and_one_that_cannot_be_told_apart_are_answered(usual):
    def verdict(guess, **fields):
        return FIGURES["which_d_code"](result_of(guess, rows=20, **fields), View()).summary

    wrong = next(name for name in VARIANTS if not usual.alike(name))
    assert "Your guess is right" in verdict(usual.mystery)
    assert "Not “" in verdict(wrong)
    assert "Make a guess" in verdict("none")
    seed = next(seed for seed in range(99) if result_of(seed=seed, rows=2, dim=4, keys=4).mystery == "quartic")
    assert "may as well be" in verdict("right", seed=seed)


def test_dots_stand_at_the_measured_numbers_and_strokes_at_theory(usual):
    plot = FIGURES["which_d_symptoms"](usual, View()).plots[0]
    dots = [mark for mark in plot.marks if isinstance(mark, Dots)]
    strokes = [mark for mark in plot.marks if isinstance(mark, Line)]
    order = [VARIANTS.index(name) for name in usual.letters]
    assert [float(mark.y[0]) for mark in dots] == usual.spread.value[order].tolist()
    assert [float(mark.y[0]) for mark in strokes] == usual.theory["spread"][order].tolist()


def test_only_the_root_of_n_changes_with_n(usual):
    plot = FIGURES["which_d_growth"](usual, View()).plots[1]
    moving = {mark.label for mark in plot.marks if isinstance(mark, Line) and np.ptp(mark.y) > 1e-9}
    assert moving == {usual.letter("sqrt_n")}


@pytest.mark.parametrize(
    "fields",
    [
        {"dim": 1}, {"keys": 1}, {"dim": 65_536, "rows": 4}, {"keys": 65_536, "rows": 1}, {"rho": 1.0}, {"rows": 1},
        {"law": "student_t", "nu": 1.0, "dim": 8}, {"sigma_q": 1000.0, "sigma_k": 1000.0}, {"heads": 256},
        {"mask": "causal", "format": "bf16"}, {"sigma_q": 0.001, "sigma_k": 0.001},
    ],
)  # fmt: skip
@pytest.mark.parametrize("view", [View(), SHOWN])
def test_extreme_scenarios_are_drawn_on_finite_axes(fields, view):
    result = result_of(**({"rows": 20} | fields))
    for key in LABS["which_d"].figures:
        for plot in FIGURES[key](result, view).plots:
            for axis in (plot.x, plot.y):
                assert np.isfinite([axis.low, axis.high]).all()
                assert axis.low < axis.high
                assert all(axis.low <= place <= axis.high * (1 + 1e-9) for place, _text in axis.ticks)
            for mark in plot.marks:
                if isinstance(mark, Whiskers):
                    assert np.all((mark.low <= mark.high) | np.isnan(mark.low))


def test_what_is_left_out_of_the_scenario_is_said():
    headline = summary_of(result := result_of(mask="causal", format="bf16")).headline(result, View())
    assert "Left out here: the mask, rounding" in headline[1]


def test_cards_and_numbers_are_those_of_the_result(usual):
    summary = summary_of(usual)
    cards = {card.key: card for card in summary.readouts(usual, View())}
    assert set(summary.order(usual, View())) == set(cards)
    at = VARIANTS.index(usual.mystery)
    assert cards["spread:yours"].value == usual.spread.value[at]
    assert cards["spread:right"].theory == pytest.approx(1.0)
    numbers = summary.numbers(usual, View())
    assert json.loads(json.dumps(numbers, allow_nan=False)) == numbers
    assert numbers["variants"]["twice"]["spread"]["theory"] == pytest.approx(1 / 16)
    assert "200 rows" in summary.caption(usual)


def test_the_table_of_reports_has_three_words_a_line():
    figure = FIGURES["which_d_bugs"](result_of(rows=2), View())
    assert len(figure.table.rows) == len(CASES)
    assert {len(row) for row in figure.table.rows} == {3}


def test_ticks_of_a_logarithmic_axis_are_few_and_inside():
    assert [text for _at, text in powers_of_ten(0.002, 300.0)] == ["0.01", "0.1", "1", "10", "100"]
    assert [text for _at, text in powers_of_ten(2.0, 8.0)] == ["2", "5"]
    assert powers_of_ten(1e-9, 1e-3)[0][1] == "10⁻⁸"
    axis = log_axis("", np.array([np.nan, 0.0, 3.0]))
    assert axis.low < 3.0 < axis.high
