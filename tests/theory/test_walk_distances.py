import json
import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy import special

from attnsim.theory import walk_distances
from attnsim.theory.random_walk import mean_distance

GOLDEN = Path(__file__).parents[3] / "shared" / "reference" / "golden.json"


@pytest.mark.skipif(not GOLDEN.exists(), reason="the reference values are not beside the checkout")
@pytest.mark.parametrize(("name", "theory"), [
    ("G04", walk_distances.lattice_mean_distance),
    ("G05", lambda d: walk_distances.mean_score_maximum(d)[-1]),
])  # fmt: skip
def test_the_reference_distances_are_met(name, theory):
    item = next(item for item in json.loads(GOLDEN.read_text()) if item["id"] == name)
    assert abs(float(theory(item["params"]["d"])) - item["value"]) <= item["tolerance"]


@pytest.mark.parametrize("steps", [0, 1, 2, 5])
def test_lattice_walks_listed_have_the_mean_distance(steps):
    neighbours = [(1, 0), (-1, 0), (0, 1), (0, -1)]
    ends = [np.sum([(0, 0), *path], axis=0) for path in product(neighbours, repeat=steps)]
    exact = np.mean([math.hypot(*end) for end in ends])
    assert walk_distances.lattice_mean_distance(steps) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("steps", [4095, 4096])
def test_the_expansion_for_long_lattice_walks_meets_the_sum(steps, monkeypatch):
    exact = float(walk_distances.lattice_mean_distance(steps))
    monkeypatch.setattr(walk_distances, "LONGEST_SUM", 0)
    assert walk_distances.lattice_mean_distance(steps) == pytest.approx(exact, rel=1e-9)


def test_isotropic_factors_rise_to_one():
    factors = walk_distances.isotropic_distance_factor([1, 2, 3, 1000])
    np.testing.assert_allclose(factors[:3], [math.sqrt(2 / math.pi), math.sqrt(math.pi) / 2, 0.92132], atol=1e-5)
    assert 0.999 < factors[3] < 1.0


def test_maxima_by_spitzers_identity_are_those_of_simulated_walks():
    rng = np.random.default_rng(5)
    for draw, theory in (
        (lambda: rng.standard_normal((30_000, 32)), walk_distances.mean_normal_maximum(32)),
        (lambda: rng.standard_normal((30_000, 32)) * rng.standard_normal((30_000, 32)),
         walk_distances.mean_score_maximum(32)),
    ):  # fmt: skip
        highest = np.maximum.accumulate(np.maximum(np.cumsum(draw(), axis=1), 0.0), axis=1)
        error = highest.std(axis=0) / math.sqrt(30_000)
        assert np.all(np.abs(highest.mean(axis=0) - theory) < 5 * error)


def test_long_normal_walks_reach_half_a_step_less_than_brownian_motion():
    assert walk_distances.mean_normal_maximum(10**6)[-1] == pytest.approx(math.sqrt(2e6 / math.pi) - 0.5826, abs=1e-3)


def test_distances_by_characteristic_functions_are_exact():
    normal = walk_distances.mean_distance_of(7, lambda t: math.exp(-0.5 * t * t))
    assert normal == pytest.approx(math.sqrt(14 / math.pi), rel=1e-10)
    product_of_normals = walk_distances.mean_distance_of(6, lambda t: 1 / math.sqrt(1 + t * t))
    assert product_of_normals == pytest.approx(float(mean_distance(6)), rel=1e-9)
    laplace = walk_distances.mean_distance_of(1, lambda t: 1 / (1 + 0.5 * t * t))
    assert laplace == pytest.approx(1 / math.sqrt(2), rel=1e-8)


def test_the_expansion_in_kurtosis_is_right_to_its_order():
    exact = walk_distances.mean_distance_of(64, lambda t: math.sin(math.sqrt(3) * t) / (math.sqrt(3) * t) if t else 1.0)
    expanded = float(walk_distances.mean_distance_expansion(64, excess_kurtosis=-1.2))
    assert expanded == pytest.approx(exact, rel=5.0 / 64**2)
    assert abs(expanded - exact) < 0.02 * abs(math.sqrt(128 / math.pi) - exact)


def test_student_walks_without_fourth_moment_have_a_mean_distance():
    nu = 3.0

    def characteristic(t):
        x = math.sqrt(nu) * abs(t)
        if x == 0.0:
            return 1.0
        return special.kv(nu / 2, x) * x ** (nu / 2) / (math.gamma(nu / 2) * 2 ** (nu / 2 - 1))

    walks = np.abs(np.random.default_rng(2).standard_t(nu, (200_000, 8)).sum(axis=1))
    error = walks.std() / math.sqrt(walks.size)
    assert abs(walks.mean() - walk_distances.mean_distance_of(8, characteristic)) < 5 * error
