import json

import numpy as np
import pytest
from lab_checks import check_lab

from attnsim.cli import main
from attnsim.experiments.masks import parts, run
from attnsim.figures.marks import Dots, Heat
from attnsim.figures.summaries import summary_of
from attnsim.scenario import Scenario
from attnsim.view import View


@pytest.fixture(autouse=True)
def few_places(monkeypatch):
    monkeypatch.setattr(parts, "POSITIONS", 3)


def last(**fields):
    *_others, best = run(Scenario(**{"rows": 40, **fields}))
    return best


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"dim": 1, "keys": 1},
        {"keys": 2, "mask_size": 1, "format": "fp16"},
        {"law": "student_t", "nu": 1.5, "keys": 16},
        {"rho": 0.5, "aligned": "one", "scalings": ("softcap:5", "softmax1", "rmsnorm_qk:1")},
    ],
)
def test_figures_of_any_scenario_can_be_drawn(fields):
    for view in (View(), View(bits=True, rule="softmax1")):
        check_lab("masks", last(**fields), view)


def test_figures_of_the_largest_scenario_can_be_drawn_at_once():
    check_lab("masks", next(run(Scenario(dim=65_536, keys=65_536))))


def test_the_picture_of_a_causal_mask_is_a_triangle_below_its_diagonal():
    result = last(dim=8, keys=10)
    figure = check_lab("masks", result, View(rule="none"))["masks_pattern"]
    plot = next(each for each in figure.plots if each.key == "causal")
    heat = next(mark for mark in plot.marks if isinstance(mark, Heat))
    shown = np.isfinite(heat.values[::-1])
    np.testing.assert_array_equal(shown, np.tril(np.ones((10, 10), dtype=bool)))


def test_the_dots_stand_at_the_measured_spreads():
    result = last(dim=16, keys=64)
    figure = check_lab("masks", result)["masks_spread"]
    dots = next(mark for mark in figure.plots[0].marks if isinstance(mark, Dots))
    np.testing.assert_allclose(dots.y, result.spread.value / 4.0)
    assert len(figure.table.rows) == len(result.masks) + 2


def test_the_cards_say_that_theory_of_the_largest_scores_is_that_of_many_keys():
    cards = {card.key: card for card in summary_of(last()).readouts(last(), View())}
    assert cards["spread:top_k"].deviation is None
    assert cards["spread:top_k"].theory_text.startswith("many keys")
    assert cards["largest:top_k"].theory_text == "depends on the scores"


def test_the_lab_runs_without_a_window(tmp_path, capsys):
    picture = tmp_path / "masks.svg"
    options = ["--dim", "16", "--keys", "12", "--rows", "40", "--mask-size", "3"]
    assert main(["run", "masks", *options, "--json", "--out", str(picture)], None) == 0
    numbers = json.loads(capsys.readouterr().out)["numbers"]
    assert numbers["masks"]["window"]["seen"] == 3
    assert numbers["empty_row"]["uniform"] == [0.25] * 4
    assert picture.stat().st_size > 10_000
