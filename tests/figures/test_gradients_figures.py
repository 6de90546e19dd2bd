"""The gradients' figures, cards and numbers, for usual and extreme scenarios."""

import json

import numpy as np
import pytest

from attnsim.__main__ import main
from attnsim.choices.sections.gradients import GradientOptions
from attnsim.experiments.gradients import run
from attnsim.figures import FIGURES
from attnsim.figures.clicks import CLICKS
from attnsim.figures.marks import Band, Heat, Line
from attnsim.figures.summaries import summary_of
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.view import View

SMALL = {"training_steps": 10, "training_seeds": 2}


def results(**fields):
    inner = {name: fields.pop(name) for name in list(fields) if name in GradientOptions.__slots__}
    return list(run(Scenario(**({"rows": 40} | fields), section=GradientOptions(**(SMALL | inner)))))


@pytest.fixture(scope="module")
def usual():
    return results(dim=16, keys=8)


@pytest.mark.parametrize("of", ["query", "scores", "keys", "jacobian"])
def test_every_figure_can_be_drawn_at_every_stage_and_says_something(usual, of):
    for result in (usual[0], usual[len(usual) // 2], usual[-1]):
        for key in LABS["gradients"].figures:
            figure = FIGURES[key](result, View(picks=(("gradient", of),)))
            assert figure.key == key
            assert figure.summary
            assert figure.plots
            for plot in figure.plots:
                ends = (plot.x.low, plot.x.high, plot.y.low, plot.y.high)
                assert np.isfinite(ends).all()
                assert plot.x.low < plot.x.high
                assert plot.y.low < plot.y.high
                assert min(ends[2:]) > 0.0 or not plot.y.log


@pytest.mark.parametrize(
    "fields",
    [
        {"dim": 1, "keys": 1},
        {"dim": 65_536, "keys": 3, "scalings": ("none",), "training": "off"},
        {"keys": 65_536, "dim": 4, "rows": 3, "scalings": ("none",), "training": "off"},
        {"upstream": "even", "dim": 8, "keys": 4, "training": "off"},
        {"law": "laplace", "dim": 65_536, "keys": 100, "rows": 2, "training": "off"},
        {"format": "fp16", "sigma_q": 1000.0, "dim": 64, "keys": 8, "training": "off"},
        {"scalings": ("softmax1", "softcap:5"), "dim": 8, "keys": 4, "training": "run"},
        {"law": "ar1", "dim": 12, "keys": 4, "training": "off"},
        {"mask": "window", "format": "fp8_e4m3", "sigma_q": 100.0, "training": "off"},
    ],
)
def test_extreme_scenarios_are_drawn(fields):
    result = results(**fields)[-1]
    summary = summary_of(result)
    for of in ("query", "keys", "jacobian"):
        view = View(picks=(("gradient", of),))
        for key in LABS["gradients"].figures:
            for plot in FIGURES[key](result, view).plots:
                assert np.isfinite((plot.x.low, plot.x.high, plot.y.low, plot.y.high)).all()
        assert all(summary.headline(result, view))
        json.dumps(summary.numbers(result, view), allow_nan=False)
        assert {card.key for card in summary.readouts(result, view)} <= set(summary.order(result, view))


def test_the_jacobian_of_the_largest_keys_sums_to_zero_when_all_are_shown(usual):
    figure = FIGURES["gradients_jacobian"](usual[-1], View())
    for plot in figure.plots:
        heat = next(mark for mark in plot.marks if isinstance(mark, Heat))
        np.testing.assert_allclose(heat.values.sum(axis=0), 0.0, atol=1e-15)


def test_the_curves_of_the_training_end_at_the_playhead(usual):
    result = usual[-1]
    assert result.moments.tolist() == list(range(11))
    plot = FIGURES["gradients_training"](result, View(playhead=4)).plots[0]
    assert all(mark.x.tolist() == [0, 1, 2, 3, 4] for mark in plot.marks if isinstance(mark, (Line, Band)))
    assert summary_of(result).moment_text(result, 4) == "step 4 of 10"


def test_the_lab_runs_without_a_window(tmp_path, capsys):
    picture = tmp_path / "gradients.png"
    words = ["--dim", "16", "--keys", "8", "--rows", "40", "--training-steps", "10", "--training-seeds", "2"]
    assert main(["run", "gradients", "--json", "--out", str(picture), *words]) == 0
    told = json.loads(capsys.readouterr().out)
    assert picture.stat().st_size > 10_000
    assert told["numbers"]["training"]["learnt"].keys() == {"none", "inverse_sqrt", "inverse_d", "constant:8"}
    assert len(told["numbers"]["spread"]["query"]["none"]["rms"]) == len(told["numbers"]["dims"])


def test_a_click_into_the_dimensions_opens_that_dimension_in_the_walk(usual):
    opened = CLICKS["gradients_dimension"](usual[-1], View(), "rms", 130.4, 0.1)
    assert (opened.dim, opened.keys, opened.section) == (130, 8, None)


def test_nothing_is_said_of_learning_rates_that_are_not_run_yet():
    section = GradientOptions(training="rates", training_steps=10, training_seeds=2)
    begun = None
    for result in run(Scenario(dim=8, keys=4, rows=20, section=section)):
        drawn = result.rates is not None and np.isfinite(result.rates.accuracy[:, 0]).any(axis=1)
        if result.fraction < 1.0 and np.any(drawn) and not np.all(drawn):
            begun = FIGURES["gradients_rates"](result, View())
    assert begun is not None, "the sweep must be seen half done"
    assert all(plot.heading[1][0] in ("drawing…", "not a factor of q·k") for plot in begun.plots)
    finished = FIGURES["gradients_rates"](result, View())
    assert all(plot.heading[1][0] != "drawing…" for plot in finished.plots)
