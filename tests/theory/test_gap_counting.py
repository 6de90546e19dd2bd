import math

import numpy as np
import pytest
from scipy import stats

from attnsim.theory import gap_counting
from attnsim.theory.critical_spreads import half_mass_spread
from attnsim.theory.random_energy import condensation_threshold


def test_gaps_and_counts_of_a_row_told_by_hand():
    row = [1.0, 5.0, 4.0, 4.5, -math.inf]
    assert gap_counting.sorted_gaps(row).tolist() == [0.5, 1.0, 4.0, math.inf]
    assert gap_counting.gap_counts(row, [0.0, 0.5, 0.9, 1.0, 10.0]).tolist() == [0.0, 1.0, 1.0, 2.0, 3.0]
    both = gap_counting.gap_counts([row, [0.0] * 5], [0.0, 1.0])
    assert both.tolist() == [2.0, 3.0]


def test_counts_are_those_of_normal_rows():
    gaps = np.array([0.1, 0.5, 1.0, 2.0, 6.0]) * 2.0
    scores = 2.0 * np.random.default_rng(109).standard_normal((20_000, 50))
    found = gap_counting.sorted_gaps(scores)
    for gap, exact in zip(gaps, gap_counting.normal_gap_counts(50, 2.0, gaps), strict=True):
        counts = (found <= gap).sum(axis=1)
        assert abs(counts.mean() - exact) < 5 * counts.std() / math.sqrt(20_000)
    assert gap_counting.normal_gap_counts(50, 2.0, 1e3) == pytest.approx(49.0, rel=1e-10)


def test_the_scale_is_shift_free_and_inverse_to_the_spread():
    row = np.random.default_rng(113).standard_normal(40)
    scale = float(gap_counting.accumulation_scale(row))
    assert gap_counting.accumulation_scale(5.0 * row + 3.0) == pytest.approx(scale / 5.0, rel=1e-12)
    half = float(gap_counting.concentration_scale(row))
    assert gap_counting.concentration_scale(5.0 * row + 3.0) == pytest.approx(half / 5.0, rel=1e-9)


def test_beyond_the_scale_no_gaps_competitors_outweigh_the_best():
    row = np.random.default_rng(127).standard_normal(200)
    gaps, scale = gap_counting.sorted_gaps(row), float(gap_counting.accumulation_scale(row))
    outweigh = lambda beta: np.any(np.arange(1, 200) * np.exp(-beta * gaps) > 1.0)  # noqa: E731
    assert outweigh(0.999 * scale)
    assert not outweigh(1.001 * scale)


@pytest.mark.parametrize("spread", [1.0, 4.0])
def test_normal_rows_have_the_threshold_of_the_random_energy_model(spread):
    # evenly ranked rows, which do not scatter as draws do
    thresholds, scales = [], []
    for keys in (1e3, 1e5, 1e7):
        top = stats.norm.isf((np.arange(1, 401) - 0.5) / keys)
        scales.append(float(gap_counting.accumulation_scale(spread * top)) * spread)
        thresholds.append(float(condensation_threshold(keys)))
    np.testing.assert_allclose(np.subtract(thresholds, scales), 1.33, atol=0.03)
    rng, medians = np.random.default_rng(131), []
    for keys in (64, 1024, 16384):
        rows = spread * rng.standard_normal((200, keys))
        scale = float(np.median(gap_counting.accumulation_scale(rows))) * spread
        medians.append(scale / float(condensation_threshold(keys)))
    assert np.all(np.diff(medians) > 0.0)
    assert 0.7 < medians[0] < medians[2] < 1.0


def test_concentration_of_normal_rows_sets_in_at_the_half_mass_spread():
    rows = np.random.default_rng(137).standard_normal((400, 512))
    typical = float(np.median(gap_counting.concentration_scale(rows)))
    assert typical == pytest.approx(float(half_mass_spread(512)), rel=0.15)


def test_the_concentration_scale_gives_its_share():
    row = np.random.default_rng(139).standard_normal((3, 30))
    for share in (0.1, 0.5, 0.9):
        beta = gap_counting.concentration_scale(row, share)
        p = np.exp(beta[:, None] * (row - row.max(axis=1, keepdims=True)))
        p /= p.sum(axis=1, keepdims=True)
        np.testing.assert_allclose((p**2).sum(axis=1), share, rtol=1e-9)


def test_a_raised_key_needs_a_logarithm_and_ties_never_part():
    lead = np.zeros(1025)
    lead[0] = 2.0
    assert gap_counting.accumulation_scale(lead) == pytest.approx(math.log(1024) / 2)
    tied = [1.0, 1.0, 0.0]
    assert math.isinf(gap_counting.concentration_scale(tied))
    assert gap_counting.accumulation_scale([1.0, 1.0, 1.0]) == math.inf
    assert gap_counting.concentration_scale([1.0, 0.0], 0.4) == 0.0


@pytest.mark.parametrize("row", [[1.0], [1.0, math.nan], [1.0, math.inf], [-math.inf, -math.inf]])
def test_rows_that_cannot_be_ranked_are_refused(row):
    with pytest.raises(ValueError, match="scores"):
        gap_counting.sorted_gaps(row)
