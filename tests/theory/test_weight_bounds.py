import json
import math
from pathlib import Path

import numpy as np
import pytest

from attnsim.theory import weight_bounds

GOLDEN = Path(__file__).parents[3] / "shared" / "reference" / "golden.json"


@pytest.mark.skipif(not GOLDEN.exists(), reason="the reference values are not beside the checkout")
def test_the_reference_floor_is_met():
    item = next(item for item in json.loads(GOLDEN.read_text()) if item["id"] == "G18")
    floor = float(weight_bounds.entropy_floor(item["params"]["sigma"], item["params"]["T"]))
    assert abs(floor - item["value"]) <= item["tolerance"]


def entropy(scores):
    p = np.exp(scores - scores.max(axis=-1, keepdims=True))
    p /= p.sum(axis=-1, keepdims=True)
    return -np.where(p > 0, p * np.log(np.where(p > 0, p, 1.0)), 0.0).sum(axis=-1)


@pytest.mark.parametrize(("norm", "keys"), [(0.5, 3), (2.0, 8), (6.0, 5), (10.0, 40)])
def test_no_row_is_below_the_floor_and_one_raised_score_attains_it(norm, keys):
    rng = np.random.default_rng(53)
    rows = rng.standard_normal((20_000, keys)) ** rng.choice([1, 3], (20_000, 1))
    rows -= rows.mean(axis=1, keepdims=True)
    rows *= norm / np.linalg.norm(rows, axis=1, keepdims=True)
    floor = float(weight_bounds.entropy_floor(norm, keys))
    assert entropy(rows).min() >= floor - 1e-12
    raised = np.eye(keys)[0] - 1 / keys
    assert entropy(norm * raised / np.linalg.norm(raised)) == pytest.approx(floor, rel=1e-12)


def test_the_ceiling_is_that_of_one_key_at_the_top_and_all_others_at_the_bottom():
    scores = np.full(100, -3.0)
    scores[0] = 3.0
    p = np.exp(scores) / np.exp(scores).sum()
    assert weight_bounds.largest_weight_ceiling(100, 3.0) == pytest.approx(p[0])
    assert weight_bounds.raised_key_weight(100, 6.0) == pytest.approx(p[0])
    low, high = weight_bounds.dispersion_bounds(100, 6.0)
    assert low <= p.min()
    assert p.max() <= high


def test_the_published_example_of_one_raised_key_is_met():
    n = np.array([2.0, 10.0, 100.0, 1e3, 1e4, 1e5])
    plain = weight_bounds.raised_key_weight(n, 5.0)
    np.testing.assert_allclose(plain, [0.9933, 0.9428, 0.5999, 0.1293, 0.01463, 0.001482], rtol=1e-3)
    scaled = weight_bounds.raised_key_weight(n, 5.0 * 0.43 * np.log(n))
    np.testing.assert_allclose(scaled, [0.8161, 0.9401, 0.9951, 0.9996, 0.99998, 1.0], atol=6e-5)


def test_half_the_weight_needs_a_multiplier_like_the_logarithm():
    for keys, rho in ((64, 0.0), (1024, 0.5)):
        scale = float(weight_bounds.half_weight_multiplier(keys, rho))
        assert weight_bounds.raised_key_weight(keys, scale * (1 - rho)) == pytest.approx(0.5)


def test_the_best_scores_are_alike():
    ranked = np.sort(np.random.default_rng(59).standard_normal((200, 4096)), axis=1)[:, -64:]
    seen = ranked.std(axis=1)
    assert seen.mean() == pytest.approx(float(weight_bounds.selected_sd(4096, 64)), rel=0.02)
    np.testing.assert_allclose(weight_bounds.selected_sd([64, 512, 65536], 64), [1.0, 0.43, 0.26], atol=4e-3)


def test_impossible_parameters_are_refused():
    with pytest.raises(ValueError, match=r"selected / keys must lie in \(0, 1\], not 2"):
        weight_bounds.selected_sd(8, 16)
    with pytest.raises(ValueError, match=r"keys must lie in \[2, inf\], not 1"):
        weight_bounds.entropy_floor(1.0, 1)
    assert math.isclose(float(weight_bounds.entropy_floor(0.0, 7)), math.log(7))
