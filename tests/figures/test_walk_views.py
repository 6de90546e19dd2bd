"""Other views of the walk: distances, Galton's board, walks in the plane, other queries, the planted key's drift."""

import math

import numpy as np
import pytest

from attnsim.experiments.walk import last
from attnsim.experiments.walk_queries import queries_of
from attnsim.figures import FIGURES
from attnsim.figures.marks import Bars, Line, Paths
from attnsim.figures.walk_views.fellows import distances
from attnsim.figures.walk_views.lattice import plane
from attnsim.scenario import Scenario
from attnsim.theory.random_walk import end_points, mean_distance, mean_score_distance
from attnsim.theory.walk_distances import folded_normal_mean, lattice_mean_distance, normal_shares
from attnsim.view import View

LAWS_OF_THREE = ("sign", "normal", "uniform")
VIEWS = ("walk_distance", "walk_galton", "walk_lattice", "walk_queries")


def walked(**fields):
    return last(Scenario(**({"rows": 50} | fields)))


@pytest.mark.parametrize(
    "fields",
    [
        {"dim": 1, "keys": 1},
        {"dim": 65_536, "keys": 64},
        {"dim": 8, "keys": 65_536},
        {"law": "sign", "dim": 65_536, "keys": 9},
        {"law": "sign", "dim": 64, "rho": 1.0},
        {"law": "student_t", "nu": 1.2, "dim": 100},
        {"law": "laplace", "dim": 3000, "keys": 12},
        {"aligned": "one", "rho": 0.6, "dim": 64},
        {"aligned": "one", "rho": 0.6, "dim": 64, "keys": 1},
        {"r_q": 1.0, "r_k": 1.0, "dim": 16},
        {"mean_q": 2.0, "mean_k": -1.0, "dim": 16},
    ],
)
@pytest.mark.parametrize("playhead", [0, 1, 50, None])
def test_views_of_extreme_walks_have_axes_and_words(fields, playhead):
    result = _kept(tuple(sorted(fields.items())))
    for key in VIEWS:
        figure = FIGURES[key](result, View(playhead=playhead, marked=(0,)))
        assert figure.key == key
        assert figure.summary
        for plot in figure.plots:
            assert np.isfinite((plot.x.low, plot.x.high, plot.y.low, plot.y.high)).all()
            assert plot.x.low < plot.x.high
            assert plot.y.low < plot.y.high


KEPT = {}


def _kept(fields):
    if fields not in KEPT:
        KEPT[fields] = walked(**dict(fields))
    return KEPT[fields]


@pytest.mark.parametrize(("law", "dim"), [("normal", 64), ("sign", 64), ("sign", 7), ("normal", 4096)])
def test_distances_of_many_keys_lie_within_five_standard_errors_of_the_laws_root_mean_square_and_mean(law, dim):
    found = distances(walked(law=law, dim=dim, keys=20_000, seed=4))
    rms, mean = found.law_rms[-1], found.law_mean[-1]
    assert abs(found.rms[-1] - rms) < 5.0 * rms / math.sqrt(2.0 * found.keys)
    assert abs(found.mean[-1] - mean) < 5.0 * math.sqrt((rms**2 - mean**2) / found.keys)
    assert found.draws_rms[-1] == pytest.approx(math.sqrt(dim))
    wanted = mean_distance(dim) if law == "sign" else mean_score_distance(dim)
    assert found.draws_mean[-1] == pytest.approx(float(wanted))


def test_about_as_many_walks_lie_beyond_the_iterated_logarithm_as_a_normal_law_says():
    found = distances(walked(dim=512, keys=20_000, seed=8))
    chance = 0.056
    assert abs(found.beyond[-1] / found.keys - chance) < 5.0 * math.sqrt(chance / found.keys)


def test_the_chance_to_lie_beyond_it_is_exact_for_signs_and_called_near_for_other_laws():
    chances = {law: FIGURES["walk_distance"](walked(law=law, dim=3), View()).table.rows[-1][2] for law in LAWS_OF_THREE}
    assert chances == {"sign": "100.0 %", "normal": "66.5 %", "uniform": "≈ 66.5 %"}


def test_a_pair_of_sign_walks_steps_to_neighbours_on_the_lattice_and_is_as_far_as_theory_says():
    found = plane(walked(law="sign", dim=100, keys=8000, seed=2))
    steps = np.abs(np.diff(found.x, axis=0)) + np.abs(np.diff(found.y, axis=0))
    assert (steps == 1.0).all()
    mean = float(lattice_mean_distance(100))
    assert found.law_mean[-1] == pytest.approx(mean)
    assert abs(found.mean[-1] - mean) < 5.0 * math.sqrt((100.0 - mean**2) / found.pairs)


