"""The derivation as a page of its own."""

import numpy as np
import pytest
from draws import real_walk

from attnsim import api
from attnsim.experiments.derivation import WORK
from attnsim.experiments.evidence import evidence
from attnsim.figures import FIGURES
from attnsim.figures.derivation import derivation
from attnsim.figures.derivation_pages.lines import sum_lines, weight_lines
from attnsim.figures.marks import Cursor, Dots, Line
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.view import View

VIEW = View()


def result_of(**fields):
    return api.run(Scenario(**({"dim": 64, "keys": 8, "rows": 500} | fields)), lab="derivation")


@pytest.fixture(scope="module")
def usual():
    return result_of()


def test_the_two_pages_are_the_derivation_of_the_panel_cut_in_two(usual):
    whole = derivation(usual, evidence(usual.scenario, WORK))
    assert (*sum_lines(usual), *weight_lines(usual)) == whole
    headings = [
        line.text
        for key in ("derivation_sum", "derivation_weights")
        for line in FIGURES[key](usual, VIEW).page
        if line.kind == "heading"
    ]
    assert headings == [f"{place}. {step.title}" for place, step in enumerate(whole, 1)]


def test_formulas_are_plain_text_and_numbers_stand_beside_theory(usual):
    page = FIGURES["derivation_sum"](usual, VIEW).page
    formulas = [line.text for line in page if line.kind == "formula"]
    assert "= d σ_q²σ_k² = 64·1²·1² = 64.00" in formulas
    assert not [text for text in formulas if "{" in text or "<" in text]
    assert any("theory 8.000" in line.text and "SE" in line.text for line in page if line.kind == "numbers")


def test_the_picture_shows_theory_and_ensemble_at_the_same_dimensions(usual):
    pooled, within, _mean = FIGURES["derivation_growth"](usual, VIEW).plots
    line = next(mark for mark in pooled.marks if isinstance(mark, Line) and mark.role == "ink")
    dots = next(mark for mark in pooled.marks if isinstance(mark, Dots))
    np.testing.assert_allclose(line.y, np.sqrt(line.x), rtol=1e-9)
    np.testing.assert_allclose(dots.y, np.sqrt(dots.x), rtol=0.1)  # 4,000 scores
    assert [mark.label for mark in within.marks if isinstance(mark, Line)] == ["this row", "theory"]


def test_the_playhead_moves_the_cursor_alone(usual):
    at_end, before = (FIGURES["derivation_growth"](usual, view) for view in (VIEW, View(playhead=16)))
    for one, other in zip(at_end.plots, before.plots, strict=True):
        assert one.marks[:-1] == other.marks[:-1]
        assert isinstance(other.marks[-1], Cursor)
        assert other.marks[-1].at == 16.0
    assert before.note == "m = 16"


def test_the_three_questions_are_answered_with_the_table_of_initialisations(usual):
    figure = FIGURES["derivation_questions"](usual, VIEW)
    assert [line.text[:2] for line in figure.page if line.kind == "heading"] == ["1.", "2.", "3."]
    assert ("Xavier, D × d", "1.778") in [row[:2] for row in figure.table.rows]


@pytest.mark.parametrize(
    "fields",
    [
        {"dim": 1}, {"keys": 1}, {"dim": 65_536, "rows": 4}, {"keys": 65_536, "rows": 2, "dim": 2}, {"rho": 1.0},
        {"law": "student_t", "nu": 1.0}, {"law": "initialised", "dim": 4}, {"mask": "top_k", "mask_size": 1},
    ],
)  # fmt: skip
def test_extreme_scenarios_have_a_page_and_finite_axes(fields):
    result = result_of(**({"rows": 20} | fields))
    for key in LABS["derivation"].figures:
        figure = FIGURES[key](result, VIEW)
        assert figure.page or figure.plots
        assert figure.summary
        for plot in figure.plots:
            assert np.isfinite([plot.x.low, plot.x.high, plot.y.low, plot.y.high]).all()
            assert plot.y.low < plot.y.high


def test_real_vectors_have_a_short_page_and_say_why():
    result = real_walk()
    assert FIGURES["derivation_sum"](result, VIEW).page[0].text == "1. Vectors of a model"
    assert "No law is known" in FIGURES["derivation_weights"](result, VIEW).page[0].text
    assert FIGURES["derivation_growth"](result, VIEW).plots


def test_an_unfinished_result_has_lines_without_rows_of_their_own():
    first = next(iter(api.iterate(Scenario(dim=64, keys=8, rows=4000), lab="derivation")))
    assert sum_lines(first)[1].checked is None
