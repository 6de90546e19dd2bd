"""Gradients of attention against differences of its output, and what must pass no gradient."""

import numpy as np
import pytest
from attention_reference import attend, random_problem
from hypothesis import given, settings
from hypothesis import strategies as st

from attnsim.kernels.attention_gradients import attention_gradients

INF, NAN = np.inf, np.nan
STEP = 1e-5


def differences(q, k, v, incoming, **options):
    """Return central differences of sum(output * incoming), which leave an error of about STEP^2 = 1e-10."""
    out = []
    for x in (q, k, v):
        slopes = np.zeros_like(x)
        for place in np.ndindex(x.shape):
            kept, ends = x[place], []
            for step in (STEP, -STEP):
                x[place] = kept + step
                ends.append((attend(q, k, v, **options)[0] * incoming).sum())
            x[place] = kept
            slopes[place] = (ends[0] - ends[1]) / (2.0 * STEP)
        out.append(slopes)
    return out


@pytest.mark.parametrize(
    ("shape", "options"),
    [
        ({}, {}),
        ({"n": 1, "m": 1, "d": 1, "value_width": 1}, {}),
        ({"heads": 4, "kv_heads": 2, "n": 3, "m": 3, "d": 2}, {"causal": "top-left"}),
        ({"heads": 1, "kv_heads": 1, "value_width": 6}, {"scale": 1.7}),
        ({"heads": 1, "kv_heads": 1}, {"scale": 0.0}),
        ({"heads": 1, "kv_heads": 1, "n": 6, "m": 3}, {"causal": "bottom-right"}),
        ({"heads": 1, "kv_heads": 1, "n": 4, "m": 6}, {"causal": "bottom-right", "window": 1}),
        ({"heads": 1, "kv_heads": 1}, {"softcap": 0.8, "causal": "top-left"}),
        ({"batches": 2, "heads": 1, "kv_heads": 1, "n": 3, "m": 4, "d": 2}, {"mask": np.eye(3, 4, 1) > 0.0}),
        ({"heads": 1, "kv_heads": 1}, {"bias": np.where(np.eye(5, 7) > 0.0, -INF, 0.3), "softcap": 2.0}),
    ],
)
def test_gradients_are_the_differences_of_the_definition(shape, options):
    problem = random_problem(1, **shape)
    got = attention_gradients(*problem, dtype="float64", **options)
    for ours, theirs in zip(got, differences(*problem, **options), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-7, atol=1e-8)


