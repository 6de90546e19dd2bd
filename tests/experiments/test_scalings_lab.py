"""Scaling rules side by side: points lie on theory's lines, and the printed table is what it is."""

import math

import numpy as np
import pytest

from attnsim.choices.sections.scalings import ScalingsOptions
from attnsim.experiments import EXPERIMENTS
from attnsim.experiments.scalings.scan import affordable, changed, powers_up_to
from attnsim.experiments.scalings.seed import PRINTED
from attnsim.experiments.table import records_of, table
from attnsim.scenario import Scenario

LIMIT = 4.5  # standard errors, of some 200 z-scores


def scalings(up_to_dim=64, up_to_keys=64, seed_keys=16, **fields):
    section = ScalingsOptions(up_to_dim=up_to_dim, up_to_keys=up_to_keys, seed_keys=seed_keys)
    *_before, result = EXPERIMENTS["scalings"](Scenario(**{"rows": 400, **fields}, section=section))
    return result


@pytest.fixture(scope="module")
def usual():
    return scalings(dim=32, keys=16, scalings=("none", "inverse_sqrt", "custom:log(n)/sqrt(d)"))


def deviations(scan):
    at = np.searchsorted(scan.line_at, scan.at)
    both = at < scan.line_at.size
    both[both] = scan.line_at[at[both]] == scan.at[both]
    for estimate, line in ((scan.largest, scan.line_largest), (scan.entropy, scan.line_entropy)):
        gap = estimate.value[:, both] - line[:, at[both]]
        known = np.isfinite(gap) & (estimate.error[:, both] > 1e-12)
        yield from gap[known] / estimate.error[:, both][known]


def test_points_along_d_and_n_lie_on_the_lines_of_theory(usual):
    for scan in (usual.by_dim, usual.by_keys):
        found = np.array(list(deviations(scan)))
        assert found.size > 20
        assert np.abs(found).max() < LIMIT
        assert (found**2).mean() < 2.0


@pytest.mark.parametrize(
    "fields",
    [
        {"dim": 4, "rho": 0.5, "r_q": 0.3, "mean_q": 0.5, "keys": 32},
        {"dim": 8, "law": "sign", "keys": 8},
        {"dim": 65_536, "keys": 4, "scalings": ("none", "inverse_sqrt", "inverse_d")},
    ],
)
def test_points_lie_on_their_lines_in_other_scenarios(fields):
    result = scalings(up_to_dim=16, up_to_keys=16, **fields)
    found = [z for scan in (result.by_dim, result.by_keys) for z in deviations(scan)]
    assert len(found) > 10
    assert np.abs(found).max() < LIMIT


def test_only_one_over_the_root_holds_along_d_and_none_holds_along_n(usual):
    largest = usual.by_dim.line_largest
    later = usual.by_dim.line_at >= 8
    assert np.ptp(largest[1, later]) < 0.01
    assert np.all(np.diff(largest[0, later]) > 0.0)
    assert usual.by_keys.line_largest[1, -1] < 0.3 * usual.by_keys.line_largest[1, 2]


def test_one_key_has_weight_one_at_every_rule(usual):
    one = scalings(up_to_dim=16, up_to_keys=16, dim=1, keys=1)
    assert np.all(one.by_dim.largest.value == 1.0)
    assert np.all(one.by_dim.line_entropy == 0.0)
    assert usual.by_keys.at[0] == 1
    assert usual.by_keys.largest.value[0, 0] == 1.0


def test_a_saturated_row_of_65536_keys_keeps_its_numbers():
    result = scalings(up_to_dim=16, up_to_keys=16, dim=65_536, keys=65_536, rows=30, scalings=("none", "constant:1e6"))
    assert result.walk.row.keys == 65_536
    assert np.nanmax(result.by_keys.largest.value) <= 1.0
    last = result.by_keys.largest
    # thirty rows cannot tell a mean of which one row in fifty makes the difference
    assert np.isnan(last.low[:, -1]).all()
    assert last.value[0, -1] == pytest.approx(result.by_keys.line_largest[0, -1], abs=0.05)


def test_every_rule_weighs_the_same_draw(usual):
    """Within a point the rules share their rows: a factor's weights follow from another's scores."""
    s = usual.scenario
    record, scaled, _typed = records_of(s, "scalings/32/16")
    assert scaled["sd"] == pytest.approx(record["sd"] / math.sqrt(32))
    place = usual.by_dim.at.tolist().index(32)
    assert usual.by_dim.largest.value[0, place] == pytest.approx(record["largest_weight_mean"], rel=1e-9)


