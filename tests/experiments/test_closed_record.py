"""What `theory` prints."""

import math

import pytest

from attnsim.experiments.closed_record import closed_record, spread_record
from attnsim.scenario import Scenario


def test_the_best_factor_is_one_over_the_spread_within_a_row():
    scenario = Scenario(dim=100, mean_q=1.0, mean_k=3.0, sigma_k=2.0)
    found = closed_record(scenario, scenario.rules[0])
    assert found["optimal_scale"] == pytest.approx(1.0 / math.sqrt(100 * 4.0 * 2.0), rel=1e-12)
    assert found["score_sd"] == pytest.approx(1.0 / found["optimal_scale"], rel=1e-12)
    assert found["condensation_threshold"] == pytest.approx(math.sqrt(2.0 * math.log(64)), rel=1e-15)
    assert found["notes"] == []


def test_a_given_spread_says_nothing_of_raw_scores():
    found = spread_record(64, 4.0)
    assert found["mean"] is found["variance"] is None
    assert found["largest_weight_mean"] == pytest.approx(0.59359, abs=1e-5)


def test_moments_that_do_not_exist_are_none_with_a_note():
    scenario = Scenario(law="student_t", nu=3.0)
    found = closed_record(scenario, scenario.rules[0])
    assert found["variance"] == pytest.approx(256.0)
    assert found["excess_kurtosis"] is None
    assert any("excess_kurtosis" in note for note in found["notes"])
