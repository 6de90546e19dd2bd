"""Figures of the lab "Scaling rules side by side"."""

import json
import math

import numpy as np
import pytest

from attnsim.choices.sections.scalings import ScalingsOptions
from attnsim.experiments import EXPERIMENTS
from attnsim.figures import FIGURES
from attnsim.figures.clicks import CLICKS
from attnsim.figures.marks import Cursor, Dots, Line
from attnsim.figures.scalings.seed import rounding, verdict
from attnsim.figures.scalings.summary import SUMMARY
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.view import View

KEYS = LABS["scalings"].figures


def results(**given):
    section = ScalingsOptions(up_to_dim=32, up_to_keys=32)
    return list(EXPERIMENTS["scalings"](Scenario(**{"rows": 200, **given}, section=section)))


@pytest.fixture(scope="module")
def usual():
    return results(dim=32, keys=16)[-1]


def sound(figure):
    for plot in figure.plots:
        for axis in (plot.x, plot.y):
            assert math.isfinite(axis.low)
            assert axis.low < axis.high
            assert not axis.log or axis.low > 0.0
    assert figure.summary.endswith(".")


@pytest.mark.parametrize(
    "given",
    [
        {"dim": 1, "keys": 1},
        {"dim": 65_536, "keys": 65_536, "rows": 10, "scalings": ("none", "ssmax")},
        {"dim": 4, "keys": 8, "rho": 1.0},
        {"law": "student_t", "nu": 1.2, "dim": 4, "keys": 8},
        {"dim": 16, "keys": 8, "rows": 1},
        {"dim": 8, "keys": 8, "mask": "causal", "format": "fp8_e4m3", "scalings": ("none", "softmax1", "cosine")},
    ],
)
def test_figures_of_extreme_scenarios_are_sound_from_the_first_result_on(given):
    found = results(**given)
    for result in (found[0], found[-1]):
        for key in KEYS:
            table = FIGURES[key](result, View()).table
            if table is not None:
                assert len(set(table.heads)) == len(table.heads)  # files of data name columns by them
                assert all(len(line) == len(table.heads) for line in (*table.rows, *table.values))
            for view in (View(), View(log_weights=True, bits=True, picks=(("largest", "median"),)), View(playhead=0)):
                sound(FIGURES[key](result, view))
        assert all(isinstance(text, str) for text in SUMMARY.headline(result, View()))
        SUMMARY.numbers(result, View())
        SUMMARY.readouts(result, View())


def test_lines_are_theory_in_ink_and_points_take_the_rules_colours(usual):
    largest, entropy = FIGURES["scalings_dimension"](usual, View()).plots
    for plot, line in ((largest, usual.by_dim.line_largest), (entropy, usual.by_dim.line_entropy)):
        inked = [mark for mark in plot.marks if isinstance(mark, Line) and mark.role == "ink"]
        np.testing.assert_array_equal([mark.y for mark in inked], line)
        roles = [mark.role for mark in plot.marks if isinstance(mark, Dots)]
        assert roles == ["rule_none", "rule_inverse_sqrt", "rule_inverse_d", "rule_constant"]
    named = (("no scaling", "rule_none"), ("÷ √d", "rule_inverse_sqrt"), ("÷ d", "rule_inverse_d"),
             ("÷ 8", "rule_constant"))  # fmt: skip
    assert largest.heading == entropy.heading == named, "a name in one plot alone would look like a legend of it alone"


def test_names_that_have_no_room_together_are_shared_between_the_plots():
    rules = ("none", "inverse_sqrt", "ssmax", "log_n", "power:0.25")
    result = results(scalings=rules, dim=16, keys=4, rows=20)[-1]
    largest, entropy = FIGURES["scalings_dimension"](result, View()).plots
    assert (len(largest.heading), len(entropy.heading)) == (3, 2)


def test_the_playhead_stands_on_the_dimension_of_the_weights(usual):
    view = View(playhead=5)
    plot = FIGURES["scalings_dimension"](usual, view).plots[0]
    assert [mark.at for mark in plot.marks if isinstance(mark, Cursor)] == [5.0]
    walked = FIGURES["weights"](usual.walk, view)
    assert FIGURES["scalings_weights"](usual, view).plots[0].heading == walked.plots[0].heading
    assert SUMMARY.moment_text(usual, 5) == "d = 5 of 32"