def test_mean_and_median_of_the_table_have_intervals_that_hold_theory():
    [record] = table(Scenario(keys=16, rows=2000, scalings=("none",)), [256])
    assert record["largest_weight_mean_low"] < record["largest_weight_mean"] < record["largest_weight_mean_high"]
    assert record["largest_weight_median_low"] < record["largest_weight_median"] < record["largest_weight_median_high"]
    assert record["largest_weight_median"] > record["largest_weight_mean"] + 0.05
    assert record["mean_low"] < 0.0 < record["mean_high"]
    few = table(Scenario(keys=16, rows=20, scalings=("none",)), [256])[0]
    assert few["largest_weight_mean_low"] is None


def test_the_median_interval_covers_the_median_as_often_as_it_says():
    """Weights of the largest of two keys: their median is known in closed form, 1/(1 + exp(-0.6745 sqrt 2 s))."""
    median = 1.0 / (1.0 + math.exp(-0.674489750196 * math.sqrt(2.0) * 8.0))
    inside = 0
    for seed in range(100):
        [record] = table(Scenario(keys=2, rows=150, seed=seed, scalings=("constant:1",), dim=64), [64])
        inside += record["largest_weight_median_low"] <= median <= record["largest_weight_median_high"]
    assert 88 <= inside <= 100


def test_the_printed_table_is_set_beside_what_its_assumptions_give(usual):
    assert [(line.dim, line.scaling, line.largest) for line in usual.seed] == [
        (dim, rule, largest) for dim, rule, _mean, _sd, largest in PRINTED
    ]
    for line in usual.seed:
        record = line.measured
        assert (record["keys"], record["rows"], record["seed"]) == (16, 400, 7)
        error = (record["largest_weight_mean_high"] - record["largest_weight_mean_low"]) / 3.92
        assert abs(record["largest_weight_mean"] - line.theory_largest) < LIMIT * error
    first, second, third, fourth = usual.seed
    # THEORY of the audit: 0.15 takes some 10^16 keys, 0.99 and 1.0 lie above every mean, 0.25 means 15.6 keys
    assert 1e16 < first.keys < 3e16
    assert math.isnan(second.keys)
    assert second.ceiling == pytest.approx(0.976, abs=5e-4)
    assert math.isnan(third.keys)
    assert third.ceiling == pytest.approx(0.983, abs=5e-4)
    assert fourth.keys == pytest.approx(15.6, abs=0.05)


def test_a_formula_is_left_out_where_it_has_no_value_and_the_others_stay():
    result = scalings(dim=8, keys=4, rows=120, scalings=("none", "custom:1/(20-d)"))
    known = np.isfinite(result.by_dim.largest.value)
    assert known[0].all()
    assert known[1].tolist() == [at < 20 for at in result.by_dim.at]
    assert "custom:1/(20-d)" in result.by_dim.reasons[0]
    assert {record["scaling"] for record in result.table if record["dim"] == 64} == {"none"}


def test_laws_without_blocks_stop_where_a_point_would_take_too_long():
    scenario = Scenario(law="laplace", dim=4096, keys=4096)
    assert affordable(scenario, 1000, 2_000_000) == 0
    assert affordable(scenario.but(law="normal"), 1000, 2_000_000) == 488
    result = scalings(law="laplace", dim=256, keys=512, rows=120, up_to_dim=512)
    assert result.by_dim.rows[-1] == 0
    assert "too much work" in result.by_dim.reasons[0]
    assert np.isnan(result.by_dim.line_largest).all()


def test_changes_name_their_refusals():
    reasons = {}
    rules, scenario = changed(Scenario(scalings=("none", "custom:log(n)")), "keys", 1, reasons)
    assert rules == [0]
    assert scenario.scalings == ("none",)
    assert list(reasons) == ["custom:log(n)"]
    assert powers_up_to(20, 3) == (1, 2, 3, 4, 8, 16, 20)


def test_masks_formats_and_rules_that_are_no_factor_are_measured_without_theory():
    result = scalings(
        dim=16, keys=16, rows=120, mask="top_k", mask_size=4, format="fp16", scalings=("softcap:5", "rmsnorm_qk")
    )
    assert np.isfinite(result.by_dim.largest.value).all()
    assert np.nanmax(result.by_keys.entropy.value) <= math.log(4.0) + 1e-3
    assert np.isnan(result.by_keys.line_entropy).all()


def test_results_get_better_and_the_row_comes_first():
    section = ScalingsOptions(up_to_dim=16, up_to_keys=16)
    results = list(EXPERIMENTS["scalings"](Scenario(dim=16, keys=8, rows=120, section=section)))
    assert results[0].walk.row.keys == 8
    assert results[0].moments[-1] == 16
    fractions = [result.fraction for result in results]
    assert fractions == sorted(fractions)
    assert fractions[-1] == pytest.approx(1.0)
    assert results[-1].walk is results[0].walk


def test_equal_scenarios_give_equal_bits(usual):
    again = scalings(dim=32, keys=16, scalings=("none", "inverse_sqrt", "custom:log(n)/sqrt(d)"))
    np.testing.assert_array_equal(usual.by_keys.entropy.value, again.by_keys.entropy.value)
    assert usual.table == again.table
