"""Counts against numpy's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from attnsim.kernels.histogram import histogram
from attnsim.kernels.moments import CHUNK


@given(
    arrays.arrays(np.float64, st.integers(0, 60), elements=st.floats(-5, 5) | st.integers(-4, 4).map(float)),
    st.integers(1, 30),
)
@settings(max_examples=80, deadline=None)
def test_counts_are_numpys_on_edges_too(x, bins):
    found = histogram(x, -3.0, 4.0, bins)
    counts, edges = np.histogram(x, bins, (-3.0, 4.0))
    np.testing.assert_array_equal(found.edges, edges)
    np.testing.assert_array_equal(found.counts, counts)
    assert found.counts.sum() + found.below + found.above == x.size


def test_every_edge_begins_its_bin_and_the_last_ends_one():
    edges = np.linspace(0.1, 0.7, 1001)
    found = histogram(edges, 0.1, 0.7, 1000)
    assert found.counts.tolist() == [1] * 999 + [2]


def test_what_lies_outside_or_is_no_number_is_counted_apart():
    found = histogram([np.nan, -np.inf, np.inf, 0.5, -0.1, 2.0, 3.0], 0.0, 1.0, 4)
    assert (found.below, found.above, found.missing, found.counts.tolist()) == (2, 3, 1, [0, 0, 1, 0])


def test_one_thread_and_two_count_alike_and_parts_add_up():
    x = np.random.default_rng(5).standard_normal(3 * CHUNK + 1)
    one, two = histogram(x, -3, 3, threads=1), histogram(x, -3, 3, threads=2)
    halves = histogram(x[:1000], -3, 3).merge(histogram(x[1000:], -3, 3))
    for other in (two, halves):
        np.testing.assert_array_equal(one.counts, other.counts)
        assert (one.below, one.above, one.missing) == (other.below, other.above, other.missing)


def test_bins_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match=r"bins must lie in 1..1000000, not 0"):
        histogram([1.0], 0, 1, 0)
    for low, high in ((1.0, 1.0), (0.0, np.inf), (np.nan, 1.0)):
        with pytest.raises(ValueError, match="low must lie below high, both finite"):
            histogram([1.0], low, high)
    with pytest.raises(ValueError, match=r"edges must be the same to merge; got shapes \(3,\) and \(4,\)"):
        histogram([1.0], 0, 1, 2).merge(histogram([1.0], 0, 1, 3))
