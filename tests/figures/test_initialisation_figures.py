import json

import numpy as np
import pytest
from lab_checks import check_lab

from attnsim.choices.sections.initialisation import Depth
from attnsim.cli import main
from attnsim.experiments.initialisation import run
from attnsim.figures.clicks import CLICKS
from attnsim.figures.marks import Bars, Dots
from attnsim.figures.summaries import summary_of
from attnsim.scenario import Scenario
from attnsim.view import View


def last(section=None, **fields):
    own = Depth(**({"layers": 6, "width": 16, "nets": 3, "tokens": 6} | (section or {})))
    *_others, best = run(Scenario(**({"dim": 16, "d_model": 32} | fields), section=own))
    return best


@pytest.mark.parametrize(
    ("section", "fields"),
    [
        ({}, {}),
        ({"layers": 1, "width": 4, "tokens": 2, "nets": 2}, {"dim": 1, "d_model": 1}),
        ({"layers": 64, "width": 8, "weight_sd": 2.0, "activation": "linear"}, {}),
        ({"layers": 64, "weight_sd": 0.001}, {"scalings": ("inverse_d", "rmsnorm_qk:1")}),
        ({"activation": "tanh"}, {"law": "student_t", "nu": 1.5}),
    ],
)
def test_figures_of_any_scenario_can_be_drawn(section, fields):
    check_lab("initialisation", last(section, **fields))


def test_figures_can_be_drawn_of_the_first_result():
    check_lab("initialisation", next(run(Scenario(dim=65_536, d_model=8192))))


def test_bars_and_dots_stand_at_what_was_measured():
    result = last()
    figures = check_lab("initialisation", result)
    bars = next(mark for mark in figures["initialisation_scores"].plots[0].marks if isinstance(mark, Bars))
    np.testing.assert_array_equal(bars.heights, result.scores.value)
    dots = next(mark for mark in figures["initialisation_signal"].plots[0].marks if isinstance(mark, Dots))
    np.testing.assert_array_equal(dots.y, result.signal.value[0])


def test_a_click_on_a_bar_opens_a_row_of_such_a_head():
    result = last()
    at = len(result.names) - 1 - result.names.index("kaiming_normal")
    opened = CLICKS["initialisation_scores"](result, View(), "scores", 0.5, at + 0.2)
    assert (opened.law, opened.initialisation, opened.dim) == ("initialised", "kaiming", 16)
    none = len(result.names) - 1 - result.names.index("small")
    assert CLICKS["initialisation_scores"](result, View(), "scores", 0.5, none) is None
    assert CLICKS["initialisation_scores"](result, View(), "scores", 0.5, -3.0) is None


def test_the_headline_names_the_stacks_that_keep_signal_and_gradient():
    title, detail = summary_of(last()).headline(last({"layers": 40}), View())
    assert "Kaiming" in title
    assert "BatchNorm" not in title
    assert "40 layers" in detail


def test_the_lab_runs_without_a_window(tmp_path, capsys):
    picture = tmp_path / "initialisation.pdf"
    options = ["--dim", "8", "--d-model", "16", "--layers", "3", "--width", "8", "--nets", "2", "--activation", "tanh"]
    assert main(["run", "initialisation", *options, "--json", "--out", str(picture)], None) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["scenario"]["activation"] == "tanh"
    assert len(printed["numbers"]["stacks"]["kaiming"]["signal"]["value"]) == 4
    assert picture.stat().st_size > 5_000
