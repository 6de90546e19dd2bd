"""Score spread: what is measured meets the closed forms, and the closed forms meet a third party."""

import math

import numpy as np
import pytest
from scipy import stats

from attnsim.choices.sections.spread import SpreadOptions
from attnsim.experiments import EXPERIMENTS
from attnsim.experiments.spread.cases import cases_of, crossover
from attnsim.experiments.spread.shares import wilson
from attnsim.experiments.spread.slopes import slope
from attnsim.scenario import Scenario
from attnsim.theory import exchangeable

LIMIT = 4.5  # standard errors; some 400 are looked at, of which one goes beyond by chance once in 400 seeds


def spread(largest_dim=256, **fields):
    options = {name: fields.pop(name) for name in ("case_rho", "case_r", "case_mean") if name in fields}
    scenario = Scenario(**{"rows": 1000, **fields}, section=SpreadOptions(largest_dim=largest_dim, **options))
    *_before, result = EXPERIMENTS["spread"](scenario)
    return result


@pytest.fixture(scope="module")
def usual():
    return spread(dim=256)


def deviations(result):
    """Standard errors between measured spreads and theory, at every point of every case."""
    for growth in result.cases:
        for estimate, theory in ((growth.sd, growth.theory_sd), (growth.within_sd, growth.theory_within_sd)):
            known = estimate.error > 0.0
            yield from (estimate.value[known] - theory[known]) / estimate.error[known]


@pytest.mark.parametrize("law", ["normal", "sign", "uniform"])
def test_every_point_of_every_case_lies_on_its_line(law):
    found = np.array(list(deviations(spread(law=law, dim=16, largest_dim=64, rows=200))))
    assert found.size > 40
    assert np.abs(found).max() < LIMIT
    assert 0.6 < (found**2).mean() < 1.6


def test_points_lie_on_their_lines_up_to_the_largest_dimension():
    result = spread(dim=65_536, largest_dim=65_536, rho=-0.5, r_q=0.2, mean_q=0.3, rows=500)
    assert [growth.case.key for growth in result.cases][-1] == "scenario"
    assert result.cases[0].dims[[0, -1]].tolist() == [1, 65_536]
    assert np.abs(list(deviations(result))).max() < LIMIT


def test_points_of_a_case_err_independently(usual):
    """Neighbouring points do not share their random numbers: their errors do not go together."""
    growth = usual.cases[0]
    z = (growth.sd.value - growth.theory_sd) / growth.sd.error
    assert np.std(z) > 0.4
    assert abs(np.corrcoef(z[1:], z[:-1])[0, 1]) < 0.9


def test_the_slopes_are_a_half_and_one(usual):
    for key, wanted in (("none", 0.5), ("rho", 0.5), ("means", 0.5)):
        found = slope(usual.named(key))
        assert abs(found.value - wanted) < LIMIT * found.error
        assert found.theory == pytest.approx(0.5, abs=1e-9)
    found = slope(usual.named("factors"))
    assert abs(found.value - found.theory) < LIMIT * found.error
    assert 0.8 < found.theory < 1.0


def test_correlation_lowers_what_the_softmax_sees_and_raises_the_rest(usual):
    growth = usual.named("rho")
    place = growth.place(256)
    assert growth.theory_sd[place] ** 2 == pytest.approx(256 * (1 + 0.9**2))
    assert growth.theory_within_sd[place] ** 2 == pytest.approx(256 * (1 - 0.9**2))


def test_a_mean_of_the_keys_is_invisible_within_a_row_and_one_of_the_query_is_not(usual):
    of_q, of_k = (usual.named(key) for key in ("mean_q", "mean_k"))
    assert of_q.theory_sd[0] ** 2 == of_k.theory_sd[0] ** 2 == pytest.approx(512)
    assert of_q.theory_within_sd[0] ** 2 == pytest.approx(512)
    assert of_k.theory_within_sd[0] ** 2 == pytest.approx(256)


@pytest.mark.parametrize(
    "fields",
    [
        {"r_q": 0.3, "r_k": 0.3},
        {"r_q": 0.05, "r_k": 0.5, "rho": 0.2, "sigma_q": 3.0},
        {"r_q": 0.3, "mean_k": 0.7},
        {"rho": 0.7, "mean_q": 1.0, "mean_k": 2.0},
    ],
)
def test_the_crossover_is_that_of_the_closed_form(fields):
    wanted = exchangeable.crossover(
        **{k: v for k, v in fields.items() if k in ("sigma_q", "sigma_k", "rho", "r_q", "r_k", "mean_q", "mean_k")}
    )
    assert crossover(Scenario(**fields)) == pytest.approx(wanted, rel=1e-6)


def test_the_crossover_is_where_the_exponent_is_three_quarters():
    turn = crossover(Scenario(r_q=0.1, r_k=0.1))
    assert turn == pytest.approx(99.0)
    assert exchangeable.growth(turn, r_q=0.1, r_k=0.1) == pytest.approx(0.75)


def test_tied_projections_turn_one_dimension_behind_their_rank():
    assert crossover(Scenario(law="low_rank", rank=16, projections="tied")) == pytest.approx(17.0)
    assert math.isnan(crossover(Scenario(law="student_t", nu=1.5)))


