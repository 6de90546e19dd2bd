import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, stats

from attnsim.theory.largest_weight import mean_largest_weight
from attnsim.theory.softmax_expectations import NAMES, expectations

GOLDEN = Path(__file__).parents[3] / "shared" / "reference" / "golden.json"
REFERENCE = {
    "G12": (64, 1.0, "sum_p2"),
    "G13": (512, 1.0, "largest_weight"),
    "G14": (512, 4.0, "entropy"),
    "G15": (64, 4.0, "jacobian_norm2"),
}

# (keys, spread, E p_max, E sum p^2, E H, sqrt E ||J||^2) to the digits of an independent quadrature
TABLE = [
    (8, 0.25, 0.1748, 0.1319, 2.0524, 0.336), (8, 2, 0.5663, 0.4297, 1.1919, 0.356),
    (8, 22.6, 0.9562, 0.9371, 0.1067, 0.142), (64, 0.5, 0.04558, 0.01993, 4.0367, 0.139),
    (64, 4, 0.5936, 0.4582, 1.3081, 0.317), (64, 8, 0.7935, 0.7118, 0.5756, 0.27),
    (512, 1, 0.0266, 0.005235, 5.7419, 0.0716), (512, 4, 0.4637, 0.3123, 2.0651, 0.3),
    (512, 22.6, 0.9055, 0.8656, 0.2429, 0.198), (4096, 0.25, 0.0005877, 0.0002599, 8.2865, 0.0161),
    (4096, 2, 0.05645, 0.009687, 6.3509, 0.0901), (4096, 8, 0.673, 0.556, 1.0603, 0.296),
    (65536, 2, 0.0131, 0.0007901, 9.0931, 0.0276), (65536, 4, 0.2314, 0.1027, 4.5109, 0.209),
    (65536, 22.6, 0.8658, 0.8105, 0.3601, 0.228),
]  # fmt: skip


def rounded_alike(value, shown):
    digits = len(f"{shown:.4g}".replace(".", "").lstrip("0"))
    half = 0.51 * 10.0 ** (math.floor(math.log10(abs(shown))) - max(digits, 3) + 1)
    return abs(value - shown) <= half


@pytest.mark.skipif(not GOLDEN.exists(), reason="the reference values are not beside the checkout")
@pytest.mark.parametrize("name", REFERENCE)
def test_the_reference_means_are_met(name):
    item = next(item for item in json.loads(GOLDEN.read_text()) if item["id"] == name)
    keys, spread, field = REFERENCE[name]
    assert abs(float(getattr(expectations(keys, spread), field)) - item["value"]) <= item["tolerance"]


@pytest.mark.parametrize(("keys", "spread", "largest", "p2", "entropy", "jacobian"), TABLE)
def test_the_table_of_keys_and_spreads_is_met_to_its_digits(keys, spread, largest, p2, entropy, jacobian):
    means = expectations(keys, spread)
    assert rounded_alike(float(means.largest_weight), largest)
    assert rounded_alike(float(means.sum_p2), p2)
    assert float(means.entropy) == pytest.approx(entropy, abs=0.51e-4)
    assert rounded_alike(math.sqrt(means.jacobian_norm2), jacobian)


@pytest.mark.parametrize("spread", [0.3, 2.0, 9.0, 40.0])
def test_two_keys_are_one_integral_over_their_difference(spread):
    def mean(function):
        def integrand(x):
            p = 1.0 / (1.0 + math.exp(-abs(x) * spread * math.sqrt(2.0)))
            return function(p) * stats.norm.pdf(x)

        knots = [k / spread for k in (1.0, 5.0, 25.0) if k / spread < 12.0]
        return 2.0 * integrate.quad(integrand, 0.0, 12.0, points=knots or None, epsabs=1e-13, limit=200)[0]

    means = expectations(2, spread)
    entropy = mean(lambda p: -p * math.log(p) - ((1 - p) * math.log1p(-p) if p < 1 else 0.0))
    assert means.sum_p2 == pytest.approx(mean(lambda p: p**2 + (1 - p) ** 2), rel=1e-11)
    assert means.sum_p3 == pytest.approx(mean(lambda p: p**3 + (1 - p) ** 3), rel=1e-11)
    assert means.entropy == pytest.approx(entropy, abs=2e-11)
    assert means.jacobian_norm2 == pytest.approx(mean(lambda p: 4 * p**2 * (1 - p) ** 2), rel=1e-10)
    assert means.largest_weight == pytest.approx(mean(lambda p: p), rel=1e-11)


