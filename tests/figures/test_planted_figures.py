import json
import math

import numpy as np
import pytest
from lab_checks import check_lab

from attnsim.cli import main
from attnsim.experiments import planted
from attnsim.experiments.planted import run, sweeps
from attnsim.figures.clicks import CLICKS
from attnsim.figures.marks import Dots, Heat, Line
from attnsim.figures.planted.limits import limits_along
from attnsim.figures.summaries import summary_of
from attnsim.scenario import Scenario
from attnsim.view import View


@pytest.fixture(autouse=True)
def small_maps(monkeypatch):
    for name, points in (("MAP_DIMS", 4), ("MAP_RHOS", 3), ("MAP_KEYS", 3), ("RHO_POINTS", 4)):
        monkeypatch.setattr(planted, name, points)
    monkeypatch.setattr(sweeps, "MOST_WORK", 20_000)
    monkeypatch.setattr(sweeps, "LARGEST_ROW", 100_000)


def last(**fields):
    *_others, best = run(Scenario(**{"rows": 60, "scalings": ("inverse_sqrt",), **fields}))
    return best


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"dim": 1, "keys": 1, "rho": 1.0},
        {"rho": -0.4, "mask": "window", "format": "bf16"},
        {"law": "laplace", "dim": 8, "keys": 4, "rho": 0.2},
        {"law": "ar1", "rho": 0.01},
    ],
)
def test_figures_of_any_scenario_can_be_drawn(fields):
    for view in (View(), View().picking("planted_against", "rho").picking("planted_value", "found")):
        check_lab("planted", last(**fields), view)


def test_figures_of_the_largest_scenario_can_be_drawn_at_once():
    first = next(run(Scenario(dim=65_536, keys=65_536, rho=1.0)))
    check_lab("planted", first)


def test_dots_stand_at_the_measured_means_and_the_line_at_the_exact_ones():
    result = last(dim=64, keys=64, rho=0.5)
    figure = check_lab("planted", result)["planted_dimension"]
    line, dots = (next(m for m in figure.plots[0].marks if isinstance(m, kind)) for kind in (Line, Dots))
    np.testing.assert_array_equal(line.y, result.sweep("dim").expected[0])
    np.testing.assert_array_equal(dots.y, result.sweep("dim").weight[0])


def test_the_map_shows_the_rule_of_the_view():
    result = last(dim=64, keys=64, rho=0.5, scalings=("inverse_sqrt", "inverse_d"))
    figure = check_lab("planted", result, View(rule="inverse_d"))["planted_map"]
    heat = next(m for m in figure.plots[0].marks if isinstance(m, Heat))
    np.testing.assert_array_equal(heat.values, result.map("dim").weight[1])


def test_the_limits_meet_in_all_three_fields():
    s = Scenario(dim=64, keys=512, rho=0.5)
    best, root = limits_along(s, "keys")
    assert best.at == pytest.approx(math.exp(8.0))
    assert root.at == pytest.approx(33.1, abs=0.05)
    for axis in ("dim", "rho"):
        at = limits_along(s, axis)[0].at
        there = {"dim": s.dim, "rho": s.rho} | {axis: at}
        assert 0.5 * there["rho"] ** 2 * there["dim"] == pytest.approx(math.log(512))


def test_a_rule_beyond_the_factors_shown_says_so():
    figure = check_lab("planted", last(dim=16_384, keys=8, rho=0.5, scalings=("inverse_sqrt", "none")))["planted_scale"]
    texts = [mark.text for mark in figure.plots[0].marks if hasattr(mark, "text")]
    assert texts == ["÷ √d", "no scaling: beyond"]


def test_a_click_opens_the_row_that_was_pointed_at():
    result = last(dim=64, keys=64, rho=0.5)
    view = View()
    assert CLICKS["planted_dimension"](result, view, "weight", 130.0, 0.5).dim == 128
    assert CLICKS["planted_keys"](result, view, "weight", 1000.0, 0.5).keys == 1024
    opened = CLICKS["planted_map"](result, view, "map", 33.4, 700.2)
    assert (opened.dim, opened.keys, opened.aligned, opened.section) == (33, 700, "one", None)
    over_rho = CLICKS["planted_map"](result, view.picking("planted_against", "rho"), "map", 0.25, 1e9)
    assert (over_rho.rho, over_rho.keys) == (0.25, 65_536)


def test_the_headline_says_when_there_is_nothing_to_find():
    title, detail = summary_of(last()).headline(last(mask="window"), View())
    assert title.startswith("ρ is 0")
    assert "mask is set aside" in detail


def test_the_lab_runs_without_a_window(tmp_path, capsys):
    picture = tmp_path / "planted.png"
    options = ["--dim", "16", "--keys", "8", "--rows", "40", "--scalings", "inverse_sqrt"]
    assert main(["run", "planted", *options, "--json", "--out", str(picture)], None) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["scenario"]["rho"] == 0.5
    assert set(printed["numbers"]["sweeps"]) == {"dim", "keys", "rho"}
    assert picture.stat().st_size > 10_000
