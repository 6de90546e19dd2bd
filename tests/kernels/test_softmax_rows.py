"""Softmax against its formula, ONNX's answers and scipy's."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import special

from attnsim.kernels.softmax_rounded import METHODS
from attnsim.kernels.softmax_rows import softmax

INF, NAN = np.inf, np.nan


def test_small_rows_have_the_weights_of_the_formula():
    np.testing.assert_allclose(softmax([0.0, np.log(2.0), np.log(5.0)]), [1 / 8, 2 / 8, 5 / 8], rtol=1e-15)
    assert softmax([[3.0]]).tolist() == [[1.0]]
    assert softmax([7, 7, 7, 7]).tolist() == [0.25] * 4


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("dtype", "rtol"), [("float32", 4e-6), ("float64", 1e-14)])
@pytest.mark.parametrize("keys", [1, 2, 15, 64, 65, 1000, 10_000])
def test_every_method_agrees_with_scipy(method, dtype, rtol, keys):
    x = 3.0 * np.random.default_rng(keys).standard_normal((3, keys))
    if method != "stable":  # the errors of a sum from left to right walk at random
        rtol *= max(1.0, np.sqrt(keys) / 30.0)
    np.testing.assert_allclose(softmax(x, method=method, dtype=dtype), special.softmax(x, axis=-1), rtol=rtol)


@given(
    arrays.arrays(np.float64, arrays.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=6),
                  elements=st.floats(-700, 700) | st.just(-INF)),
    st.integers(-4, 3),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_any_shape_and_axis_gives_weights_that_sum_to_1_or_0_where_all_is_masked(x, axis):
    if not -x.ndim <= axis < x.ndim:
        with pytest.raises(ValueError, match="axis must lie in"):
            softmax(x, axis)
        return
    p = softmax(x, axis)
    assert p.shape == x.shape
    assert (p >= 0.0).all()
    assert (p[x == -INF] == 0.0).all()
    masked = (x == -INF).all(axis=axis)
    np.testing.assert_allclose(p.sum(axis=axis), np.where(masked, 0.0, 1.0), rtol=0, atol=1e-14)
    if x.size:
        with np.errstate(invalid="ignore"):
            np.testing.assert_allclose(p, np.nan_to_num(special.softmax(x, axis=axis)), rtol=1e-13, atol=1e-300)


@given(st.floats(-1e300, 1e300), st.integers(1, 40))
@settings(deadline=None)
def test_equal_scores_share_the_weight_however_huge_or_tiny(score, keys):
    np.testing.assert_allclose(softmax(np.full(keys, score)), 1.0 / keys, rtol=1e-15)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_a_masked_key_has_exactly_no_weight_and_a_masked_row_none_at_all(method, dtype):
    p = softmax([[1.0, -INF, 2.0], [-INF, -INF, -INF]], method=method, dtype=dtype)
    assert p[0, 1] == 0.0
    assert p[1].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("nan", [NAN, -NAN])
def test_nan_spoils_its_row_and_no_other(method, dtype, nan):
    p = softmax([[1.0, nan, 2.0], [1.0, 2.0, 3.0], [-INF, -INF, nan]], method=method, dtype=dtype)
    assert np.isnan(p[[0, 2]]).all()
    assert np.isfinite(p[1]).all()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_plus_infinity_makes_a_row_nan_and_the_naive_formula_one_key(dtype):
    row = [[1.0, INF, 2.0], [0.0, 0.0, 0.0]]
    for method in ("stable", "online"):
        p = softmax(row, method=method, dtype=dtype)
        assert np.isnan(p[0]).all()
        assert p[1, 0] == pytest.approx(1 / 3, rel=4e-3)
    assert np.isnan(softmax(row, method="naive", dtype=dtype)[0]).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("dtype", "too_large", "too_small"),
    [("float16", 11.1, -18.0), ("bfloat16", 89.0, -94.0), ("float32", 88.8, -105.0), ("float64", 709.8, -746.0)],
)
def test_naive_overflows_and_underflows_where_the_format_does(dtype, too_large, too_small):
    assert np.isnan(softmax([too_large, 0.0], method="naive", dtype=dtype)[0])
    assert np.isnan(softmax([too_small, too_small], method="naive", dtype=dtype)).all()
    assert softmax([too_large, 0.0], dtype=dtype)[0] > 0.99
    assert softmax([too_small, too_small], dtype=dtype).tolist() == [0.5, 0.5]


def test_scores_too_large_for_float32_are_infinite_there():
    assert np.isnan(softmax([1e300, 0.0], dtype="float32")).all()
    assert softmax([1e300, 0.0]).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("given_dtype", "wanted", "comes"),
    [("f4", None, "f4"), ("f8", None, "f8"), ("f2", None, "f2"), ("i8", None, "f8"), ("?", None, "f8"),
     ("f8", "float16", "f2"), ("f8", "bfloat16", "f4"), ("f8", np.float32, "f4"), ("f4", np.dtype("f8"), "f8")],
)  # fmt: skip
def test_the_dtype_is_that_of_the_scores_or_the_one_asked_for(given_dtype, wanted, comes):
    assert softmax(np.zeros((2, 3), given_dtype), dtype=wanted).dtype == np.dtype(comes)


def test_byte_order_and_strides_do_not_matter():
    x = np.random.default_rng(1).standard_normal((8, 10))
    for other in (x.astype(">f8"), np.asfortranarray(x), np.repeat(x, 2, axis=1)[:, ::2]):
        np.testing.assert_array_equal(softmax(other), softmax(x))


def test_scores_are_left_as_they_are():
    x = np.random.default_rng(2).standard_normal((4, 5)).astype(np.float32)
    before = x.copy()
    softmax(x)
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"x": 3.0}, r"x needs shape \(..., keys\); got \(\)"),
        ({"x": [1j]}, "x needs real numbers of 64 bits at most; got dtype complex128"),
        ({"x": ["a"]}, "x needs real numbers"),
        ({"x": [[1.0, 2.0]], "axis": 2}, r"axis must lie in -2..1 for x of shape \(1, 2\); got 2"),
        ({"x": [1.0], "method": "fast"}, "method must be one of stable, naive, online; got 'fast'"),
        ({"x": [1.0], "dtype": "int8"}, "dtype must be one of float16, bfloat16, float32, float64; got int8"),
        ({"x": [1.0], "dtype": "half a float"}, "dtype must be one of .*; got half a float"),
    ],
)
def test_what_cannot_be_is_refused_by_name(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        softmax(**arguments)


def test_the_onnx_example_comes_out():
    """The example in the operator's text, and its large numbers."""
    np.testing.assert_allclose(
        softmax(np.array([[-1, 0, 1]], dtype=np.float32)), [[0.09003058, 0.24472848, 0.66524094]], rtol=1e-6
    )
    large = np.array([[0, 1, 2, 3], [10000, 10001, 10002, 10003]], dtype=np.float32)
    expected = [0.032058604, 0.08714432, 0.23688284, 0.6439143]
    np.testing.assert_allclose(softmax(large), [expected, expected], rtol=1e-6)


def test_the_onnx_cases_come_out(shared_folder):
    folder = shared_folder / "reference" / "onnx_softmax"
    cases = json.loads((folder / "index.json").read_text())["cases"]
    assert len(cases) == 8
    for case in cases:
        with np.load(folder / case["file"], allow_pickle=False) as data:
            p = softmax(data["in_x"], case["attributes"].get("axis", -1))
            if case["op"] == "LogSoftmax":
                p = np.log(p)
            np.testing.assert_allclose(p, data["out_y"], rtol=case["rtol"], atol=case["atol"], err_msg=case["name"])


def test_scipys_answers_come_out(shared_folder):
    files = sorted((shared_folder / "reference" / "scipy_oracle" / "public").glob("*.npz"))
    assert len(files) == 8
    for file in files:
        with np.load(file, allow_pickle=False) as data:
            x = data["x"][:64]
            for method in ("stable", "online"):
                p = softmax(x, method=method)
                np.testing.assert_allclose(p, data["softmax64"], rtol=2e-14, atol=1e-300, err_msg=file.stem)
