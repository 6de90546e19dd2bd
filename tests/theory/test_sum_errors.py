"""Errors of rounded sums and weights, against sums and weights in the types of numpy and ml_dtypes."""

import ml_dtypes
import numpy as np
import pytest

from attnsim.theory.rounded_sums import flat_sum, mean_square_rounding, sum_error, weight_error

KINDS = {"bf16": ml_dtypes.bfloat16, "fp16": np.float16, "fp32": np.float32}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("sd", [0.01, 1.0, 37.0])
def test_a_rounded_normal_errs_by_the_mean_square_of_its_units(name, sd):
    x = sd * np.random.default_rng(2).normal(size=200_000)
    squares = (x.astype(KINDS[name]).astype(np.float64) - x) ** 2
    error = squares.std() / np.sqrt(squares.size)
    assert abs(squares.mean() - mean_square_rounding(name, sd)) < 5.0 * error


@pytest.mark.parametrize(("name", "count"), [("fp32", 256), ("fp16", 256), ("bf16", 64)])
def test_a_chain_errs_as_independent_roundings_do(name, count):
    x = np.random.default_rng(3).normal(size=(4000, count)).astype(KINDS[name])
    total = np.zeros(len(x), dtype=x.dtype)
    for column in x.T:
        total = total + column
    squares = (total.astype(np.float64) - x.astype(np.float64).sum(axis=1)) ** 2 / count
    theory = sum_error(name, "sequential", count) ** 2
    # the first terms are numbers of the format, so that their sums are rounded less than theory has it
    assert abs(squares.mean() - theory) < 5.0 * squares.std() / np.sqrt(len(x)) + 0.03 * theory


def test_one_rounding_at_the_end_does_not_grow_with_the_count():
    few, many = (sum_error("bf16", "float32", count) for count in (16, 65_536))
    assert many == pytest.approx(few, rel=0.01)  # the same place within a binade, 16 and 65,536 being powers of four


def test_a_tree_errs_far_less_than_a_chain():
    assert sum_error("fp16", "pairwise", 4096) < 0.1 * sum_error("fp16", "sequential", 4096)


def test_where_terms_are_swallowed_no_independent_errors_are_claimed():
    assert np.isnan(sum_error("fp8_e5m2", "sequential", 4096))
    assert sum_error("fp32", "float32", 64) == sum_error("fp32", "sequential", 64)


def test_ones_stand_still_at_two_to_the_digits():
    np.testing.assert_array_equal(flat_sum("bf16", [10, 256, 257, 65_536]), [10, 256, 256, 256])


@pytest.mark.parametrize("spread", [0.5, 4.0, 16.0])
def test_weights_err_as_the_rounding_of_their_logits_predicts(spread):
    logits = spread * np.random.default_rng(4).normal(size=(3000, 32))
    rounded = logits.astype(np.float16).astype(np.float64)
    both = [np.exp(x - x.max(axis=1, keepdims=True)) for x in (logits, rounded)]
    exact, computed = (x / x.sum(axis=1, keepdims=True) for x in both)
    squares = ((computed - exact) ** 2).sum(axis=1)
    difference = squares - weight_error("fp16", logits)
    assert abs(difference.mean()) < 5.0 * difference.std() / np.sqrt(difference.size)
