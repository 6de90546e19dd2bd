import math

import numpy as np
import pytest

from attnsim.experiments import planted
from attnsim.experiments.planted import run
from attnsim.scenario import Scenario
from attnsim.theory.retrieval import found_probability, mean_planted_weight

FIELDS = {"rows": 500, "aligned": "one"}


@pytest.fixture(autouse=True)
def small_maps(monkeypatch):
    for name, points in (("MAP_DIMS", 3), ("MAP_RHOS", 3), ("MAP_KEYS", 3), ("RHO_POINTS", 4)):
        monkeypatch.setattr(planted, name, points)


def best(**fields):
    *_others, last = run(Scenario(**{**FIELDS, **fields}))
    assert last.fraction == 1.0
    return last


def deviations(result):
    """Measured minus exact weight in standard errors, where rows are many and the error is no rounding."""
    for sweep in result.sweeps:
        use = (sweep.rows >= 400) & (sweep.error > 1e-9)
        yield ((sweep.weight - sweep.expected) / np.where(use, sweep.error, np.nan)).ravel()


@pytest.mark.parametrize(
    "fields",
    [
        {"dim": 64, "keys": 64, "rho": 0.5, "scalings": ("inverse_sqrt", "inverse_d")},
        {"dim": 64, "keys": 32, "rho": 0.3, "law": "sign", "scalings": ("inverse_sqrt",)},
        {"dim": 16, "keys": 20, "rho": 0.6, "sigma_q": 2.0, "mean_k": 3.0, "scalings": ("log_n", "optimal")},
    ],
)
def test_measured_weights_agree_with_the_exact_ones(fields):
    z = np.concatenate(list(deviations(best(**fields))))
    z = z[np.isfinite(z)]
    assert z.size > 20
    assert np.abs(z).max() < 5.0


def test_how_often_it_is_found_agrees_with_the_exact_chance():
    for sweep in best(dim=64, keys=64, rho=0.4, scalings=("inverse_sqrt",)).sweeps:
        p, n = sweep.found_expected, np.maximum(sweep.rows, 1)
        assert np.all(np.abs(sweep.found - p) < 5.0 * np.sqrt(p * (1 - p) / n) + 1e-9)
        assert np.all((sweep.found_low <= sweep.found) & (sweep.found <= sweep.found_high))


def test_a_saturated_row_of_the_largest_scenario_puts_all_weight_on_the_planted_key():
    first = next(run(Scenario(**FIELDS, dim=65_536, keys=65_536, rho=0.9, scalings=("none",))))
    sweep = first.sweep("dim")
    assert sweep.at[-1] == 65_536
    assert np.isnan(sweep.weight).all()  # one row alone is more than a first look
    few = next(run(Scenario(**FIELDS, dim=65_536, keys=2, rho=0.9, scalings=("none",)))).sweep("dim")
    assert few.weight[0, -1] == 1.0


def test_one_key_in_one_dimension_has_weight_one():
    result = best(dim=1, keys=1, rho=1.0, scalings=("inverse_sqrt",))
    assert np.all(result.sweep("dim").weight == 1.0)
    assert np.all(result.sweep("dim").expected == 1.0)
    assert result.sweep("keys").at[0] == 1.0


def test_a_law_without_closed_form_is_measured_alone():
    first = next(run(Scenario(**FIELDS, law="uniform", dim=16, keys=8, rho=0.5)))
    assert first.why_silent.startswith("no closed form")
    assert np.isfinite(first.sweep("dim").weight).all()
    assert np.isnan(first.sweep("dim").expected).all()


def test_the_maps_hold_the_exact_means():
    result = best(dim=64, keys=512, rho=0.5, scalings=("inverse_sqrt", "log_n"))
    chart = result.map("dim")
    d, n = chart.at[1], chart.keys[1]
    assert chart.weight[0, 1, 1] == pytest.approx(mean_planted_weight(d, n, 0.5, 1 / math.sqrt(d)), abs=1e-5)
    sharper = math.log(n) / math.log(512) / math.sqrt(d)
    assert chart.weight[1, 1, 1] == pytest.approx(mean_planted_weight(d, n, 0.5, sharper), abs=1e-5)
    assert np.isfinite(result.map("rho").weight).all()


def test_a_larger_factor_gives_what_the_root_withholds_up_to_the_chance_to_be_found():
    scale = best(dim=64, keys=512, rho=0.5, scalings=("inverse_sqrt",)).scale
    assert np.interp(1.0, scale.at, scale.weight) == pytest.approx(0.0914, abs=0.01)
    assert np.interp(8.0 * 0.5 / 0.75, scale.at, scale.weight) == pytest.approx(0.784, abs=0.01)
    assert scale.weight[-1] == pytest.approx(found_probability(64, 512, 0.5), abs=0.005)


def test_equal_scenarios_give_equal_bits():
    one, two = (next(run(Scenario(**FIELDS, dim=32, rho=0.5))).sweep("dim").weight for _ in range(2))
    np.testing.assert_array_equal(one, two)