def test_cases_take_what_the_scenario_sets_and_name_the_mixture():
    cases = {case.key: case for case in cases_of(Scenario(rho=0.4, mean_q=2.0))}
    assert cases["rho"].scenario.rho == 0.4
    assert cases["rho"].scenario.mean_q == 0.0
    assert (cases["means"].scenario.mean_q, cases["means"].scenario.mean_k) == (2.0, 0.0)
    assert cases["factors"].scenario.r_q == SpreadOptions().case_r
    assert (cases["scenario"].scenario.rho, cases["scenario"].scenario.mean_q) == (0.4, 2.0)
    assert "scenario" not in {case.key for case in cases_of(Scenario(rho=0.4))}


def test_a_formula_or_a_law_that_has_no_large_dimension_stops_no_case():
    result = spread(dim=8, largest_dim=512, rows=20, scalings=("custom:1/(300-d)",))
    assert result.cases[0].dims[-1] == 512
    wide = {"law": "initialised", "initialisation": "torch_linear", "d_model": 8192}
    result = spread(dim=2, largest_dim=65_536, rows=4, **wide)
    assert result.cases[0].dims[-1] == 2**25 // 8192
    assert result.fraction == 1.0


def test_a_case_that_the_law_has_no_room_for_is_left_out_with_the_reason():
    result = spread(law="sign", dim=4, largest_dim=16, rows=50)
    assert [case.key for case in result.refused] == ["factors"]
    assert "r_q must be 0 for the law sign" in result.refused[0].reason
    assert result.named("factors") is None


@pytest.mark.parametrize(
    "fields",
    [
        {"dim": 1},
        {"dim": 256},
        {"dim": 65_536},
        {"dim": 32, "rho": 0.6, "aligned": "one", "keys": 8},
        {"dim": 8, "r_q": 0.5, "r_k": 0.5, "mean_q": 1.0},
        {"dim": 5, "law": "uniform"},
        {"dim": 9, "law": "sign"},
    ],
)
def test_quantiles_of_the_scores_are_those_of_the_exact_law(fields):
    q = spread(largest_dim=16, **fields).quantiles
    assert q.exact
    known = np.isfinite(q.value)
    inside = (q.low <= q.scores) & (q.scores <= q.high)
    assert known.sum() >= 8
    # neighbours share their scores, so that several may miss at once
    assert inside[known].mean() > 0.8


def test_the_chances_of_one_component_are_those_of_the_product_of_two_normals():
    from scipy.integrate import quad
    from scipy.special import k0

    q = spread(dim=1, largest_dim=16, rows=50).quantiles
    for place in np.flatnonzero((q.chances > 1e-6) & (q.chances < 0.5))[::6]:
        below = quad(lambda x: k0(abs(x)) / math.pi, -np.inf, q.scores[place])[0]
        assert q.chances[place] == pytest.approx(below, rel=1e-5)
    assert stats.norm.cdf(q.normal) == pytest.approx(q.chances, rel=1e-6, abs=1e-12)


def test_quantiles_of_signs_are_binomial_with_half_of_each_value_below_it():
    q = spread(dim=10, law="sign", largest_dim=16, rows=50).quantiles
    ups = np.round((q.scores + 10) / 2)
    wanted = stats.binom.cdf(ups - 1, 10, 0.5) + 0.5 * stats.binom.pmf(ups, 10, 0.5)
    np.testing.assert_allclose(q.chances, wanted, atol=1e-12)


def test_equal_scores_of_a_row_are_not_taken_for_independent_ones():
    """With rho = 1 all keys of a row are its query: 1,000 rows say no more than 1,000 scores."""
    q = spread(dim=4, rho=1.0, largest_dim=16).quantiles
    assert q.chances[np.isfinite(q.value)].min() > 4.0 / 1000
    inside = (q.low <= q.scores) & (q.scores <= q.high)
    assert inside[np.isfinite(q.value)].mean() > 0.8


def test_the_interval_of_a_share_is_wilsons():
    low, high = wilson(np.array([0.1]), np.array([0.1 * 0.9 / 50]))
    wanted = stats.binomtest(5, 50).proportion_ci(method="wilson")
    assert (low[0], high[0]) == pytest.approx((wanted.low, wanted.high), rel=1e-9)


def test_shares_of_the_bins_hold_the_exact_density():
    result = spread(dim=64, rho=0.3)
    e = result.ensemble
    width = e.edges[0, 1] - e.edges[0, 0]
    wanted = e.density[0] * width
    likely = wanted * e.scores > 20
    inside = (result.share_low <= wanted) & (wanted <= result.share_high)
    assert inside[likely].mean() > 0.85


def test_without_a_variance_nothing_is_claimed():
    result = spread(law="student_t", nu=1.5, dim=8, largest_dim=16, rows=100)
    assert not result.quantiles.exact
    assert np.isnan(result.limit).all()
    assert all(np.isnan(growth.sd.error).all() for growth in result.cases)


def test_results_get_better_and_the_first_holds_a_picture():
    fractions = []
    for result in EXPERIMENTS["spread"](Scenario(dim=64, rows=3000, section=SpreadOptions(largest_dim=16))):
        fractions.append(result.fraction)
        assert result.ensemble.rows > 0
        assert not result.moments.size
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert fractions[0] < 0.5


def test_equal_scenarios_give_equal_bits():
    one, two = (spread(dim=16, largest_dim=16, rows=100) for _each in range(2))
    np.testing.assert_array_equal(one.quantiles.value, two.quantiles.value)
    for a, b in zip(one.cases, two.cases, strict=True):
        np.testing.assert_array_equal(a.sd.value, b.sd.value)
