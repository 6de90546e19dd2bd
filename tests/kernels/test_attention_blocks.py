"""Which keys a block looks at, and what it hides of them."""

import itertools

import numpy as np
import pytest
from attention_reference import visible

from attnsim.kernels import attention_blocks
from attnsim.kernels.attention import attention
from attnsim.kernels.attention_inputs import Options, checked


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of three queries, so that few queries are several blocks."""
    monkeypatch.setattr(attention_blocks, "ROWS", 3)


@pytest.mark.parametrize(("n", "m"), [(8, 8), (8, 3), (3, 8), (1, 5), (7, 1)])
def test_weights_stand_exactly_where_a_query_sees_a_key(small_blocks, n, m):
    for causal, window in itertools.product((False, "top-left", "bottom-right"), (None, 0, 2, 50)):
        got = attention(np.ones((n, 2)), np.ones((m, 2)), causal=causal, window=window, return_weights=True)
        np.testing.assert_array_equal(got.weights > 0.0, visible(n, m, causal, window), err_msg=f"{causal} {window}")


def test_blocks_look_at_no_key_that_all_their_queries_miss(small_blocks):
    problem = checked(np.ones((2, 9, 2)), np.ones((1, 9, 2)), None, Options(causal="top-left", window=2))
    spans = [(block.head, block.kv_head, block.rows.start, block.keys.start, block.keys.stop)
             for block in attention_blocks.blocks(problem)]  # fmt: skip
    wanted = [(0, 0, 3), (3, 1, 6), (6, 4, 9)]
    assert spans == [(head, 0, *span) for head in (0, 1) for span in wanted]


def test_a_block_holds_no_more_scores_than_allowed_and_one_query_at_least():
    for keys, rows in ((1, 300), (2048, 300), (100_000, 300)):
        problem = checked(np.ones((rows, 1)), np.ones((keys, 1)), None, Options())
        assert attention_blocks.rows_of_a_block(problem) == min(256, (1 << 23) // keys)
    problem = checked(np.ones((2, 1)), np.empty((1 << 24, 1), np.float32), None, Options())
    assert attention_blocks.rows_of_a_block(problem) == 1
