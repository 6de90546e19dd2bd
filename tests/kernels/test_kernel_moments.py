"""Moments against exact fractions, NIST's data and scipy's answers."""

import json
import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from attnsim.kernels.autocorrelation import lag_one_correlation
from attnsim.kernels.moments import CHUNK, Moments, moments

# as NIST's NumAcc2..4: a constant and alternate values around it, whose mean and deviation are known
HARD = {
    "a million and tenths": (1000000.2, 0.1, 1001),
    "ten millions and tenths": (10000000.2, 0.1, 1001),
    "small": (1.2, 0.1, 1001),
}


def exact(values):
    """Mean, sample sd, skewness, excess kurtosis and lag-1 correlation in fractions, rounded once at the end."""
    x = [Fraction(float(v)) for v in values]
    mean = sum(x) / len(x)
    d = [v - mean for v in x]
    m2, m3, m4 = (sum(v**k for v in d) / len(x) for k in (2, 3, 4))
    lagged = sum(a * b for a, b in pairwise(d))
    return {
        "mean": float(mean),
        "sd": math.sqrt(m2 * len(x) / (len(x) - 1)),
        "skewness": float(m3) / float(m2) ** 1.5,
        "kurtosis": float(m4 / m2**2 - 3),
        "r1": float(lagged / (m2 * len(x))),
    }


def assert_digits(values, rel=1e-14):
    found, truth = moments(values), exact(values)
    assert found.mean == pytest.approx(truth["mean"], rel=rel)
    assert found.sample_sd == pytest.approx(truth["sd"], rel=rel)
    assert found.skewness == pytest.approx(truth["skewness"], rel=rel, abs=1e-13)
    assert found.excess_kurtosis == pytest.approx(truth["kurtosis"], rel=rel, abs=1e-13)
    assert lag_one_correlation(values) == pytest.approx(truth["r1"], rel=rel, abs=1e-14)


@pytest.mark.parametrize("name", HARD)
def test_a_large_mean_costs_no_digit(name):
    middle, step, count = HARD[name]
    values = np.full(count, middle)
    values[1::2] += step
    values[2::2] -= step
    assert_digits(values)


def test_skewed_data_keep_their_digits():
    assert_digits(np.exp(np.random.default_rng(1).standard_normal(3000)))


def test_the_first_whole_numbers_have_their_closed_forms():
    n = 300_001  # more than two chunks
    found = moments(np.arange(n))
    assert found.count == n
    assert found.mean == (n - 1) / 2
    assert found.variance == pytest.approx((n**2 - 1) / 12, rel=1e-14)
    assert found.excess_kurtosis == pytest.approx(-1.2 * (n**2 + 1) / (n**2 - 1), rel=1e-13)
    assert abs(found.skewness) < 1e-13


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1.0, 1e150, 1e300])
def test_scale_does_not_enter_the_shape(scale):
    x = np.random.default_rng(2).standard_exponential(1000)
    small, large = moments(x), moments(x * scale)
    assert large.mean == pytest.approx(small.mean * scale, rel=1e-14)
    assert large.sample_sd == pytest.approx(small.sample_sd * scale, rel=1e-14)
    assert large.skewness == pytest.approx(small.skewness, rel=1e-12)
    assert large.excess_kurtosis == pytest.approx(small.excess_kurtosis, rel=1e-12)


def test_one_thread_and_two_give_equal_bits():
    x = np.random.default_rng(3).standard_normal(5 * CHUNK + 17)
    assert moments(x, threads=1) == moments(x, threads=2)


