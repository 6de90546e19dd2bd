"""The walk experiment: one draw, its ensemble, and theory."""

import numpy as np
import pytest
from scipy import stats

from attnsim.choices.laws import LAWS
from attnsim.experiments import EXPERIMENTS
from attnsim.experiments.walk import last, run
from attnsim.scenario import Scenario

SCENARIOS = {
    "default": {},
    "one component": {"dim": 1},
    "correlated": {"rho": 0.5},
    "mean of the query": {"mean_q": 0.7},
    "mean of the keys": {"mean_k": -0.7},
    "both means, correlated": {"mean_q": 0.4, "mean_k": 0.6, "rho": -0.4},
    "sigmas": {"sigma_q": 3.0, "sigma_k": 0.2},
    "common factors": {"r_q": 0.3, "r_k": 0.2},
    "everything": {"r_q": 0.2, "r_k": 0.1, "rho": 0.4, "mean_q": 0.3, "mean_k": -0.2, "sigma_q": 1.4, "sigma_k": 0.6},
    "one aligned key": {"rho": 0.6, "aligned": "one", "keys": 8},
    "one aligned key of many": {"rho": 0.5, "aligned": "one", "keys": 500, "mean_q": 0.2},
    "signs": {"law": "sign"},
    "signs, correlated, with means": {"law": "sign", "rho": 0.3, "mean_q": 0.4, "mean_k": -0.3, "sigma_k": 2.0},
    "one aligned key of signs": {"law": "sign", "rho": 0.5, "aligned": "one", "keys": 4},
    "uniform": {"law": "uniform", "dim": 48},
    "uniform, correlated": {"law": "uniform", "dim": 48, "rho": 0.5, "mean_q": 0.3},
    "uniform, common factors": {"law": "uniform", "dim": 48, "r_q": 0.3, "r_k": 0.3, "rho": 0.2},
    "Student": {"law": "student_t", "nu": 12.0, "dim": 48},
    "Student, correlated": {"law": "student_t", "nu": 20.0, "dim": 48, "rho": 0.4, "mean_k": 0.5},
    "Laplace": {"law": "laplace", "dim": 48},
    "Laplace, correlated": {"law": "laplace", "dim": 48, "rho": 0.2, "mean_k": 0.5},
    "log-normal": {"law": "lognormal", "shape": 0.4, "dim": 48, "mean_q": 0.3},
    "log-normal, one aligned key": {
        "law": "lognormal",
        "shape": 0.2,
        "dim": 48,
        "rho": 0.5,
        "aligned": "one",
        "keys": 6,
    },
    "sparse": {"law": "sparse", "nonzero": 0.3, "dim": 48},
    "autoregressive": {"law": "ar1", "phi_q": 0.8, "phi_k": 0.7},
    "autoregressive, correlated, with means": {
        "law": "ar1",
        "phi_q": 0.7,
        "phi_k": -0.3,
        "rho": 0.4,
        "mean_q": 0.3,
        "mean_k": -0.4,
        "sigma_k": 2.0,
    },
    "autoregressive, one aligned key": {"law": "ar1", "phi_q": 0.6, "rho": 0.5, "aligned": "one", "keys": 8},
    "low rank": {"law": "low_rank"},
    "low rank, tied, with means": {"law": "low_rank", "projections": "tied", "rank": 24, "mean_q": 0.4, "mean_k": 0.5},
    "initialised": {"law": "initialised", "d_model": 40},
    "initialised like T5": {"law": "initialised", "initialisation": "t5", "d_model": 96, "mean_q": 0.1},
    "many keys of low rank": {"law": "low_rank", "dim": 3000, "keys": 20_000, "rank": 12, "rows": 300},
    "many keys, large dimension": {"dim": 5000, "keys": 3000, "rho": -0.2},
}


@pytest.mark.parametrize("name", list(SCENARIOS))
def test_the_ensemble_lies_within_5_standard_errors_of_theory_at_every_checkpoint(name):
    result = last(Scenario(**{"dim": 64, "rows": 1500, "seed": 11, **SCENARIOS[name]}))
    ensemble, theory = result.ensemble, result.theory
    place = np.searchsorted(theory.steps, ensemble.steps)
    judged = 0
    for statistic in ("mean", "sd", "within_sd", "skewness", "excess_kurtosis"):
        estimate, truth = getattr(ensemble, statistic), getattr(theory, statistic)[place]
        z = (estimate.value - truth) / estimate.error
        seen = np.isfinite(z)
        if statistic in ("skewness", "excess_kurtosis"):
            seen &= ensemble.steps >= 32  # below, their own sampling law is far from normal at 1500 rows
        judged += seen.sum()
        assert np.all(np.abs(z[seen]) < 5.0), (statistic, ensemble.steps[seen], z[seen])
    assert judged >= 3


def test_the_walk_of_signs_has_the_exact_binomial_law():
    result = last(Scenario(law="sign", dim=40, keys=64, rows=3000, seed=5))
    ensemble = result.ensemble
    total = ensemble.rows * ensemble.keys_per_row
    expected = ensemble.density[-1] * np.diff(ensemble.edges[-1]) * total
    kept = expected > 20
    chi_square = ((ensemble.counts[-1][kept] - expected[kept]) ** 2 / expected[kept]).sum()
    assert stats.chi2.sf(chi_square, kept.sum() - 1) > 1e-3
    points = 0.5 * (ensemble.edges[-1][1:] + ensemble.edges[-1][:-1])
    np.testing.assert_allclose(expected, stats.binom.pmf((points + 40) / 2, 40, 0.5) * total, rtol=1e-9, atol=1e-6)


