import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from attnsim.theory import walk_extremes

GOLDEN = Path(__file__).parents[3] / "shared" / "reference" / "golden.json"


@pytest.mark.skipif(not GOLDEN.exists(), reason="the reference values are not beside the checkout")
def test_the_reference_chance_is_met():
    item = next(item for item in json.loads(GOLDEN.read_text()) if item["id"] == "G03")
    value = walk_extremes.sparre_andersen(item["params"]["d"])[item["params"]["k"]]
    assert abs(value - item["value"]) <= item["tolerance"]


@pytest.mark.parametrize("steps", [0, 1, 2, 5, 10])
def test_laws_are_those_of_all_walks_listed(steps):
    walks = np.array([np.cumsum((0, *signs)) for signs in product((-1, 1), repeat=steps)])
    maxima, minima = walks.max(axis=1), walks.min(axis=1)
    law = walk_extremes.maximum_law(steps)
    np.testing.assert_allclose(law, [np.mean(maxima == r) for r in range(steps + 1)], rtol=1e-12)
    assert walk_extremes.mean_range(steps) == pytest.approx(np.mean(maxima - minima), rel=1e-12, abs=1e-14)
    first = np.array([np.argmax(w >= 2) if (w >= 2).any() else -1 for w in walks])
    passage = walk_extremes.first_passage(2, steps)
    np.testing.assert_allclose(passage, [np.mean(first == t) for t in range(steps + 1)], rtol=1e-12, atol=1e-15)
    assert walk_extremes.return_probability(steps) == pytest.approx(np.mean(walks[:, -1] == 0), abs=1e-14)


@pytest.mark.parametrize("steps", [2, 6, 10])
def test_sides_and_last_return_follow_the_arcsine_law(steps):
    walks = np.array([np.cumsum((0, *signs)) for signs in product((-1, 1), repeat=steps)])
    positive = (np.maximum(walks[:, 1:], walks[:, :-1]) > 0).sum(axis=1)
    last = np.array([np.flatnonzero(w == 0)[-1] for w in walks])
    law = walk_extremes.sides_law(steps)
    for seen in (positive, last):
        np.testing.assert_allclose(law, [np.mean(seen == 2 * k) for k in range(steps // 2 + 1)], rtol=1e-12)


@pytest.mark.parametrize("draw", [
    lambda rng, shape: rng.standard_normal(shape),
    lambda rng, shape: rng.standard_t(1.5, shape),
    lambda rng, shape: rng.standard_normal(shape) * rng.standard_normal(shape),
], ids=["normal", "without variance", "products"])  # fmt: skip
def test_positive_partial_sums_have_one_law_whatever_the_steps(draw):
    sums = np.cumsum(draw(np.random.default_rng(11), (40_000, 12)), axis=1)
    counts = np.bincount((sums > 0).sum(axis=1), minlength=13)
    expected = 40_000 * walk_extremes.sparre_andersen(12)
    z = (counts - expected) / np.sqrt(expected)
    assert np.abs(z).max() < 5.0
    assert (z**2).sum() < 12 + 5 * math.sqrt(24)


def test_the_law_has_unit_mass_and_the_arcsine_as_its_limit():
    law = walk_extremes.sparre_andersen(4000)
    assert law.sum() == pytest.approx(1.0, abs=1e-11)
    assert law[:1001].sum() == pytest.approx(float(walk_extremes.arcsine_limit(0.25)), abs=2e-4)
    assert walk_extremes.arcsine_limit(0.5) == pytest.approx(0.5)


def test_the_square_lattice_returns_with_the_squared_chance():
    assert walk_extremes.return_probability(2, directions=2) == pytest.approx(0.25)
    assert walk_extremes.return_probability([0, 3]).tolist() == [1.0, 0.0]


def test_the_iterated_logarithm_is_only_a_band_of_two_deviations_at_hand():
    chances = walk_extremes.beyond_iterated_logarithm([64, 512, 4096, 65536])
    np.testing.assert_allclose(chances, [0.091, 0.056, 0.040, 0.028], atol=6e-4)
    assert walk_extremes.iterated_logarithm(512) == pytest.approx(math.sqrt(1024 * math.log(math.log(512))))


def test_signs_go_beyond_the_iterated_logarithm_as_often_as_counting_says():
    exact = walk_extremes.signs_beyond_iterated_logarithm([3, 5, 65536])
    assert exact[0] == pytest.approx(1.0), (
        "after three steps of +-1 no walk is nearer than 1, and the band ends at 0.75"
    )
    assert exact[1] == pytest.approx(12 / 32)
    assert exact[2] == pytest.approx(float(walk_extremes.beyond_iterated_logarithm(65536)), abs=1e-3)


def test_impossible_walks_are_refused():
    with pytest.raises(ValueError, match=r"steps / 2 must be whole"):
        walk_extremes.sides_law(3)
    with pytest.raises(ValueError, match=r"level must be whole and lie in \[1, inf\], not 0"):
        walk_extremes.first_passage(0, 5)
    with pytest.raises(ValueError, match=r"steps must lie in \[3, inf\], not 2"):
        walk_extremes.iterated_logarithm(2)
