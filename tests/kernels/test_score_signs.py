"""Dot products of +-1 vectors against the binomial law."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from attnsim.kernels.rng import stream_key
from attnsim.kernels.score_signs import sign_score_sums, sign_scores
from attnsim.kernels.score_sums import CHUNK

KEY = stream_key(7, "signs")


@pytest.mark.parametrize("dim", [1, 2, 5, 63, 64, 65, 128, 200])
def test_scores_follow_the_binomial_law(dim):
    count = 200_000
    pluses = (sign_scores(KEY, dim, count) + dim) / 2
    assert np.array_equal(pluses, np.round(pluses))
    seen = np.bincount(pluses.astype(int), minlength=dim + 1)
    wanted = count * stats.binom.pmf(np.arange(dim + 1), dim, 0.5)
    kept = wanted > 10.0
    assert seen[~kept].sum() <= wanted[~kept].sum() + 5 * np.sqrt(wanted[~kept].sum()) + 1
    square = np.sum((seen[kept] - wanted[kept]) ** 2 / wanted[kept])
    assert stats.chi2.sf(square, kept.sum() - 1) > 1e-4


@pytest.mark.parametrize("dim", [16, 64, 500])
def test_moments_are_those_of_independent_signs(dim):
    count = 1 << 20
    sums = sign_score_sums(KEY, dim, count)
    assert abs(sums.mean) < 5 * np.sqrt(dim / count)
    assert abs(sums.variance / dim - 1.0) < 5 * np.sqrt((2.0 - 2.0 / dim) / count)
    assert abs(sums.excess_kurtosis + 2.0 / dim) < 5 * np.sqrt(24.0 / count)
    assert sums.below + sums.counts.sum() + sums.above == count


def test_one_thread_and_two_give_equal_bits():
    one, two = (sign_score_sums(KEY, 40, 2 * CHUNK + 5, threads=threads) for threads in (1, 2))
    assert one.powers.tobytes() == two.powers.tobytes()
    assert one.counts.tobytes() == two.counts.tobytes()


@settings(max_examples=20, deadline=None)
@given(dim=st.integers(1, 300), first=st.integers(0, 2**60), count=st.integers(0, 700), cut=st.integers(0, 700))
def test_any_cut_of_the_stream_gives_the_same_bits(dim, first, count, cut):
    cut = min(cut, count)
    whole = sign_scores(KEY, dim, count, first)
    parts = [sign_scores(KEY, dim, cut, first), sign_scores(KEY, dim, count - cut, first + cut)]
    assert whole.tobytes() == np.concatenate(parts).tobytes()
    assert count == 0 or np.abs(whole).max() <= dim


def test_refusals_name_the_argument():
    with pytest.raises(ValueError, match="dim must be a whole number, 1 or more, not 0"):
        sign_scores(KEY, 0, 4)
    with pytest.raises(ValueError, match="key needs dtype uint64"):
        sign_score_sums(np.zeros(3), 4, 4)
    with pytest.raises(ValueError, match="count must be 0 or more"):
        sign_scores(KEY, 4, -1)
