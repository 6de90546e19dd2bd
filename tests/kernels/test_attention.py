"""Attention against its definition, and in every corner where a row may see nothing or too much."""

import os
import subprocess
import sys

import numpy as np
import pytest
from attention_reference import attend, random_problem
from hypothesis import given, settings
from hypothesis import strategies as st

from attnsim.kernels.attention import attention

INF, NAN = np.inf, np.nan
TOLERANCE = {"float32": 2e-5, "float64": 1e-13}


def agrees(q, k, v, dtype, **options):
    got = attention(q, k, v, dtype=dtype, return_weights=True, **options)
    for ours, theirs in zip((got.output, got.logsumexp, got.weights), attend(q, k, v, **options), strict=True):
        assert ours.dtype == dtype
        np.testing.assert_allclose(ours, theirs, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])


def test_two_keys_with_scores_0_and_ln_3_share_the_weight_one_to_three():
    got = attention([[2.0]], [[0.0], [np.log(3.0)]], [[8.0, 0.0], [0.0, 4.0]], scale=0.5, return_weights=True)
    np.testing.assert_allclose(got.weights, [[0.25, 0.75]], rtol=1e-6)
    np.testing.assert_allclose(got.output, [[2.0, 3.0]], rtol=1e-6)
    np.testing.assert_allclose(got.logsumexp, [np.log(4.0)], rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("shape", "options"),
    [
        ({}, {}),
        ({"n": 1, "m": 1, "d": 1, "value_width": 1}, {}),
        ({"n": 1, "m": 9}, {}),
        ({"n": 9, "m": 1}, {}),
        ({"d": 1}, {}),
        ({"value_width": 17, "d": 3}, {}),
        ({"heads": 6, "kv_heads": 2, "batches": 2}, {"causal": "top-left"}),
        ({"heads": 3, "kv_heads": 1}, {}),
        ({}, {"scale": 0.0}),
        ({}, {"scale": -2.0}),
        ({"n": 4, "m": 9}, {"causal": "top-left"}),
        ({"n": 9, "m": 4}, {"causal": "top-left"}),
        ({"n": 4, "m": 9}, {"causal": "bottom-right"}),
        ({"n": 9, "m": 4}, {"causal": "bottom-right"}),
        ({"n": 9, "m": 9}, {"window": 2}),
        ({"n": 9, "m": 4}, {"window": 1}),
        ({"n": 5, "m": 9}, {"window": 0, "causal": "bottom-right"}),
        ({"n": 9, "m": 5}, {"window": 2, "causal": "bottom-right"}),
        ({"n": 5, "m": 9}, {"window": 1, "causal": "top-left"}),
        ({"spread": 3.0}, {"softcap": 1.5, "causal": "top-left"}),
        ({"n": 300, "m": 270, "d": 8}, {"causal": "bottom-right", "window": 20}),
        ({"n": 270, "m": 300, "d": 8}, {"causal": "top-left"}),
    ],
)
def test_output_logsumexp_and_weights_are_those_of_the_definition(dtype, shape, options):
    agrees(*random_problem(1, **shape)[:3], dtype, **options)


@pytest.mark.parametrize("shape", [(7,), (5, 1), (5, 7), (2, 1, 1), (2, 5, 7), (3, 1, 1, 7), (3, 2, 5, 7)])
def test_mask_and_bias_are_broadcast_to_batch_heads_n_m(shape):
    q, k, v, _g = random_problem(2, batches=3)
    draw = np.random.default_rng(3)
    agrees(q, k, v, "float64", mask=draw.random(shape) < 0.6)
    agrees(q, k, v, "float64", bias=draw.standard_normal(shape))
    agrees(q, k, v, "float64", bias=draw.standard_normal(shape), mask=draw.random(shape) < 0.6, softcap=0.7)


def test_key_heads_are_repeated_not_tiled():
    q, k, v, _g = random_problem(4, heads=4, kv_heads=2)
    repeated = attention(q, np.repeat(k, 2, axis=1), np.repeat(v, 2, axis=1)).output
    np.testing.assert_array_equal(attention(q, k, v).output, repeated)


def test_two_and_three_dimensions_give_what_four_give():
    q, k, v, _g = random_problem(5, heads=4, kv_heads=2)
    whole = attention(q, k, v, return_weights=True)
    heads = attention(q[0], k[0], v[0], return_weights=True)
    one = attention(q[0, 3], k[0, 1], v[0, 1], return_weights=True)
    for name in ("output", "logsumexp", "weights"):
        np.testing.assert_array_equal(getattr(heads, name), getattr(whole, name)[0])
        np.testing.assert_array_equal(getattr(one, name), getattr(whole, name)[0, 3])