def test_the_median_has_points_and_no_line(usual):
    plot = FIGURES["scalings_keys"](usual, View(picks=(("largest", "median"),))).plots[0]
    assert not [mark for mark in plot.marks if isinstance(mark, Line) and mark.role == "ink"]
    dots = next(mark for mark in plot.marks if isinstance(mark, Dots))
    np.testing.assert_array_equal(dots.y, usual.by_keys.median.value[0])


def test_uniform_weights_are_dashed_in_both_plots(usual):
    largest, entropy = FIGURES["scalings_keys"](usual, View()).plots
    flat, ceiling = (next(mark for mark in plot.marks if isinstance(mark, Line) and mark.dashed) for plot in
                     (largest, entropy))  # fmt: skip
    np.testing.assert_allclose(np.exp(ceiling.y) * flat.y, 1.0)


def test_the_table_names_keys_seed_and_rows_and_keeps_mean_and_median_apart(usual):
    figure = FIGURES["scalings_table"](usual, View())
    assert figure.subtitle.startswith("n = 16, normal, seed 7, 200 rows")
    rows = [row for row in figure.table.rows if row[:2] == ("no scaling", "512")]
    assert len(rows) == 1
    assert rows[0][5] != rows[0][7]
    assert all(rows[0][place].endswith(")") for place in (2, 3, 5, 7))
    assert len(figure.table.values) == len(figure.table.rows) == len(usual.table)


def test_the_printed_table_is_judged_line_by_line():
    result = results(dim=8, keys=4, rows=2000)[-1]
    found = [verdict(line) for line in result.seed]
    assert [words for words, _why in found] == ["impossible", "no mean", "a median", "n = 15.6"]
    assert "2·10¹⁶ keys" in found[0][1]
    assert "0.976" in found[1][1]
    figure = FIGURES["scalings_seed"](result, View())
    assert len(figure.table.rows) == 4 * 4
    assert any("without n such a number says nothing" in part.text for part in figure.page)
    assert [row[2] for row in figure.table.rows[::4]] == ["0.02", "−0.03", "0.01", "0.01"]


def test_a_printed_number_is_known_to_half_its_last_digit():
    assert [rounding(printed) for printed in (8.1, 0.15, -0.03)] == pytest.approx([0.05, 0.005, 0.005])


def test_the_headline_counts_the_rules_that_saturate(usual):
    title, detail = SUMMARY.headline(usual, View())
    assert title == "1 of 4 rules gives one key more than half of the weight"
    assert detail.startswith("d = 32, 16 keys, mean largest weight: no scaling 0.")
    even = results(dim=16, keys=16, scalings=("inverse_d", "inverse_sqrt"))[-1]
    assert SUMMARY.headline(even, View())[0] == "None of 2 rules give one key more than half of the weight"


def test_a_run_without_a_window_prints_and_draws(tmp_path, capsys):
    from attnsim.__main__ import main

    words = ["run", "scalings", "--dim", "8", "--keys", "4", "--rows", "120", "--up-to-dim", "16", "--up-to-keys", "16"]
    words += ["--scalings", "none,inverse_sqrt,custom:log(n+1)/sqrt(d)"]
    target = tmp_path / "scalings.svg"
    assert main([*words, "--json", "--out", str(target), "--figures", "scalings_keys,scalings_seed"]) == 0
    printed = json.loads(capsys.readouterr().out)
    numbers = printed["numbers"]
    assert numbers["by_keys"]["at"] == [1, 2, 4, 8, 16]
    assert set(numbers["by_dim"]["rules"]) == {"none", "inverse_sqrt", "custom:log(n+1)/sqrt(d)"}
    assert numbers["seed"][0]["printed"]["largest_weight"] == 0.15
    assert numbers["seed"][1]["keys_for_printed"] is None
    assert {record["dim"] for record in numbers["table"]} == {8, 64, 256, 512}
    assert target.stat().st_size > 0


def test_a_click_opens_the_row_at_the_nearest_measured_point(usual):
    assert CLICKS["scalings_dimension"](usual, View(), "largest", 15.0, 0.3).dim == 16
    found = CLICKS["scalings_keys"](usual, View(), "entropy", 1.1, 0.3)
    assert (found.keys, found.dim, found.section) == (1, 32, None)
    assert CLICKS["scalings_keys"](usual, View(), "entropy", float("nan"), 0.3) is None
