"""Uniform matrices drawn in passing, and scores as products of tokens and directions."""

import numpy as np
import pytest
from scipy import stats

from attnsim.kernels.projected_rows import token_scores, uniform_projections
from attnsim.kernels.rng import stream_key

KEYS = stream_key(3, "a"), stream_key(3, "b")


def test_with_one_unit_token_the_query_is_a_row_of_a_uniform_matrix():
    token = np.eye(6)[[2]]
    sums, squares, _ = uniform_projections(token, *KEYS, 0, np.arange(1, 4001), 0.0, 1.0)
    entries = np.diff(sums[0], prepend=0.0)
    reach = np.sqrt(3.0 / 6.0)
    assert stats.kstest(entries, stats.uniform(-reach, 2 * reach).cdf).pvalue > 1e-3
    np.testing.assert_allclose(np.diff(squares[0], prepend=0.0), entries**2, rtol=1e-9, atol=1e-9)
    assert abs(np.corrcoef(entries[1:], entries[:-1])[0, 1]) < 5 / np.sqrt(entries.size)


def test_the_direction_is_the_sum_of_the_columns_weighted_by_the_query():
    token = np.random.default_rng(0).normal(size=(2, 7))
    steps = np.arange(1, 3001)
    ones, _, columns = uniform_projections(token, *KEYS, 5, steps, 1.0, 0.0)  # every q_i is 1
    assert ones[1].tolist() == steps.tolist()
    entries = np.diff(columns, axis=1, prepend=np.zeros((2, 1, 7)))
    sums, _, directions = uniform_projections(token, *KEYS, 5, steps, 0.3, 1.2)
    query = np.diff(sums, axis=1, prepend=0.0)
    np.testing.assert_allclose(directions, np.cumsum(query[:, :, None] * entries, axis=1), rtol=1e-9, atol=1e-9)
    reach = np.sqrt(3.0 / 7.0)
    assert stats.kstest(entries.ravel(), stats.uniform(-reach, 2 * reach).cdf).pvalue > 1e-3


def test_checkpoints_change_no_number_and_rows_are_known_by_their_place():
    token = np.random.default_rng(0).normal(size=(3, 5))
    few = uniform_projections(token, *KEYS, 0, np.array([4, 9]), 0.1, 1.0)
    every = uniform_projections(token, *KEYS, 0, np.arange(1, 10), 0.1, 1.0)
    last = uniform_projections(token[2:], *KEYS, 2, np.array([4, 9]), 0.1, 1.0)
    for some, whole, alone in zip(few, every, last, strict=True):
        assert np.array_equal(some, whole[:, [3, 8]])
        assert np.array_equal(some[2:], alone)


def test_scores_are_products_of_tokens_and_directions():
    generator = np.random.default_rng(2)
    tokens, directions = generator.normal(size=(3, 4, 33)), generator.normal(size=(3, 5, 33))
    wanted = np.einsum("bja,bta->btj", tokens, directions)
    np.testing.assert_allclose(token_scores(tokens, directions), wanted, rtol=1e-12, atol=1e-12)
    with pytest.raises(ValueError, match="must fit"):
        token_scores(tokens, directions[:, :, 1:])