def test_without_values_there_are_weights_but_no_output():
    q, k, v, _g = random_problem(6)
    got = attention(q, k, return_weights=True)
    assert got.output is None
    np.testing.assert_array_equal(got.weights, attention(q, k, v, return_weights=True).weights)
    assert attention(q, k, v).weights is None


@pytest.mark.parametrize(
    "options",
    [{"mask": np.zeros((5, 7), bool)}, {"bias": -INF}, {"causal": "bottom-right", "bias": np.full((5, 7), -INF)}],
)
def test_a_row_without_a_visible_key_gives_0_and_minus_infinity(options):
    q, k, v, _g = random_problem(7)
    got = attention(q, k, v, return_weights=True, **options)
    assert (got.output == 0.0).all()
    assert (got.weights == 0.0).all()
    assert (got.logsumexp == -INF).all()


def test_a_masked_row_stays_0_although_its_query_is_nan():
    q, k, v, _g = random_problem(8, heads=1, kv_heads=1)
    q[0, 0, 2] = NAN
    mask = np.ones((5, 7), bool)
    mask[2] = False
    got = attention(q, k, v, mask=mask)
    assert (got.output[0, 0, 2] == 0.0).all()
    assert np.isfinite(got.output).all()


def test_no_keys_at_all_give_0_and_minus_infinity():
    got = attention(np.ones((2, 3, 4)), np.ones((2, 0, 4)), np.ones((2, 0, 5)), return_weights=True)
    assert got.output.tolist() == np.zeros((2, 3, 5)).tolist()
    assert (got.logsumexp == -INF).all()
    assert got.weights.shape == (2, 3, 0)


def test_no_queries_give_no_rows():
    got = attention(np.ones((0, 4)), np.ones((3, 4)), np.ones((3, 2)))
    assert got.output.shape == (0, 2)
    assert got.logsumexp.shape == (0,)


@pytest.mark.parametrize("garbage", [NAN, -NAN, INF, -INF, 3e38])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "fp8_e4m3"])
@pytest.mark.parametrize("way", ["mask", "bias", "causal", "window"])
def test_what_a_hidden_key_holds_changes_nothing(garbage, dtype, way):
    q, k, v, _g = random_problem(9, n=5, m=7)
    hidden = {"mask": [2, 6], "bias": [2, 6], "causal": [5, 6], "window": [0]}[way]
    seen = np.ones(7, bool)
    seen[hidden] = False
    options = {
        "mask": {"mask": seen},
        "bias": {"bias": np.where(seen, 0.5, -INF)},
        "causal": {"causal": "top-left"},
        "window": {"window": 1, "causal": "bottom-right"},
    }[way]
    clean = attention(q, k, v, dtype=dtype, return_weights=True, **options)
    k[:, :, hidden], v[:, :, hidden] = garbage, garbage
    spoiled = attention(q, k, v, dtype=dtype, return_weights=True, **options)
    for name in ("output", "logsumexp", "weights"):
        np.testing.assert_array_equal(getattr(spoiled, name), getattr(clean, name))
    assert np.isfinite(spoiled.output).all()


def test_nan_in_a_key_spoils_exactly_the_rows_that_see_it():
    q, k, v, _g = random_problem(10, n=6, m=6)
    for spoil in (k, v):
        spoil[0, 0, 3, 1] = NAN
        got = attention(q, k, v, causal="top-left", return_weights=True)
        lost = np.isnan(got.output).any(axis=-1)
        assert lost[0].tolist() == [[False] * 3 + [True] * 3, [False] * 6]
        assert (got.weights[0][:, np.triu(np.ones((6, 6), bool), 1)] == 0.0).all()
        spoil[0, 0, 3, 1] = 0.0


def test_an_infinite_value_is_felt_where_it_is_seen_however_small_its_weight():
    v = np.array([[1.0], [INF]])
    got = attention([[1.0]], [[0.0], [-5.0]], v)
    assert got.output[0, 0] == INF
    assert np.isnan(attention([[1.0]], [[0.0], [-500.0]], v).output[0, 0])  # 0 * inf, as the formula has it