@given(
    arrays.arrays(np.float64, st.integers(0, 50), elements=st.floats(-1e6, 1e6)),
    arrays.arrays(np.float64, st.integers(0, 50), elements=st.floats(-1e-3, 1e3)),
)
@settings(max_examples=80, deadline=None)
def test_merging_parts_is_taking_all(a, b):
    both, merged = moments(np.concatenate((a, b))), moments(a).merge(moments(b))
    assert merged.count == both.count
    if not both.count:
        assert math.isnan(merged.mean)
        return
    spread = math.sqrt(both.variance)
    reach = max(np.abs(np.concatenate((a, b))))
    assert merged.mean == pytest.approx(both.mean, rel=1e-13, abs=1e-14 * reach)
    assert merged.variance == pytest.approx(both.variance, rel=1e-12, abs=1e-28 * reach**2)
    if spread > 1e-6 * reach:
        assert merged.skewness == pytest.approx(both.skewness, rel=1e-9, abs=1e-9)
        assert merged.excess_kurtosis == pytest.approx(both.excess_kurtosis, rel=1e-9, abs=1e-9)


def test_zeros_merge_with_numbers_however_small():
    merged = moments([0.0]).merge(moments([5e-95]))
    assert merged.excess_kurtosis == pytest.approx(-2.0, rel=1e-14)
    assert merged.sample_sd == pytest.approx(5e-95 * math.sqrt(0.5), rel=1e-14)


def test_few_values_have_no_more_moments_than_they_have():
    none, one, two = moments([]), moments([7.0]), moments([1.0, 2.0])
    assert repr(none) == repr(Moments())  # its centre is nan, which equals nothing
    assert math.isnan(none.mean)
    assert (one.count, one.mean, one.variance) == (1, 7.0, 0.0)
    assert all(map(math.isnan, (one.sample_variance, one.sample_sd, one.skewness, one.excess_kurtosis)))
    assert (two.sample_variance, two.skewness, two.excess_kurtosis) == (0.5, 0.0, -2.0)
    assert math.isnan(lag_one_correlation([1.0, 1.0]))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_makes_moments_nan(bad):
    found = moments([1.0, bad, 2.0])
    assert found.count == 3
    assert not math.isfinite(found.mean)
    assert math.isnan(found.skewness)


def test_float32_and_bytes_are_taken_as_they_are():
    x = np.random.default_rng(4).standard_normal(1000).astype(np.float32)
    assert moments(x) == moments(x.astype(np.float64))
    assert moments(np.array([[True, False], [True, True]])).mean == 0.75


def test_words_and_no_threads_are_refused():
    with pytest.raises(ValueError, match="values needs real numbers of 64 bits at most; got dtype <U1"):
        moments(["a"])
    with pytest.raises(ValueError, match="threads must be 1 or more, not 0"):
        moments([1.0], threads=0)


def test_nists_data_keep_14_digits(shared_folder):
    folder = shared_folder / "reference" / "strd"
    sets = json.loads((folder / "certified.json").read_text())["datasets"]
    assert len(sets) == 9
    for name, entry in sets.items():
        values = np.loadtxt(folder / f"{name}.txt")
        truth = {key: float(number) for key, number in entry["exact_from_float64_rounded_data"].items()}
        found = moments(values)
        assert found.count == entry["n"]
        assert found.mean == pytest.approx(truth["mean"], rel=1e-14), name
        assert found.sample_sd == pytest.approx(truth["std"], rel=1e-14), name
        assert found.sample_variance == pytest.approx(truth["var"], rel=1e-14), name
        assert lag_one_correlation(values) == pytest.approx(truth["r1"], rel=1e-14), name


def test_scipys_answers_come_out(shared_folder):
    for file in sorted((shared_folder / "reference" / "scipy_oracle" / "public").glob("*.npz")):
        with np.load(file, allow_pickle=False) as data:
            truth = json.loads(bytes(data["expected_json"]))
            found = moments(data["x"])
        pairs = {
            "n": found.count, "mean": found.mean, "var_pop": found.variance, "var_sample": found.sample_variance,
            "skew": found.skewness, "exkurt": found.excess_kurtosis,
        }  # fmt: skip
        for key, value in pairs.items():
            wanted = float(truth[key])
            assert value == pytest.approx(wanted, rel=1e-13, abs=1e-14, nan_ok=True), (file.stem, key)