@pytest.mark.parametrize("name", list(SCENARIOS))
def test_every_result_shows_one_and_the_same_row(name):
    scenario = Scenario(**{"dim": 64, "rows": 300, "seed": 3, **SCENARIOS[name]})
    results = list(run(scenario))
    final = results[-1].row
    for result in results:
        keys = result.row.keys
        assert np.array_equal(result.row.walks, final.walks[:, :keys])
        assert np.array_equal(result.row.mean, final.mean, equal_nan=True)
    assert final.keys == scenario.keys
    assert results[-1].complete
    assert not any(result.complete for result in results[:-1])
    fractions = [result.fraction for result in results]
    assert fractions == sorted(fractions)


@pytest.mark.parametrize("law", list(LAWS))
def test_equal_scenarios_give_equal_bits_and_another_seed_gives_others(law):
    scenario = Scenario(law=law, dim=30, keys=6, rows=50, seed=1)
    first, second, other = (last(s) for s in (scenario, scenario, scenario.but(seed=2)))
    assert np.array_equal(first.row.walks, second.row.walks)
    assert np.array_equal(first.ensemble.counts, second.ensemble.counts)
    assert np.array_equal(first.ensemble.sd.value, second.ensemble.sd.value)
    assert not np.array_equal(first.row.walks, other.row.walks)


def test_a_larger_dimension_goes_on_with_the_same_walks():
    short, long = (last(Scenario(dim=dim, keys=8, rows=10)) for dim in (100, 200))
    np.testing.assert_allclose(short.row.walks, long.row.walks[:101], rtol=1e-12, atol=1e-12)


def test_laws_drawn_by_component_show_their_first_keys_first():
    results = run(Scenario(law="uniform", dim=20_000, keys=400, rows=4))
    first = next(results)
    assert 2 <= first.row.keys < 400
    assert first.row.keys_total == 400
    for later in results:
        assert np.array_equal(first.row.walks, later.row.walks[:, : first.row.keys])


def test_arrays_of_a_result_cannot_be_written():
    result = next(run(Scenario(dim=8, keys=2, rows=5)))
    with pytest.raises(ValueError, match="read-only"):
        result.row.walks[0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        result.ensemble.counts[0, 0] = 1


@pytest.mark.parametrize("fields", [{"dim": 1, "keys": 1}, {"keys": 1}, {"rows": 1}, {"dim": 1, "keys": 1, "rows": 1}])
@pytest.mark.parametrize("law", list(LAWS))
def test_the_smallest_scenarios_have_a_result(fields, law):
    result = last(Scenario(**{"law": law, "rows": 40, **fields}))
    assert result.complete
    assert np.isfinite(result.row.walks).all()


@pytest.mark.parametrize("fields", [{"rho": 1.0}, {"rho": -1.0}, {"r_q": 1.0, "r_k": 1.0}, {"r_q": 1.0}, {"nu": 1.0},
                                    {"nonzero": 0.001}, {"shape": 2.0}, {"phi_q": -0.99, "phi_k": 0.99},
                                    {"rank": 1, "d_model": 1}])  # fmt: skip
@pytest.mark.parametrize("law", list(LAWS))
def test_the_ends_of_the_knobs_have_a_result(fields, law):
    if set(fields) & set(LAWS[law].refuses):
        with pytest.raises(ValueError, match=LAWS[law].reason):
            Scenario(law=law, **fields)
        return
    result = last(Scenario(law=law, dim=16, keys=5, rows=40, **fields))
    assert np.isfinite(result.row.walks).all()
    assert np.isfinite(result.ensemble.edges).all()


def test_the_registry_runs_the_walk():
    assert next(EXPERIMENTS["walk"](Scenario(dim=4, keys=2, rows=5), None)).row.keys == 2


@pytest.mark.parametrize(("nu", "rho"), [(9.0, 1.0), (9.0, 0.5), (12.0, 0.9), (9.0, 0.0)])
def test_no_interval_is_claimed_where_a_heavy_tail_would_make_it_wrong(nu, rho):
    ensemble = last(Scenario(law="student_t", nu=nu, rho=rho, dim=2, keys=4, rows=300)).ensemble
    assert np.isnan(ensemble.excess_kurtosis.low).all()
    assert np.isfinite(ensemble.mean.low).all()


@pytest.mark.parametrize("fields", [{"r_k": 1.0}, {"r_q": 1.0, "r_k": 1.0}, {"rho": 1.0}])
def test_a_law_without_a_kurtosis_of_which_nothing_is_left_warns_of_nothing(fields):
    row = last(Scenario(law="student_t", nu=4.0, dim=5, keys=3, rows=20, **fields)).row
    assert np.isfinite(row.kurtosis).all()


@pytest.mark.parametrize("fields", [{"mean_q": 0.3}, {"mean_k": -7.0}, {"mean_q": 0.3, "sigma_k": 100.0}])
def test_rounding_is_no_spread_within_a_row(fields):
    ensemble = last(Scenario(law="sign", rho=1.0, dim=50, keys=8, rows=200, **fields)).ensemble
    assert ensemble.within_sd.value.max() == 0.0
