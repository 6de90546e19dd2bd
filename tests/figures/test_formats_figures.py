"""Figures and sentences of the number formats."""

import json

import numpy as np
import pytest

from attnsim.choices.sections.formats import FormatsOptions
from attnsim.experiments.formats import run
from attnsim.experiments.formats.record import NAMES
from attnsim.figures import FIGURES
from attnsim.figures.clicks import CLICKS
from attnsim.figures.marks import Dots, Line, Text
from attnsim.figures.summaries import summary_of
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.view import View

KEYS = LABS["formats"].figures


def results(claim=100.0, **fields):
    return list(run(Scenario(section=FormatsOptions(claim_score=claim), **{"rows": 20, **fields})))


@pytest.fixture(scope="module")
def usual():
    return results()[-1]


def marks_of(figure, plot, kind):
    return [mark for each in figure.plots if each.key == plot for mark in each.marks if isinstance(mark, kind)]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"keys": 1, "dim": 1},
        {"keys": 65_536, "dim": 65_536, "rows": 4},
        {"law": "student_t", "nu": 1.5},
        {"scalings": ("rmsnorm_qk",), "rho": 0.5, "claim": 1000.0},
        {"sigma_q": 1000.0, "sigma_k": 1000.0, "claim": 1.0},
    ],
)
@pytest.mark.parametrize("name", ["fp16", "fp64", "fp8_e4m3"])
def test_figures_of_extreme_scenarios_have_axes_and_a_sentence_from_the_first_result_on(fields, name):
    found, view = results(**fields), View().picking("format", name)
    for result in (found[0], found[len(found) // 3], found[-1]):
        for key in KEYS:
            figure = FIGURES[key](result, view)
            assert figure.summary.endswith(".")
            for axis in (axis for plot in figure.plots for axis in (plot.x, plot.y)):
                assert np.isfinite([axis.low, axis.high]).all()
                assert axis.low < axis.high
        said = summary_of(result)
        json.dumps(said.numbers(result, view), allow_nan=False)
        assert set(said.order(result, view)) >= {card.key for card in said.readouts(result, view)}
        assert said.headline(result, view)[0]
        assert said.caption(result)


def test_the_limits_stand_in_words_at_their_bars(usual):
    marks = marks_of(FIGURES["formats_exp"](usual, View()), "ranges", Text)
    names, limits = ([mark for mark in marks if mark.anchor[0] == side] for side in (0.0, 1.0))
    assert [name.y for name in names] == [limit.y for limit in limits]
    assert [f"{name.text} {limit.text}" for name, limit in zip(names, limits, strict=True)] == [
        "fp64 709.78", "fp32 88.72", "tf32 88.72", "bf16 88.72", "fp16 11.09", "e5m2 11.03", "e4m3 6.14",
    ]  # fmt: skip


def test_rows_lost_are_those_of_the_format_that_is_picked(usual):
    for name in ("bf16", "fp16"):
        lines = marks_of(FIGURES["formats_exp"](usual, View().picking("format", name)), "rows", Line)
        np.testing.assert_array_equal(lines[0].y, usual.chances.row_overflow[0, NAMES.index(name)])


def test_scaled_before_the_product_the_border_is_higher(usual):
    lines = marks_of(FIGURES["formats_dot"](usual, View(rule="inverse_sqrt")), "borders", Line)
    after, before = lines[0].y, lines[1].y
    np.testing.assert_allclose(before, after * np.sqrt(lines[0].x))


def test_the_errors_shown_are_those_of_the_view_s_rule(usual):
    for place, rule in enumerate(("none", "inverse_sqrt")):
        dots = marks_of(FIGURES["formats_rounding"](usual, View(rule=rule)), "errors", Dots)
        assert dots[0].y[0] == usual.rounding.error[place, 0, 0]


@pytest.mark.parametrize(
    ("claim", "words"),
    [(100.0, "finite in fp64;"), (5.0, "in none of the formats"), (800.0, "in all of the formats"), (50.0, "bf16")],
)
def test_the_claim_is_judged_format_by_format(claim, words):
    assert words in FIGURES["formats_claim"](results(claim, rows=2)[0], View()).subtitle


def test_the_table_has_a_row_a_format_with_its_numbers_in_full(usual):
    table = FIGURES["formats_table"](usual, View()).table
    assert len(table.rows) == len(table.values) == len(NAMES)
    assert all(len(row) == len(table.heads) for row in (*table.rows, *table.values))
    assert table.values[4][1] == usual.limits.overflow[4]


def test_a_click_opens_its_dimension_or_size_in_the_format_that_is_picked(usual):
    view = View().picking("format", "bf16")
    found = CLICKS["formats_claim"](usual, view, "beyond", 99.7, 1e-4)
    assert (found.dim, found.format, found.section) == (100, "bf16", None)
    found = CLICKS["formats_dot"](usual, view, "borders", 64.0, 400.0)
    assert (found.dim, found.sigma_q * found.sigma_k) == (64, pytest.approx(400.0))
    assert CLICKS["formats_dot"](usual, view, "cut", 100.0, 0.1).sigma_q == pytest.approx(10.0)
    assert CLICKS["formats_exp"](usual, view, "ranges", 11.0, 3.0) is None
