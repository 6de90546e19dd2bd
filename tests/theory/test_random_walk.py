import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from attnsim.theory import random_walk

GOLDEN = Path(__file__).parents[3] / "shared" / "reference" / "golden.json"


@pytest.mark.skipif(not GOLDEN.exists(), reason="the reference values are not beside the checkout")
@pytest.mark.parametrize(("name", "theory"), [("G01", random_walk.mean_distance), ("G02", random_walk.mean_maximum)])
def test_the_reference_distances_are_met(name, theory):
    item = next(item for item in json.loads(GOLDEN.read_text()) if item["id"] == name)
    assert abs(float(theory(item["params"]["d"])) - item["value"]) <= item["tolerance"]


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 7, 10])
def test_distances_are_those_of_all_walks_listed(steps):
    walks = [np.cumsum((0, *signs)) for signs in product((-1, 1), repeat=steps)]
    assert random_walk.mean_distance(steps) == pytest.approx(np.mean([abs(w[-1]) for w in walks]), rel=1e-13)
    assert random_walk.mean_maximum(steps) == pytest.approx(np.mean([w.max() for w in walks]), rel=1e-13, abs=1e-15)
    assert random_walk.rms_distance(steps) == pytest.approx(math.sqrt(np.mean([w[-1] ** 2 for w in walks])), rel=1e-13)
    places, chances = random_walk.end_points(steps)
    np.testing.assert_allclose(chances, [np.mean([w[-1] == x for w in walks]) for x in places], rtol=1e-13)


def test_the_series_for_long_walks_meets_the_exact_ratio_of_integers():
    for m in (99, 100, 101, 400):
        exact = 2 * m * math.comb(2 * m, m) / 4**m
        assert random_walk.mean_distance(2 * m) == pytest.approx(exact, rel=1e-12)
        assert random_walk.mean_distance(2 * m - 1) == pytest.approx(exact, rel=1e-12)


def test_the_mean_distance_of_scores_is_that_of_the_walk_for_even_dimensions_only():
    assert random_walk.mean_score_distance(64) == random_walk.mean_distance(64)
    assert random_walk.mean_score_distance(1) == pytest.approx(2.0 / math.pi, rel=1e-14)
    assert random_walk.mean_score_distance(3) < random_walk.mean_distance(3)


def test_end_points_of_a_long_biased_walk_keep_their_mass_and_mean():
    places, chances = random_walk.end_points(65536, agree=0.65)
    assert chances.sum() == pytest.approx(1.0, abs=1e-9)
    assert places @ chances == pytest.approx(0.3 * 65536, rel=1e-9)
    assert random_walk.end_points(4, agree=1.0)[1].tolist() == [0.0, 0.0, 0.0, 0.0, 1.0]


def test_half_a_step_is_refused():
    with pytest.raises(ValueError, match=r"not 2\.5"):
        random_walk.mean_distance(2.5)
