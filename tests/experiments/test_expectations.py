"""Expected softmax of a scenario's rows."""

import math

import numpy as np
import pytest

from attnsim.experiments.evidence import evidence
from attnsim.experiments.expectations import expected_weights, softmax_theory, spread_theory, why_none
from attnsim.experiments.walk import run
from attnsim.scenario import Scenario


@pytest.mark.parametrize(("keys", "sd", "largest"), [(16, 8.0, 0.846), (16, 16.0, 0.923), (16, 1.0, 0.247)])
def test_the_largest_weight_is_that_of_the_table_for_sixteen_keys(keys, sd, largest):
    assert spread_theory(keys, sd).largest_weight_mean == pytest.approx(largest, abs=6e-4)


def test_a_long_query_makes_the_spread_sharp_and_the_mean_that_of_one_spread():
    scenario = Scenario(dim=65_536, keys=64, scalings=("inverse_sqrt",))
    found, one = softmax_theory(scenario, scenario.rules[0]), spread_theory(64, 1.0)
    assert found.largest_weight_mean == pytest.approx(one.largest_weight_mean, rel=1e-4)
    assert found.method == one.method == "quadrature"


@pytest.mark.parametrize(
    "fields",
    [
        {"dim": 2, "keys": 30},
        {"dim": 300, "keys": 100, "r_q": 0.2, "r_k": 0.5},  # one direction rules: rows of a narrow spread are rare
        {"dim": 40, "keys": 7, "mean_q": 1.0, "rho": 0.5},
    ],
)
def test_what_is_expected_is_what_rows_give(fields):
    scenario = Scenario(**fields, scalings=("inverse_sqrt",), rows=20_000)
    found = evidence(scenario, work=2_000_000)
    assert abs(found.largest_weight[0].deviation) < 5.0
    assert abs(found.entropy[0].deviation) < 5.0


def test_the_overlay_is_the_quadrature_to_three_digits_and_more():
    scenario = Scenario(dim=48, keys=20, r_q=0.3, r_k=0.3, scalings=("none", "inverse_sqrt", "inverse_d"))
    fast = expected_weights(scenario, [48])
    for place, rule in enumerate(scenario.rules):
        exact = softmax_theory(scenario, rule)
        assert fast.largest_weight[place, 0] == pytest.approx(exact.largest_weight_mean, abs=2e-4)
        assert fast.entropy[place, 0] == pytest.approx(exact.entropy_mean, abs=5e-4)


def test_between_checkpoints_the_overlay_stays_between_its_neighbours():
    scenario = Scenario(dim=64, scalings=("none",))
    found = expected_weights(scenario, [16, 64])
    assert found.largest_weight[0, 0] < found.at(0, 32)[0] < found.largest_weight[0, 1]


def test_one_key_has_all_the_weight():
    found = expected_weights(Scenario(keys=1), [1, 256])
    assert np.all(found.largest_weight == 1.0)
    assert np.all(found.entropy == 0.0)


@pytest.mark.parametrize("fields", [{"law": "uniform"}, {"aligned": "one", "rho": 0.3}])
def test_where_there_is_no_closed_form_it_says_so_and_gives_no_number(fields):
    scenario = Scenario(**fields)
    assert "no closed form" in why_none(scenario)
    found = softmax_theory(scenario, scenario.rules[0])
    assert found.largest_weight_mean is found.entropy_mean is None
    assert np.all(np.isnan(expected_weights(scenario, [256]).largest_weight))


def test_the_first_picture_does_not_wait_for_expectations():
    results = list(run(Scenario(dim=16, keys=4, rows=50)))
    assert results[0].expected is None
    assert results[-1].expected.steps[-1] == 16


@pytest.mark.parametrize(("keys", "sd"), [(0.5, 1.0), (64, -1.0), (64, math.nan)])
def test_impossible_spreads_are_refused_with_the_region(keys, sd):
    with pytest.raises(ValueError, match=r"must lie in \["):
        spread_theory(keys, sd)
