"""End points of walks against the binomial law."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from attnsim.kernels.rng import philox4x32, stream_key
from attnsim.kernels.walk_ends import LONGEST, binomial_ends, walk_ends

KEY = stream_key(11, "walks")
WAYS = [walk_ends, binomial_ends]


def chi_square_p(ends, dim):
    """p-value of the binomial law, cells with fewer than 10 expected put together at the ends."""
    pluses = (ends + dim) // 2
    law = stats.binom(dim, 0.5)
    k = np.arange(dim + 1)
    expected, seen = ends.size * law.pmf(k), np.bincount(pluses, minlength=dim + 1)
    inner = expected >= 10
    first, last = np.flatnonzero(inner)[[0, -1]]
    cells = [np.concatenate(([a[:first].sum()], a[first : last + 1], [a[last + 1 :].sum()])) for a in (seen, expected)]
    keep = cells[1] > 0
    return stats.chisquare(cells[0][keep], cells[1][keep] / cells[1][keep].sum() * cells[0][keep].sum()).pvalue


@pytest.mark.parametrize("ends", WAYS)
@pytest.mark.parametrize("dim", [1, 2, 3, 7, 64, 129, 1000])
def test_ends_follow_the_binomial_law(ends, dim):
    assert chi_square_p(ends(KEY, dim, 200_000), dim) > 1e-4


@pytest.mark.parametrize("ends", WAYS)
@pytest.mark.parametrize("dim", [5000, 65_536])
def test_long_walks_spread_with_the_root_of_their_steps(ends, dim):
    count = 50_000
    x = ends(KEY, dim, count) / np.sqrt(dim)
    assert abs(x.mean()) < 5.0 / np.sqrt(count)
    assert abs(x.var() - 1.0) < 5.0 * np.sqrt(2.0 / count)
    assert abs((x**4).mean() - 3.0 + 2.0 / dim) < 5.0 * np.sqrt(96.0 / count)


@pytest.mark.parametrize("ends", WAYS)
@given(dim=st.integers(1, 700), first=st.integers(0, 2000), count=st.integers(0, 600))
@settings(max_examples=25, deadline=None)
def test_a_walk_depends_on_its_index_alone(ends, dim, first, count):
    whole = ends(KEY, dim, first + count)
    np.testing.assert_array_equal(ends(KEY, dim, count, first), whole[first:])
    assert ((whole + dim) % 2 == 0).all()
    assert (np.abs(whole) <= dim).all()


def test_the_steps_are_the_bits_of_the_generator():
    counter = np.array([[5, 0, chunk, 0] for chunk in range(3)], dtype=np.uint32)
    words = philox4x32(counter, KEY.astype(np.uint32)[None])
    ones = sum(int(word).bit_count() for word in words[:2].reshape(-1))
    ones += (int(words[2, 0]) & 0xF).bit_count()
    assert walk_ends(KEY, 260, 1, 5)[0] == 2 * ones - 260


def test_indices_beyond_32_bits_are_other_walks():
    a, b = walk_ends(KEY, 512, 1000), walk_ends(KEY, 512, 1000, 2**32)
    assert abs(np.corrcoef(a, b)[0, 1]) < 5.0 / np.sqrt(1000)


@pytest.mark.parametrize("ends", WAYS)
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((np.zeros(2), 4, 1), r"key needs dtype uint64 and shape \(2,\); got float64"),
        ((KEY, 0, 1), f"dim must lie in 1..{LONGEST}, not 0"),
        ((KEY, 4, -1), "walks must be 0 or more, not -1"),
        ((KEY, 4, 1, -1), "first_walk must lie in 0..4611686018427387903, not -1"),
    ],
)
def test_what_cannot_be_drawn_is_refused_by_name(ends, arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        ends(*arguments)