def test_a_bias_of_plus_infinity_makes_its_row_nan_and_its_logsumexp_infinite():
    q, k, v, _g = random_problem(11, heads=1, kv_heads=1)
    bias = np.zeros((5, 7))
    bias[1, 4], bias[1, 5] = INF, -INF
    got = attention(q, k, v, bias=bias, return_weights=True)
    assert np.isnan(got.output[0, 0]).all(axis=-1).tolist() == [False, True, False, False, False]
    assert got.logsumexp[0, 0, 1] == INF
    assert got.weights[0, 0, 1, 5] == 0.0


def test_a_mask_hides_even_what_a_bias_makes_infinite():
    q, k, v, _g = random_problem(12)
    bias, mask = np.zeros(7), np.ones(7, bool)
    bias[3], mask[3] = INF, False
    np.testing.assert_array_equal(attention(q, k, v, bias=bias, mask=mask).output, attention(q, k, v, mask=mask).output)


def test_the_most_negative_finite_bias_hides_nothing():
    q, k, v, _g = random_problem(13)
    got = attention(q, k, v, bias=np.finfo(np.float32).min, return_weights=True)
    np.testing.assert_allclose(got.weights, 1.0 / 7.0, rtol=1e-6)


def test_scores_as_far_apart_as_float32_reaches_pick_one_key():
    got = attention([[1e19]], [[1e19], [-1e19], [0.0]], [[1.0], [2.0], [3.0]], scale=1.0)
    assert got.output.tolist() == [[1.0]]
    assert np.isnan(attention([[1e30]], [[1e30], [0.0]], [[1.0], [2.0]]).output[0, 0])  # overflow: inf - inf


def test_the_arguments_are_left_as_they_are():
    arrays = [x.astype(np.float32) for x in random_problem(14)[:3]]
    before = [x.copy() for x in arrays]
    bias, mask = np.zeros((5, 7), np.float32), np.ones((5, 7), bool)
    attention(*arrays, bias=bias, mask=mask, softcap=2.0, causal="top-left")
    for now, then in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(now, then)
    assert (bias == 0.0).all()
    assert mask.all()


def test_strides_byte_order_and_whole_numbers_do_not_matter():
    q, k, v = (np.round(4.0 * x) for x in random_problem(15)[:3])
    wanted = attention(q, k, v).output
    np.testing.assert_array_equal(attention(q.astype(int), k.astype(">f8"), np.asfortranarray(v)).output, wanted)
    np.testing.assert_array_equal(attention(q.tolist(), np.repeat(k, 2, axis=3)[..., ::2], v).output, wanted)


options = st.fixed_dictionaries(
    {},
    optional={
        "scale": st.floats(-4.0, 4.0),
        "softcap": st.floats(0.01, 100.0),
        "causal": st.sampled_from([False, "top-left", "bottom-right"]),
        "window": st.integers(0, 9),
    },
)


@given(st.data(), options, st.integers(0, 2**32 - 1))
@settings(max_examples=150, deadline=None)
def test_any_shape_and_options_agree_with_the_definition(data, options, seed):
    n, m, d, width, kv_heads, group, batches = (
        data.draw(st.integers(low, high)) for low, high in ((0, 9), (0, 9), (1, 9), (1, 9), (1, 2), (1, 3), (1, 2))
    )
    q, k, v, _g = random_problem(seed, batches, kv_heads * group, kv_heads, n, m, d, width)
    draw = np.random.default_rng(seed)
    if data.draw(st.booleans()):
        options["mask"] = draw.random((batches, 1, n, m)) < 0.5
    if data.draw(st.booleans()):
        options["bias"] = np.where(draw.random((n, m)) < 0.3, -INF, draw.standard_normal((n, m)))
    agrees(q, k, v, "float32", **options)
    agrees(q, k, v, "float64", **options)


@pytest.mark.slow
def test_32768_keys_take_less_than_300_mb_forward_and_backward():
    pytest.importorskip("resource", reason="this system does not tell the largest resident size")
    program = """
import resource, numpy as np, attnsim
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT
small = np.ones((4, 64, 64), np.float32)
attnsim.attention(*small[:3]); attnsim.attention_gradients(*small)
q, k, v, g = np.random.default_rng(0).standard_normal((4, 32768, 64), dtype=np.float32)
before = peak()
attnsim.attention(q, k, v)
forward = peak() - before
attnsim.attention_gradients(q, k, v, g)
print(forward, peak() - before)
""".replace("UNIT", "1" if sys.platform == "darwin" else "1024")
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    told = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    forward, both = map(float, told.stdout.split())
    assert forward < 300e6
    assert both < 300e6