@pytest.mark.parametrize(("keys", "spread"), [(16, 0.7), (64, 3.0), (300, 6.0)])
def test_simulated_rows_have_these_means(keys, spread):
    scores = spread * np.random.default_rng(7).standard_normal((20_000, keys))
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = shifted / shifted.sum(axis=1, keepdims=True)
    log_sum = scores.max(axis=1) + np.log(shifted.sum(axis=1))
    p2, p3 = (p**2).sum(axis=1), (p**3).sum(axis=1)
    seen = {
        "log_normaliser": log_sum,
        "entropy": log_sum - (p * scores).sum(axis=1),
        "sum_p2": p2,
        "sum_p3": p3,
        "jacobian_norm2": p2 - 2 * p3 + p2**2,
        "sink_mass": 1.0 / (1.0 + np.exp(log_sum)),
        "largest_weight": p.max(axis=1),
    }
    means = expectations(keys, spread)
    for name, values in seen.items():
        error = values.std() / math.sqrt(values.size)
        assert abs(values.mean() - getattr(means, name)) < 5 * error, name


@pytest.mark.parametrize("keys", [2, 12, 64, 4096, 1e9])
@pytest.mark.parametrize("spread", [0.5, 2.0, 7.0])
def test_the_slope_of_the_mean_logarithm_is_steins(keys, spread):
    step = 1e-3
    s = spread + step * np.array([-2.0, -1.0, 1.0, 2.0])
    logs = expectations(keys, s, largest=False).log_normaliser
    slope = (logs @ np.array([1.0, -8.0, 8.0, -1.0])) / (12.0 * step)
    assert slope == pytest.approx(spread * (1.0 - expectations(keys, spread, largest=False).sum_p2), rel=1e-9)


def test_the_entropy_falls_as_stein_says_and_even_weights_start_it():
    means = expectations(100, [0.0, 1e-12, 1e-6, 0.1, 1.0, 10.0])
    assert np.all(np.diff(means.entropy) <= 1e-14)
    np.testing.assert_allclose(means.sum_p2[:3], 0.01, rtol=1e-10)
    np.testing.assert_allclose(means.largest_weight[:2], 0.01, rtol=1e-10)
    np.testing.assert_allclose(means.sink_mass[:3], 1.0 / 101.0, rtol=1e-10)


def test_one_key_takes_all_and_keys_need_not_be_whole():
    means = expectations([1.0, 1.0001, 1.5, 2.0], 3.0)
    assert means.sum_p2[0] == means.largest_weight[0] == 1.0
    assert means.jacobian_norm2[0] == means.entropy[0] == 0.0
    assert np.all(np.diff(means.sum_p2) < 0.0)
    assert np.all(np.diff(means.jacobian_norm2) > 0.0)


def test_the_row_that_would_look_unscaled_as_the_article_has_it_needs_10_to_the_16_keys():
    assert float(expectations(1.7e16, 8.0).largest_weight) == pytest.approx(0.15, abs=0.003)
    assert float(expectations(15.6, 1.0).largest_weight) == pytest.approx(0.25, abs=0.001)


def test_many_sizes_at_once_are_each_alone():
    together = expectations([[3.0, 50.0], [1e5, 1e12]], [[2.0, 2.0], [2.0, 0.3]])
    assert together.entropy.shape == (2, 2)
    for i, j in np.ndindex(2, 2):
        alone = expectations([3.0, 50.0, 1e5, 1e12][2 * i + j], [2.0, 2.0, 2.0, 0.3][2 * i + j])
        for name in NAMES:
            assert getattr(together, name)[i, j] == pytest.approx(float(getattr(alone, name)), rel=1e-11)


def test_the_largest_weight_is_left_out_on_request_and_time_is_told():
    means = expectations(64, 2.0, largest=False)
    assert math.isnan(means.largest_weight)
    assert means.seconds >= 0.0
    with pytest.raises(ValueError, match="read-only"):
        means.entropy[...] = 0.0


@pytest.mark.parametrize(("keys", "spread"), [(5.0, 0.02), (512.0, 12.0), (1e17, 30.0), (2.0, 300.0)])
def test_the_largest_weight_lies_between_what_sums_of_powers_allow(keys, spread):
    means = expectations(keys, spread)
    largest = mean_largest_weight(keys, spread)
    assert means.sum_p2 <= largest * (1.0 + 1e-12)
    assert largest <= math.sqrt(means.sum_p2)


@pytest.mark.parametrize(("keys", "spread", "message"), [
    (0.5, 1.0, r"keys must lie in \[1, 1e\+18\], not 0\.5"),
    (8, -1.0, r"score_sd must lie in \[0, 10000\], not -1"),
    (8, math.nan, "not nan"),
])  # fmt: skip
def test_impossible_rows_are_refused(keys, spread, message):
    with pytest.raises(ValueError, match=message):
        expectations(keys, spread)
