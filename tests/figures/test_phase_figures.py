"""Figures, sentences and clicks of the phase diagram."""

import json

import numpy as np
import pytest

from attnsim.choices.sections.phase import PhaseOptions
from attnsim.experiments.closed_forms import score_moments
from attnsim.experiments.phase import run
from attnsim.figures import FIGURES
from attnsim.figures.clicks import CLICKS
from attnsim.figures.marks import Dots, Heat, Line, Whiskers
from attnsim.figures.summaries import summary_of
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.view import View

KEYS = LABS["phase"].figures


def last(plane="spread", **fields):
    *_others, end = run(Scenario(section=PhaseOptions(plane=plane), **{"rows": 4, **fields}))
    return end


@pytest.fixture(scope="module")
def over_spread():
    return last()


@pytest.fixture(scope="module")
def over_dimension():
    return last("dimension")


def marks_of(figure, kind):
    return [mark for plot in figure.plots for mark in plot.marks if isinstance(mark, kind)]


@pytest.mark.parametrize("metric", ["sum_p2", "entropy", "largest_weight"])
def test_the_map_shows_the_number_that_is_picked(over_spread, metric):
    place = ("sum_p2", "entropy", "largest_weight").index(metric)
    (heat,) = marks_of(FIGURES["phase_map"](over_spread, View().picking("metric", metric)), Heat)
    np.testing.assert_array_equal(heat.values, over_spread.theory[0, place])
    assert heat.x.size == over_spread.x.size + 1


def test_the_map_over_the_dimension_is_that_of_the_view_s_rule_and_else_of_the_second(over_dimension):
    for rule, place in (("none", 0), ("inverse_d", 2), ("nowhere", 1)):
        (heat,) = marks_of(FIGURES["phase_map"](over_dimension, View(rule=rule)), Heat)
        np.testing.assert_array_equal(heat.values, over_dimension.theory[place, 0])


def test_the_cut_has_a_line_and_dots_with_intervals_for_every_rule(over_dimension):
    figure = FIGURES["phase_cut"](over_dimension, View())
    assert len(marks_of(figure, Line)) == len(marks_of(figure, Whiskers)) == len(marks_of(figure, Dots)) == 4


@pytest.mark.parametrize("plane", ["spread", "dimension"])
@pytest.mark.parametrize(
    "fields",
    [
        {"keys": 1, "dim": 1},
        {"keys": 65_536, "dim": 65_536},
        {"law": "sign", "scalings": ("inverse_sqrt",)},
        {"scalings": ("rmsnorm_qk",)},
    ],
)
def test_figures_of_extreme_scenarios_have_axes_and_a_sentence_from_the_first_result_on(plane, fields):
    results = list(run(Scenario(section=PhaseOptions(plane=plane), **{"rows": 2, **fields})))
    for result in (results[0], results[-1]):
        for key in KEYS:
            figure = FIGURES[key](result, View())
            assert figure.summary.endswith(".") or result.note
            for axis in (axis for plot in figure.plots for axis in (plot.x, plot.y)):
                assert np.isfinite([axis.low, axis.high]).all()
                assert axis.low < axis.high
        said = summary_of(result)
        json.dumps(said.numbers(result, View()), allow_nan=False)
        assert set(said.order(result, View())) >= {card.key for card in said.readouts(result, View())}
        assert said.caption(result)


def test_the_headline_names_the_phase_of_the_rule_that_is_looked_at(over_spread):
    said = summary_of(over_spread)
    assert "share" in said.headline(over_spread, View(rule="inverse_sqrt"))[0]
    assert "take the weight" in said.headline(over_spread, View(rule="none"))[0]


def test_a_click_over_the_dimension_opens_its_dimension_and_keys(over_dimension):
    found = CLICKS["phase_map"](over_dimension, View(), "map", 99.6, 700.2)
    assert (found.dim, found.keys, found.section) == (100, 700, None)
    assert CLICKS["phase_cut"](over_dimension, View(), "cut", 12.2, 0.4).keys == over_dimension.scenario.keys


@pytest.mark.parametrize("rule", ["none", "inverse_sqrt"])
@pytest.mark.parametrize("fields", [{}, {"mean_q": 0.5, "rho": 0.3, "sigma_k": 2.0}])
def test_a_click_over_the_spread_opens_a_scenario_of_that_spread(rule, fields):
    result = next(run(Scenario(section=PhaseOptions(), rows=2, **fields)))
    found = CLICKS["phase_map"](result, View(rule=rule), "map", 3.25, 500.0)
    factor = next(each for each in found.rules if each.name == rule).multiplier(found.dim)
    assert factor * np.sqrt(score_moments(found).within_row_variance) == pytest.approx(3.25, rel=1e-9)
    assert (found.keys, found.dim) == (500, result.scenario.dim)


def test_a_click_where_no_scenario_lies_opens_none():
    result = next(run(Scenario(section=PhaseOptions(), rows=2, scalings=("optimal", "rmsnorm_qk"))))
    assert CLICKS["phase_map"](result, View(rule="optimal"), "map", 3.0, 8.0) is None  # its spread is always 1
    assert CLICKS["phase_map"](result, View(rule="rmsnorm_qk"), "map", 3.0, 8.0) is None
    assert CLICKS["phase_map"](result, View(), "map", float("nan"), 8.0) is None
