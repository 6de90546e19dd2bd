"""Attention in formats below float32, emulated operation by operation."""

import numpy as np
import pytest
from attention_reference import random_problem

from attnsim.kernels.attention import attention
from attnsim.kernels.attention_arithmetic import arithmetic
from attnsim.kernels.attention_gradients import attention_gradients
from attnsim.kernels.float_rounding import FORMATS, round_to
from attnsim.kernels.softmax_rows import softmax

LOW = ["fp16", "bf16", "tf32", "fp8_e4m3", "fp8_e5m2"]


def written_out(q, k, v, name, scale, softcap=None, bias=0.0):
    """One head, every operation rounded once, in float64."""

    def to(x):
        return round_to(np.asarray(x, dtype=np.float64), name)

    scores = to(to(to(q) @ to(k).T) * np.float32(scale))
    if softcap is not None:
        scores = to(to(np.tanh(to(scores * np.float32(1.0 / softcap)))) * softcap)
    scores = to(scores + np.float32(bias))
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = to(e / e.sum(axis=1, keepdims=True))
    return to(weights @ to(v)), weights


@pytest.mark.parametrize("name", LOW)
@pytest.mark.parametrize("more", [{}, {"softcap": 1.5}, {"bias": 0.3}])
def test_product_scale_cap_bias_softmax_and_output_are_each_rounded(name, more):
    q, k, v = (x[0, 0] for x in random_problem(1, n=40, m=30, d=16, value_width=8)[:3])
    got = attention(q, k, v, scale=0.3, dtype=name, return_weights=True, **more)
    output, weights = written_out(q, k, v, name, 0.3, **more)
    one = 2.0 ** -(FORMATS[name].digits - 1)
    # sums in float32 and float64 part by 2^-24 and then round apart now and then, by one place of the format
    assert np.mean(got.output == output) > 0.9
    assert np.mean(got.weights == weights) > 0.9
    np.testing.assert_allclose(got.weights, weights, rtol=8.0 * one, atol=4.0 * 2.0**-9)
    np.testing.assert_allclose(got.output, output, rtol=8.0 * one, atol=8.0 * one)


@pytest.mark.parametrize("name", LOW)
@pytest.mark.parametrize("accumulate", ["float32", "format", "fused"])
def test_every_number_given_out_is_one_of_the_format(name, accumulate):
    q, k, v, g = random_problem(2, heads=4, kv_heads=2)
    got = attention(q, k, v, dtype=name, accumulate=accumulate, softcap=2.0)
    for x in (got.output, *attention_gradients(q, k, v, g, dtype=name, accumulate=accumulate, softcap=2.0)):
        wide = x.astype(np.float64)
        assert np.isfinite(wide).all()
        np.testing.assert_array_equal(wide, round_to(wide, name))


def test_sums_in_the_format_stop_growing_where_float32_goes_on():
    q, k, v = np.zeros((1, 1)), np.zeros((4096, 1)), np.ones((4096, 1))
    assert attention(q, k, v, dtype="float16").output.item() == 1.0
    stuck = attention(q, k, v, dtype="float16", accumulate="format", return_weights=True)
    assert stuck.weights[0, 0] == 1.0 / 2048.0  # 2048 + 1 is 2048 in float16
    with_ones = attention(np.ones((1, 4096)), np.ones((1, 4096)), dtype="float16", accumulate="format", scale=1.0)
    assert with_ones.logsumexp.item() == 2048.0


def test_a_product_is_not_rounded_before_it_is_added():
    x = 1.0 + 2.0**-10
    numbers, total = arithmetic("fp16", "format"), np.full((1, 1), -1.0, np.float32)
    numbers.add_product(total, np.array([[x]], np.float32), np.array([[x]], np.float32))
    assert total.item() == round_to(np.array([x * x - 1.0]), "fp16").item()


def test_the_stepwise_softmax_is_the_one_of_the_softmax_kernel():
    q, k, _v, _g = random_problem(3, heads=1, kv_heads=1, spread=2.0)
    got = attention(q, k, dtype="float16", accumulate="format", return_weights=True, scale=1.0)
    numbers = arithmetic("fp16", "format")
    scores = np.zeros((5, 7), np.float32)
    halves = [x[0, 0].astype(np.float16).astype(np.float32) for x in (q, k)]
    numbers.product(halves[0], halves[1].T, scores)
    np.testing.assert_array_equal(got.weights[0, 0], softmax(scores, dtype="float16"))


def test_a_product_too_large_for_float16_is_lost_unless_kernels_are_fused():
    q = np.full((1, 64), 40.0)
    k = np.stack([q[0], -q[0]])
    options = {"dtype": "float16", "scale": 0.125}
    assert np.isnan(attention(q, k, [[1.0], [2.0]], **options).output).all()
    assert attention(q, k, [[1.0], [2.0]], accumulate="fused", **options).output.tolist() == [[1.0]]
    assert attention(q, k, [[1.0], [2.0]], dtype="bfloat16", scale=0.125).output.tolist() == [[1.0]]


@pytest.mark.parametrize(("name", "accumulate"), [(n, a) for n in LOW for a in ("float32", "format", "fused")])
def test_masked_rows_and_keys_are_0_in_every_format(name, accumulate):
    q, k, v, g = random_problem(4, heads=1, kv_heads=1)
    mask = np.ones((5, 7), bool)
    mask[1], mask[:, 3] = False, False
    k[:, :, 3] = np.nan
    got = attention(q, k, v, mask=mask, dtype=name, accumulate=accumulate, return_weights=True)
    assert (got.output[0, 0, 1] == 0.0).all()
    assert got.logsumexp[0, 0, 1] == -np.inf
    assert (got.weights[..., 3] == 0.0).all()
    assert np.isfinite(got.output).all()
    dq, dk, dv = attention_gradients(q, k, v, g, mask=mask, dtype=name, accumulate=accumulate)
    assert (dq[0, 0, 1] == 0.0).all()
    assert (dk[0, 0, 3] == 0.0).all()
    assert (dv[0, 0, 3] == 0.0).all()
    assert all(np.isfinite(x).all() for x in (dq, dk, dv))


@pytest.mark.parametrize(("name", "near"), [("tf32", 4e-3), ("fp16", 4e-3), ("bf16", 4e-2)])
@pytest.mark.parametrize("accumulate", ["float32", "format"])
def test_gradients_lie_within_a_few_roundings_of_the_exact_ones(name, near, accumulate):
    q, k, v, g = random_problem(5, heads=2, kv_heads=1, d=8)
    exact = attention_gradients(q, k, v, g, dtype="float64", softcap=3.0)
    for ours, theirs in zip(
        attention_gradients(q, k, v, g, dtype=name, accumulate=accumulate, softcap=3.0), exact, strict=True
    ):
        assert np.abs(ours - theirs).max() < near * np.abs(theirs).max()
        assert np.abs(ours - theirs).max() > 1e-6


@pytest.mark.parametrize("accumulate", ["float32", "format", "fused"])
def test_accumulate_says_nothing_about_float32(accumulate):
    q, k, v, _g = random_problem(6)
    np.testing.assert_array_equal(attention(q, k, v, accumulate=accumulate).output, attention(q, k, v).output)
