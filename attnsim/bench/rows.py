"""Attention rows that share a query, with softmax statistics, against numpy."""

import math
from functools import partial

import numpy as np

from attnsim.bench.idioms import softmax_statistics
from attnsim.bench.item import Growth, Item

GENERATOR = np.random.default_rng(3)
DIM = 64
SCORES = 1 << 19  # in a run of ours


def _ours(keys: int, rows: int) -> object:
    from attnsim.kernels.rng import stream_key
    from attnsim.kernels.score_exact import GaussianPair
    from attnsim.kernels.score_rows import row_statistics

    return row_statistics(stream_key(1, "bench"), GaussianPair(dim=DIM), keys, rows, 1.0 / math.sqrt(DIM))


def _numpy(keys: int, rows: int) -> object:
    query, key = GENERATOR.standard_normal((rows, DIM)), GENERATOR.standard_normal((rows, keys, DIM))
    return softmax_statistics(np.einsum("bd,bnd->bn", query, key) / math.sqrt(DIM))


def _item(keys: int, target: float) -> Item:
    rows = (1 << 13) // keys
    return Item(
        id=f"rows_{keys}",
        against=f"numpy, {keys} keys of {DIM} components a row",
        target=target,
        ours=partial(_ours, keys, SCORES // keys),
        theirs=partial(_numpy, keys, rows),
        share=SCORES / keys / rows,
    )


def _units(keys: int) -> int:
    rows = max(1, SCORES // keys)
    _ours(keys, rows)
    return keys * rows


ITEMS = (_item(64, 150.0), _item(512, 300.0))
GROWTHS = (Growth("rows", "keys", "key", (64, 512, 4096, 65_536, 1_000_000), _units),)