def test_pairs_of_normal_walks_are_as_far_as_rayleigh_says():
    found = plane(walked(dim=64, keys=8000, seed=2))
    spread = math.sqrt(found.law_rms[-1] ** 2 - found.law_mean[-1] ** 2)
    assert found.law_mean[-1] / found.law_rms[-1] == pytest.approx(math.sqrt(math.pi) / 2.0)
    assert abs(found.mean[-1] - found.law_mean[-1]) < 5.0 * spread / math.sqrt(found.pairs)


def test_the_bins_fill_while_it_plays_and_hold_every_key_at_the_end():
    result = walked(law="sign", dim=64, keys=200, seed=3)
    amounts = []
    for playhead in (0, 16, 32, None):
        bars = next(
            m for m in FIGURES["walk_galton"](result, View(playhead=playhead)).plots[1].marks if type(m) is Bars
        )
        amounts.append(int(bars.heights.sum()))
    assert amounts == [0, 50, 100, 200]


@pytest.mark.parametrize(("law", "rho"), [("sign", 0.0), ("sign", 0.4), ("normal", 0.4)])
def test_the_bins_follow_the_exact_law(law, rho):
    """Pearson's sum over the bins, against the 1e-6 quantile of chi-square."""
    from scipy.stats import chi2

    figure = FIGURES["walk_galton"](walked(law=law, rho=rho, dim=64, keys=20_000, seed=6), View())
    bars = next(mark for mark in figure.plots[1].marks if isinstance(mark, Bars))
    law_line = next(mark for mark in figure.plots[1].marks if isinstance(mark, Line))
    full = law_line.y > 10.0
    assert law_line.y.sum() == pytest.approx(20_000, rel=1e-3)
    pearson = ((bars.heights - law_line.y) ** 2 / np.maximum(law_line.y, 1e-9))[full].sum()
    assert pearson < chi2.isf(1e-6, full.sum())


def test_the_planted_key_has_its_drift_in_the_picture_and_nobody_else_has():
    result = walked(dim=128, keys=16, rho=0.5, aligned="one")
    lines = [m for m in FIGURES["walk"](result, View()).plots[0].marks if isinstance(m, Line)]
    drift = next(line for line in lines if line.label)
    np.testing.assert_allclose(drift.y, 0.5 * result.row.query_norm**2, rtol=1e-9)
    alike = FIGURES["walk"](walked(dim=128, keys=16, rho=0.5), View()).plots[0].marks
    assert not any(mark.label for mark in alike if isinstance(mark, Line))


def test_other_queries_spread_as_their_own_components_add_up():
    scenario = Scenario(dim=256, keys=24, r_q=0.5, r_k=0.5, rows=50, seed=1)
    result = last(scenario)
    figure = FIGURES["walk_queries"](result, View())
    assert len(figure.plots) == 6
    assert sum(isinstance(mark, Paths) for plot in figure.plots for mark in plot.marks) == 6
    queries = result.queries
    seen = queries.walks[:, -1].std(axis=1, ddof=1) / queries.sd[:, -1]
    assert (np.abs(seen - 1.0) < 5.0 / math.sqrt(2.0 * 23)).all()
    assert queries.sd[:, -1].max() > 1.5 * queries.sd[:, -1].min()


def test_queries_that_would_take_long_are_left_out():
    assert queries_of(Scenario(law="laplace", dim=65_536, keys=64), np.array([1, 65_536])) is not None
    assert queries_of(Scenario(law="initialised", dim=8192, d_model=4096), np.arange(1, 8193)) is None


def test_folded_normal_means_and_shares_agree_with_scipy():
    from scipy.stats import foldnorm, norm

    for mean, sd in ((0.0, 1.0), (2.0, 0.5), (-3.0, 2.0)):
        assert float(folded_normal_mean(mean, sd)) == pytest.approx(foldnorm.mean(abs(mean) / sd, scale=sd), rel=1e-12)
    assert float(folded_normal_mean(-2.0, 0.0)) == 2.0
    edges = np.array([-1.0, 0.0, 2.0])
    np.testing.assert_allclose(normal_shares(edges, 1.0, 2.0), np.diff(norm.cdf(edges, 1.0, 2.0)), rtol=1e-12)
    assert end_points(4)[1].sum() == pytest.approx(1.0)
