"""Sums in number formats, against numpy and ml_dtypes."""

import ml_dtypes
import numpy as np
import pytest

from attnsim.kernels.rounded_sums import ORDERS, rounded_sums

KINDS = {
    "fp32": np.float32,
    "fp16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "fp8_e5m2": ml_dtypes.float8_e5m2,
    "fp8_e4m3": ml_dtypes.float8_e4m3fn,
}


def terms(kind, count, rows=6):
    return np.random.default_rng(count).normal(size=(rows, count)).astype(kind)


def chain(row):
    total = row.dtype.type(0.0)
    for term in row:
        total = total + term
    return float(total)


def tree(row):
    while row.size > 1:
        even = row[: row.size // 2 * 2].reshape(-1, 2)
        row = np.concatenate([even[:, 0] + even[:, 1], row[row.size // 2 * 2 :]])
    return float(row[0])


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("count", [1, 2, 7, 64, 300])
def test_left_to_right_and_pairwise_are_those_of_the_type_bit_for_bit(name, count):
    x = terms(KINDS[name], count)
    wide = x.astype(np.float64)
    np.testing.assert_array_equal(rounded_sums(wide, "sequential", name), [chain(row) for row in x])
    np.testing.assert_array_equal(rounded_sums(wide, "pairwise", name), [tree(row) for row in x])


@pytest.mark.parametrize("name", ["bf16", "fp16", "fp8_e5m2"])
def test_float32_inside_is_numpys_chain_rounded_once(name):
    x = terms(KINDS[name], 200)
    once = np.array([chain(row) for row in x.astype(np.float32)], dtype=np.float32).astype(KINDS[name])
    np.testing.assert_array_equal(rounded_sums(x.astype(np.float64), "float32", name), once.astype(np.float64))


def test_ones_stop_where_the_next_one_is_half_a_unit():
    ones = np.ones((1, 5000))
    stops = {name: float(rounded_sums(ones, "sequential", name)[0]) for name in ("fp16", "bf16", "fp8_e4m3")}
    assert stops == {"fp16": 2048.0, "bf16": 256.0, "fp8_e4m3": 16.0}
    assert float(rounded_sums(ones, "pairwise", "bf16")[0]) == pytest.approx(5000.0, rel=0.01)


def test_a_sum_beyond_the_format_is_what_the_format_has_for_it():
    large = np.full((1, 2), 400.0)
    assert np.isnan(rounded_sums(large, "sequential", "fp8_e4m3")[0])
    assert rounded_sums(200.0 * large, "float32", "fp16")[0] == np.inf


def test_no_terms_add_up_to_nothing():
    assert all(rounded_sums(np.empty((2, 0)), order, "bf16").tolist() == [0.0, 0.0] for order in ORDERS)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((np.ones(3), "pairwise", "fp16"), r"shape \(rows, terms\)"),
        ((np.ones((1, 3)), "backwards", "fp16"), "order must be one of"),
        ((np.ones((1, 3)), "pairwise", "fp12"), "number_format must be one of"),
    ],
)
def test_what_it_cannot_add_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        rounded_sums(*given)
