"""Statistics of weights against exact fractions, scipy's answers and their own laws."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from attnsim.kernels.softmax_rows import softmax
from attnsim.kernels.softmax_statistics import softmax_statistics

INF, NAN = np.inf, np.nan


def numbers(found):
    return np.stack([found.largest, found.entropy, found.participation, found.jacobian_norm])


def exact(parts):
    """Largest weight, participation and squared Jacobian norm of weights in these proportions."""
    p = [Fraction(part) / sum(map(Fraction, parts)) for part in parts]
    jacobian = [[(p[i] if i == j else 0) - p[i] * p[j] for j in range(len(p))] for i in range(len(p))]
    return float(max(p)), float(1 / sum(q * q for q in p)), float(sum(e * e for line in jacobian for e in line)) ** 0.5


@pytest.mark.parametrize(
    "parts",
    [[1], [1, 1], [1, 2, 5], [3, 3, 1, 1], [1, 0, 1], [2**60, 1, 1], [2**60, 2**20, 1], [2**40, 2**40, 1, 2**10]],
)
@pytest.mark.parametrize(("dtype", "rtol"), [("float64", 3e-14), ("float32", 5e-6)])
def test_weights_in_whole_proportions_have_their_exact_statistics(parts, dtype, rtol):
    scores = np.log(np.array(parts, dtype=np.float64), out=np.full(len(parts), -INF), where=np.array(parts) > 0)
    found = softmax_statistics(scores, dtype=dtype)
    got = [float(x) for x in (found.largest, found.participation, found.jacobian_norm)]
    np.testing.assert_allclose(got, exact(parts), rtol=rtol, atol=0)


@pytest.mark.parametrize("keys", [1, 2, 64, 4096, 100_000])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_equal_scores_are_spread_over_all_keys(keys, dtype):
    found = softmax_statistics(np.full((2, keys), 3.5), dtype=dtype)
    expected = [1 / keys, np.log(keys), keys, np.sqrt((keys - 1) / keys**2)]
    np.testing.assert_allclose(numbers(found), np.array(expected)[:, None] * np.ones(2), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(("gap", "rtol"), [(30.0, 1e-13), (300.0, 1e-12)])
def test_near_one_hot_no_digit_is_lost(gap, rtol):
    """With one other key at e^-gap, |J|_F is 2 p (1 - p) and the entropy is (1 - p)(1 + gap), nearly."""
    found = softmax_statistics(np.array([0.0, -gap]))
    r = np.exp(-gap)
    assert float(found.jacobian_norm) == pytest.approx(2.0 * r / (1.0 + r) ** 2, rel=rtol)
    assert float(found.entropy) == pytest.approx(r * (1.0 + gap), rel=max(rtol, 2.0 * r))


@given(
    arrays.arrays(np.float64, arrays.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=9),
                  elements=st.floats(-50, 50) | st.just(-INF)),
    st.integers(-1, 0),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_statistics_are_those_of_the_weights_within_their_bounds(x, axis):
    found = softmax_statistics(x, axis, keep_weights=True)
    p = softmax(x, axis)
    np.testing.assert_allclose(found.weights, p, rtol=1e-14)
    masked = (x == -INF).all(axis=axis)
    assert (numbers(found)[:, masked] == 0.0).all()
    keys = x.shape[axis]
    assert found.largest.shape == np.delete(x.shape, axis).tolist() or found.largest.shape == p.max(axis=axis).shape
    np.testing.assert_allclose(found.largest, p.max(axis=axis), rtol=1e-14)
    np.testing.assert_allclose(found.entropy, -(p * np.log(np.where(p > 0, p, 1))).sum(axis=axis), rtol=0, atol=1e-13)
    alive = ~masked
    assert (found.participation[alive] >= 1.0 - 1e-14).all()
    assert (found.participation[alive] <= keys * (1.0 + 1e-14)).all()
    assert (found.jacobian_norm <= np.sqrt(0.5) + 1e-14).all()


def test_nan_and_plus_infinity_spoil_their_rows_alone():
    found = softmax_statistics([[1.0, NAN], [1.0, INF], [1.0, 2.0], [-INF, -NAN]], keep_weights=True)
    assert np.isnan(numbers(found)[:, [0, 1, 3]]).all()
    assert np.isfinite(numbers(found)[:, 2]).all()
    assert np.isnan(found.weights[[0, 1, 3]]).all()


def test_long_rows_in_float32_keep_six_digits():
    x = 3.0 * np.random.default_rng(9).standard_normal(200_000)
    short, long = softmax_statistics(x.astype(np.float32)), softmax_statistics(x.astype(np.float32), dtype="float64")
    np.testing.assert_allclose(numbers(short), numbers(long), rtol=2e-6)


def test_scipys_answers_come_out(shared_folder):
    for file in sorted((shared_folder / "reference" / "scipy_oracle" / "public").glob("*.npz")):
        with np.load(file, allow_pickle=False) as data:
            expected = json.loads(bytes(data["expected_json"]))
            found = softmax_statistics(data["x"][:64])
        assert float(found.largest) == pytest.approx(float(expected["softmax_max64"]), rel=2e-14)
        assert float(found.entropy) == pytest.approx(float(expected["softmax_entropy64"]), rel=2e-14)


def test_rows_without_keys_and_low_precision_are_refused():
    with pytest.raises(ValueError, match=r"x needs a key at least along axis -1; got \(3, 0\)"):
        softmax_statistics(np.empty((3, 0)))
    with pytest.raises(ValueError, match="dtype must be float32 or float64 for statistics; got bfloat16"):
        softmax_statistics([1.0], dtype="bfloat16")
    assert softmax_statistics(np.empty((0, 3))).largest.shape == (0,)
