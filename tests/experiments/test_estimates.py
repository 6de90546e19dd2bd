"""Intervals for scores that share a query."""

import numpy as np
import pytest
from scipy import stats

from attnsim.experiments.estimates import RowSums, student_quantile

KEYS = 8


def powers_of(scores, center, scale):
    x = (scores - center) / scale
    return np.stack([(x**p).mean(axis=1) for p in (1, 2, 3, 4)], axis=1)[:, None, :]


def sums_of(scores, center=0.0, scale=1.0):
    sums = RowSums(np.array([center]), np.array([scale]), scores.shape[1])
    sums.add(powers_of(scores, center, scale))
    return sums


def test_estimates_equal_the_plain_statistics_of_all_scores():
    scores = np.random.default_rng(0).gamma(2.0, size=(500, KEYS))
    known = sums_of(scores, center=1.7, scale=1.3).estimates(np.inf)
    assert known["mean"].value[0] == pytest.approx(scores.mean(), rel=1e-12)
    assert known["sd"].value[0] == pytest.approx(scores.std(), rel=1e-12)
    assert known["within_sd"].value[0] == pytest.approx(np.sqrt(scores.var(axis=1, ddof=1).mean()), rel=1e-12)
    assert known["skewness"].value[0] == pytest.approx(stats.skew(scores, axis=None), rel=1e-10)
    assert known["excess_kurtosis"].value[0] == pytest.approx(stats.kurtosis(scores, axis=None), rel=1e-10)


def test_chunks_in_order_give_the_bits_of_one_chunk_after_another():
    scores = np.random.default_rng(1).normal(size=(60, KEYS))
    first, second = (RowSums(np.zeros(1), np.ones(1), KEYS) for _ in range(2))
    for sums in (first, second):
        for part in np.split(scores, 3):
            sums.add(powers_of(part, 0.0, 1.0))
    for name, estimate in first.estimates(np.inf).items():
        assert np.array_equal(estimate.value, second.estimates(np.inf)[name].value)


def test_intervals_of_rows_that_share_a_query_hold_the_truth_in_95_percent():
    # scores of a row are far from independent here: their common mean rho |q|^2 moves by rho * 8 * sqrt 2
    generator = np.random.default_rng(2)
    outside = dict.fromkeys(("mean", "sd", "within_sd"), 0)
    trials, rows, rho = 400, 400, 0.6
    truth = {"mean": 64 * rho, "sd": np.sqrt(64 * (1 + rho**2)), "within_sd": np.sqrt(64 * (1 - rho**2))}
    for _ in range(trials):
        norm = generator.chisquare(64, size=(rows, 1))
        z = generator.standard_normal((rows, KEYS))
        scores = rho * norm + np.sqrt((1 - rho**2) * norm) * z
        known = sums_of(scores, center=truth["mean"], scale=truth["sd"]).estimates(np.inf)
        for name in outside:
            outside[name] += not known[name].low[0] <= truth[name] <= known[name].high[0]
    error = np.sqrt(trials * 0.05 * 0.95)
    for name, count in outside.items():
        assert abs(count - 0.05 * trials) < 4 * error, (name, count)


def test_no_interval_is_claimed_for_moments_that_do_not_exist():
    known = sums_of(np.random.default_rng(3).standard_t(3, size=(100, KEYS))).estimates(3.5)
    assert np.isfinite(known["mean"].error[0])
    assert np.isnan(known["sd"].error[0])
    assert np.isnan(known["excess_kurtosis"].low[0])


def test_no_interval_is_claimed_where_the_rows_are_too_few_for_the_tails():
    sums = sums_of(np.random.default_rng(3).normal(size=(1000, KEYS)))
    for kurtosis, without in ((1.9, ()), (2.1, ("skewness", "excess_kurtosis")),
                              (260.0, ("sd", "within_sd", "skewness", "excess_kurtosis"))):  # fmt: skip
        known = sums.estimates(np.inf, np.array([kurtosis]))
        assert tuple(name for name, estimate in known.items() if np.isnan(estimate.low[0])) == without
    assert np.isfinite(sums.estimates(np.inf, np.array([np.nan]))["excess_kurtosis"].low[0])


def test_one_row_has_values_and_no_interval():
    known = sums_of(np.arange(8.0)[None, :]).estimates(np.inf)
    assert known["mean"].value[0] == 3.5
    assert np.isnan(known["mean"].low[0])


def test_one_key_a_row_says_nothing_of_the_spread_within():
    known = sums_of(np.random.default_rng(4).normal(size=(300, 1))).estimates(np.inf)
    assert np.isnan(known["within_sd"].value[0])
    assert np.isfinite(known["sd"].error[0])


@pytest.mark.parametrize("df", [1, 2, 10, 199, 200, 1999, 10**6])
def test_quantiles_are_those_of_student(df):
    assert student_quantile(df) == pytest.approx(stats.t.ppf(0.975, df), rel=2e-8)
