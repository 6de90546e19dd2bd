import math

import mpmath
import numpy as np
import pytest

from attnsim.theory import number_formats
from attnsim.theory.score_law import tail_probability

TABLE = [
    ("fp16", 4.88e-4, 65504.0, 11.0899, -9.704, -17.329),
    ("bf16", 3.91e-3, 3.3895e38, 88.7189, -87.337, -92.882),
    ("fp32", 5.96e-8, 3.4028e38, 88.7228, -87.337, -103.972),
    ("fp64", 1.11e-16, 1.797e308, 709.7827, -708.396, -745.133),
]


@pytest.mark.parametrize(("name", "rounding", "largest", "over", "normal", "zero"), TABLE)
def test_the_table_of_limits_is_met(name, rounding, largest, over, normal, zero):
    limits = number_formats.format_limits(name)
    assert limits.rounding == pytest.approx(rounding, rel=2e-3)
    assert limits.largest == pytest.approx(largest, rel=1e-3)
    assert math.log(limits.largest) == pytest.approx(over, abs=6e-5)
    assert limits.normal_score == pytest.approx(normal, abs=6e-4)
    assert limits.zero_score == pytest.approx(zero, abs=6e-4)


@pytest.mark.parametrize(("name", "kind"), [("fp16", np.float16), ("fp32", np.float32)])
def test_numpy_overflows_where_the_limits_say(name, kind):
    limits = number_formats.format_limits(name)
    with np.errstate(over="ignore", under="ignore"):
        for shift, finite in ((-1e-6, True), (1e-6, False)):
            assert np.isfinite(kind(math.exp(limits.overflow_score + shift))) == finite
            assert (kind(math.exp(limits.zero_score - shift)) > 0.0) == finite
    assert kind(1.0) + kind(number_formats.format_limits(name).rounding) == 1.0


def test_one_score_overflows_with_the_exact_tail_of_the_score():
    x = np.array([0.0, 11.09, 60.0, 100.0, 300.0])
    for dim in (2, 64, 512):
        seen, exact = number_formats.beyond_probability(x, dim), tail_probability(x, dim)
        np.testing.assert_allclose(seen, exact, rtol=1e-10)


def test_an_odd_dimension_has_the_tail_of_mpmath():
    with mpmath.workdps(16):
        density = lambda s: s * mpmath.besselk(1, s) / (mpmath.sqrt(mpmath.pi) * 2 * mpmath.gamma(1.5))  # noqa: E731
        exact = float(mpmath.quad(density, [20, 30, 60]))
    assert float(number_formats.beyond_probability(20.0, 3)) == pytest.approx(exact, rel=1e-10)


def test_the_audit_of_overflow_is_met():
    # the audit's 0.76 for fp16 lies between a term's overflow and the exact sum's, its sums being rounded
    assert number_formats.row_overflow_probability("fp16", 16, 512) == pytest.approx(0.609, abs=5e-4)
    assert number_formats.sum_overflow_probability("fp16", 16, 512) == pytest.approx(0.80, abs=0.01)
    assert number_formats.row_overflow_probability("fp32", 512, 512) == pytest.approx(0.0244, abs=1e-4)
    assert number_formats.score_overflow_probability("fp16", 512) == pytest.approx(0.312, abs=5e-4)
    assert float(number_formats.beyond_probability(100.0, 512)) == pytest.approx(5.7946e-6, rel=1e-4)
    assert number_formats.expected_overflows("fp16", 512, 4, 8) == pytest.approx(32 * 0.312, abs=0.02)
    assert number_formats.row_overflow_probability("fp64", 512, 512) < 1e-100


def test_simulated_rows_overflow_as_often():
    rng, rows = np.random.default_rng(103), 40_000
    norms = np.sqrt(rng.chisquare(16, rows))
    highest = norms * rng.standard_normal((32, rows)).max(axis=0)
    chance = number_formats.row_overflow_probability("fp16", 16, 32)
    seen = (highest > number_formats.format_limits("fp16").overflow_score).mean()
    assert abs(seen - chance) < 5 * math.sqrt(chance * (1 - chance) / rows)


@pytest.mark.parametrize(("dim", "keys"), [(8, 1), (16, 64), (8, 512)])
def test_sums_of_rows_overflow_as_often_as_stated(dim, keys):
    rng, rows = np.random.default_rng(109), 20_000
    scores = np.sqrt(rng.chisquare(dim, rows)) * rng.standard_normal((keys, rows))
    seen = (np.exp(scores).sum(axis=0) > math.exp(number_formats.format_limits("fp16").overflow_score)).mean()
    chance = number_formats.sum_overflow_probability("fp16", dim, keys)
    assert abs(seen - chance) < 0.01 + 5 * math.sqrt(seen * (1 - seen) / rows)
    assert chance >= number_formats.row_overflow_probability("fp16", dim, keys) - 1e-12


def test_scaling_makes_overflow_rarer_than_any_run():
    assert number_formats.row_overflow_probability("fp16", 64, 4096, 1 / 8) < 1e-15


def test_rounding_errors_are_those_of_numpy():
    rng = np.random.default_rng(107)
    x = rng.uniform(16.0, 32.0, 100_000)
    errors = x.astype(np.float16).astype(np.float64) - x
    square = float(number_formats.score_rounding("fp16", 20.0)) ** 2
    assert abs((errors**2).mean() - square) < 5 * (errors**2).std() / math.sqrt(x.size)
    assert number_formats.score_rounding("bf16", [0.0, 16.0]).tolist() == [0.0, 0.125 / math.sqrt(12)]


def test_sums_of_ones_stop_where_stated():
    assert number_formats.stagnation("bf16") == 256.0
    assert np.float16(number_formats.stagnation("fp16")) + np.float16(1) == 2048.0


def test_unknown_formats_are_refused():
    with pytest.raises(ValueError, match=r"format must be among fp64, .* not fp12"):
        number_formats.format_limits("fp12")
