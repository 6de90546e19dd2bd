"""The phase diagram: exact maps against drawn rows, quadratures and limit laws."""

import numpy as np
import pytest

from attnsim.choices.sections.phase import PhaseOptions
from attnsim.experiments.phase import run
from attnsim.experiments.phase.plane import border, line
from attnsim.scenario import Scenario
from attnsim.theory.row_spread import averaged_expectations, query_norms
from attnsim.theory.softmax_expectations import expectations


def scenario(plane="spread", **fields):
    return Scenario(section=PhaseOptions(plane=plane), **{"rows": 60, **fields})


def last(wanted):
    *_others, end = run(wanted)
    return end


@pytest.fixture(scope="module")
def over_spread():
    return last(scenario(rows=200))


@pytest.fixture(scope="module")
def over_dimension():
    return last(scenario("dimension", rows=200, scalings=("none", "inverse_sqrt")))


def test_every_point_of_the_map_over_the_spread_is_its_quadrature(over_spread):
    rows, columns = [0, 5, 15], [0, 12, 20, 30]
    exact = expectations(over_spread.keys[rows][:, None], over_spread.x[columns])
    found = over_spread.theory[0][:, rows][:, :, columns]
    np.testing.assert_allclose(found[0], exact.sum_p2, rtol=2e-4)
    np.testing.assert_allclose(found[1], exact.entropy / np.log(over_spread.keys[rows])[:, None], rtol=2e-4)
    np.testing.assert_allclose(found[2], exact.largest_weight, rtol=2e-4)


def test_a_point_over_the_dimension_is_the_mean_over_the_lengths_of_the_query():
    found = line(scenario("dimension", scalings=("none",)), "dimension", np.array([5.0]), 64)[0, :, 0]
    exact = averaged_expectations(64, *query_norms(5.0), exact=True)
    np.testing.assert_allclose(found[[0, 2]], [exact.sum_p2, exact.largest_weight], rtol=1e-4)


@pytest.mark.parametrize("result", ["over_spread", "over_dimension"])
def test_drawn_rows_agree_with_the_exact_maps_point_by_point(result, request):
    known = request.getfixturevalue(result)
    z = np.concatenate([part.deviation.ravel() for part in (known.sample, known.cut_sample, known.here)])
    z = z[np.isfinite(z)]
    assert z.size > 150
    assert np.abs(z).max() < 5.0
    assert np.mean(z**2) < 1.6  # 1 by chance; the three numbers of a point are not independent


def test_the_sketch_is_near_the_map_that_replaces_it():
    results = run(scenario(rows=1))
    first = next(results)
    *_others, end = results
    assert not first.exact.any()
    assert end.exact.all()
    assert np.abs(first.theory - end.theory).max() < 0.09


def test_undivided_scores_reach_the_threshold_at_twice_the_logarithm_of_n(over_dimension):
    np.testing.assert_allclose(over_dimension.borders[0, 0], 2.0 * np.log(over_dimension.keys), rtol=1e-12)
    assert np.isnan(over_dimension.borders[1, 0, 3:]).all()  # divided by the root they stay at spread 1


def test_a_spread_that_falls_with_d_reaches_a_threshold_from_above():
    assert border(np.array([1.0, 4.0, 16.0]), np.array([8.0, 4.0, 2.0]), 3.0) == pytest.approx(64.0 / 9.0)
    assert np.isnan(border(np.array([1.0, 4.0]), np.array([1.0, 2.0]), 3.0))


def test_beyond_the_threshold_the_limit_law_with_the_mean_maximum_holds(over_spread):
    far = over_spread.x > 4.0 * over_spread.thresholds[0, 5]
    np.testing.assert_allclose(over_spread.limits[0, far], over_spread.cut[0, 0, far], atol=0.02)


@pytest.mark.parametrize("plane", ["spread", "dimension"])
@pytest.mark.parametrize(
    "fields",
    [
        {"keys": 1, "dim": 1},
        {"keys": 65_536, "dim": 65_536, "rows": 3},
        {"law": "uniform", "mask": "top_k", "format": "fp16"},
        {"scalings": ("rmsnorm_qk", "custom:1/log(n)", "softmax1", "optimal")},
        {"rho": 1.0, "scalings": ("none",)},
        {"law": "initialised", "dim": 8},
    ],
)
def test_extreme_scenarios_end_with_numbers_or_a_reason(plane, fields):
    found = last(scenario(plane, **{"rows": 2, **fields}))
    assert found.fraction == 1.0
    assert np.isfinite(found.theory).any() or found.note or all(not rule.is_linear for rule in found.rules)
    assert np.isfinite(found.sample.mean).any()


def test_one_key_has_all_the_weight_at_every_spread():
    found = last(scenario(keys=1, rows=4))
    assert np.all(found.cut[0, [0, 2]] == 1.0)
    assert np.all(found.cut_sample.mean[0, [0, 2]] == 1.0)


def test_signs_agree_with_their_exact_sums_and_have_no_map_between_the_points():
    found = last(scenario("dimension", law="sign", rows=120, scalings=("inverse_sqrt",)))
    assert "signs" in found.note
    assert np.isnan(found.theory).all()
    assert np.isfinite(found.cut[0, :, :-4]).all()  # beyond 16,384 the sums are too long to be waited for
    z = np.concatenate([part.deviation.ravel() for part in (found.sample, found.cut_sample, found.here)])
    z = z[np.isfinite(z)]
    assert z.size > 80
    assert np.abs(z).max() < 5.0


def test_no_error_is_named_where_too_few_rows_can_have_met_the_rare_ones():
    found = last(scenario(rows=30))
    one_hot = found.sample.theory[0, 0] > 0.95
    assert one_hot.any()
    assert np.isnan(found.sample.error[0, 0][one_hot]).all()