@given(
    st.integers(1, 4),
    st.integers(0, 4),
    st.sampled_from([False, "top-left", "bottom-right"]),
    st.none() | st.integers(0, 3),
    st.none() | st.floats(0.2, 20.0),
    st.floats(-2.0, 2.0),
    st.integers(0, 1000),
)
@settings(max_examples=60, deadline=None)
def test_any_options_give_gradients_that_are_differences(n, m, causal, window, softcap, scale, seed):
    problem = random_problem(seed, 1, 2, 1, n, m, 2, 2)
    mask = np.random.default_rng(seed).random((2, n, m)) < 0.7
    options = {"causal": causal, "window": window, "softcap": softcap, "scale": scale, "mask": mask}
    single = attention_gradients(*problem, **options)
    for ours, narrow, theirs in zip(
        attention_gradients(*problem, dtype="float64", **options), single, differences(*problem, **options), strict=True
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(narrow, ours, rtol=3e-5, atol=3e-5)


@pytest.mark.parametrize("options", [{}, {"causal": "bottom-right"}, {"window": 40}, {"softcap": 3.0}])
def test_blocks_add_up_to_the_whole(options):
    q, k, v, incoming = random_problem(2, heads=4, kv_heads=2, n=300, m=280, d=8, value_width=5)
    dq, dk, dv = attention_gradients(q, k, v, incoming, dtype="float64", **options)
    _output, _l, weights = attend(q, k, v, **options)
    per_head = np.einsum("bhij,bhic->bhjc", weights, incoming)
    np.testing.assert_allclose(dv, per_head.reshape(1, 2, 2, 280, 5).sum(axis=2), rtol=1e-11, atol=1e-12)
    halves = [attention_gradients(q[:, h : h + 1], k[:, h // 2 : h // 2 + 1], v[:, h // 2 : h // 2 + 1],
                                  incoming[:, h : h + 1], dtype="float64", **options) for h in range(4)]  # fmt: skip
    np.testing.assert_allclose(dq, np.concatenate([x[0] for x in halves], axis=1), rtol=1e-12, atol=1e-13)
    pairs = [halves[0][1] + halves[1][1], halves[2][1] + halves[3][1]]
    np.testing.assert_allclose(dk, np.concatenate(pairs, axis=1), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
def test_shapes_are_those_of_q_k_and_v_and_the_dtype_is_the_one_asked_for(dtype):
    q, k, v, incoming = random_problem(3, heads=4, kv_heads=2)
    wanted = "float32" if dtype == "bfloat16" else dtype
    for cut in (np.s_[:, :], np.s_[0, :], np.s_[0, 0]):
        arrays = [x[cut] for x in (q, k, v)]
        got = attention_gradients(*arrays, incoming[cut], dtype=dtype)
        assert [x.shape for x in got] == [x.shape for x in arrays]
        assert {x.dtype for x in got} == {np.dtype(wanted)}


@pytest.mark.parametrize("garbage", [NAN, -NAN, INF, 3e38])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("softcap", [None, 2.0])
def test_a_hidden_key_gets_no_gradient_and_spoils_none_whatever_it_holds(garbage, dtype, softcap):
    q, k, v, incoming = random_problem(4)
    seen = np.ones(7, bool)
    seen[[1, 6]] = False
    clean = attention_gradients(q, k, v, incoming, mask=seen, dtype=dtype, softcap=softcap)
    k[:, :, ~seen], v[:, :, ~seen] = garbage, garbage
    spoiled = attention_gradients(q, k, v, incoming, mask=seen, dtype=dtype, softcap=softcap)
    for ours, theirs in zip(spoiled, clean, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=2e-6, atol=1e-6)
    assert (spoiled[1][:, :, ~seen] == 0.0).all()
    assert (spoiled[2][:, :, ~seen] == 0.0).all()


@pytest.mark.parametrize("garbage", [NAN, INF])
def test_a_row_that_sees_nothing_passes_nothing_on_although_it_is_nan(garbage):
    q, k, v, incoming = random_problem(5)
    mask = np.ones((5, 7), bool)
    mask[3] = False
    clean = attention_gradients(q, k, v, incoming, mask=mask)
    q[:, :, 3], incoming[:, :, 3] = garbage, garbage
    spoiled = attention_gradients(q, k, v, incoming, mask=mask)
    for ours, theirs in zip(spoiled, clean, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=2e-6, atol=1e-6)
    assert (spoiled[0][:, :, 3] == 0.0).all()


def test_a_row_that_is_nan_spoils_the_keys_it_sees_and_no_others():
    q, k, v, incoming = random_problem(6, heads=1, kv_heads=1, n=6, m=6)
    q[0, 0, 2] = NAN
    dq, dk, dv = attention_gradients(q, k, v, incoming, causal="top-left")
    assert np.isnan(dq[0, 0]).all(axis=1).tolist() == [False, False, True, False, False, False]
    for x in (dk, dv):
        assert np.isnan(x[0, 0]).all(axis=1).tolist() == [True, True, True, False, False, False]
        assert np.isfinite(x[0, 0, 3:]).all()


def test_scores_that_overflow_spoil_only_the_keys_that_are_seen():
    q, k = np.full((2, 1), 1e30), np.array([[1e30], [1e30], [0.0]])
    dq, dk, dv = attention_gradients(q, k, np.ones((3, 1)), np.ones((2, 1)), mask=[[True, False, True]] * 2)
    assert np.isnan(dq).all()
    for x in (dk, dv):
        assert np.isnan(x[:, 0]).tolist() == [True, False, True]


def test_no_keys_and_no_queries_give_zeros():
    dq, dk, dv = attention_gradients(np.ones((3, 2)), np.ones((0, 2)), np.ones((0, 4)), np.ones((3, 4)))
    assert dq.tolist() == [[0.0, 0.0]] * 3
    assert (dk.shape, dv.shape) == ((0, 2), (0, 4))
    dq, dk, dv = attention_gradients(np.ones((0, 2)), np.ones((3, 2)), np.ones((3, 4)), np.ones((0, 4)))
    assert dq.shape == (0, 2)
    assert not dk.any()
    assert not dv.any()


def test_even_weights_pass_an_even_share_to_the_values_and_nothing_to_an_even_score():
    q, k, v, incoming = random_problem(7, heads=1, kv_heads=1)
    dq, dk, dv = attention_gradients(q, k, v, incoming, scale=0.0, dtype="float64")
    assert not dq.any()
    assert not dk.any()
    np.testing.assert_allclose(dv[0, 0], np.broadcast_to(incoming[0, 0].sum(axis=0) / 7.0, (7, 3)), rtol=1e-14)


def test_a_scale_that_overflows_spoils_no_hidden_key():
    q, k, v, incoming = random_problem(8, heads=1, kv_heads=1)
    mask = np.ones((5, 7), bool)
    mask[:, 4] = False
    for softcap in (None, 2.0):
        _dq, dk, dv = attention_gradients(q, k, v, incoming, mask=mask, scale=1e39, softcap=softcap)
        assert not dk[0, 0, 4].any()
        assert not dv[0, 0, 4].any()
