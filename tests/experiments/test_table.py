"""The table over dimensions."""

import numpy as np
import pytest

from attnsim.experiments.table import table
from attnsim.scenario import Scenario

KEYS = ["dim", "keys", "seed", "rows", "scaling", "mean", "sd", "sd_low", "sd_high"]


def test_every_dimension_and_rule_has_a_record_in_order():
    scenario = Scenario(keys=8, rows=50, scalings=("none", "inverse_sqrt"))
    records = table(scenario, [4, 16])
    assert [(r["dim"], r["scaling"]) for r in records] == [
        (4, "none"), (4, "inverse_sqrt"), (16, "none"), (16, "inverse_sqrt"),
    ]  # fmt: skip
    assert list(records[0])[:9] == KEYS


@pytest.mark.parametrize("law", ["normal", "sign", "uniform"])
def test_the_spread_of_scaled_scores_is_what_each_rule_makes_of_the_root_of_d(law):
    rules = ("none", "inverse_sqrt", "inverse_d", "constant:8")
    scenario = Scenario(law=law, keys=16, rows=3000, seed=4, scalings=rules)
    for record in table(scenario, [16, 64]):
        factor = {"none": 1, "inverse_sqrt": record["dim"] ** -0.5, "inverse_d": 1 / record["dim"], "constant:8": 1 / 8}
        truth = factor[record["scaling"]] * np.sqrt(record["dim"])
        error = (record["sd_high"] - record["sd_low"]) / (2 * 1.96)
        assert abs(record["sd"] - truth) < 5 * error


def test_largest_weights_agree_with_exact_quadrature():
    # E p_max for 16 keys at d = 64, by quadrature to 3 digits: 0.846 unscaled, 0.247 after 1/sqrt d
    records = table(Scenario(keys=16, rows=20_000, seed=1, scalings=("none", "inverse_sqrt")), [64])
    assert records[0]["largest_weight_mean"] == pytest.approx(0.846, abs=5 * 0.17 / np.sqrt(20_000) + 0.001)
    assert records[1]["largest_weight_mean"] == pytest.approx(0.247, abs=5 * 0.09 / np.sqrt(20_000) + 0.001)


def test_heavy_tails_have_a_spread_and_no_interval():
    (record,) = table(Scenario(law="student_t", nu=1.5, keys=4, rows=30, scalings=("none",)), [8])
    assert np.isfinite(record["sd"])
    assert record["sd_low"] is None


def test_a_mean_made_by_a_few_rows_has_no_interval():
    # scores of spread 16,000: in 300 rows none or one leaves weight to a second key, where the mean wants 0.07 rows
    records = table(Scenario(keys=64, rows=300, sigma_q=1000.0, scalings=("none", "inverse_d")), [256])
    assert records[0]["largest_weight_mean_low"] is records[0]["entropy_mean_high"] is None
    spread = table(Scenario(keys=64, rows=300, scalings=("inverse_sqrt",)), [256])[0]
    assert spread["largest_weight_mean_low"] < spread["largest_weight_mean"] < spread["largest_weight_mean_high"]
