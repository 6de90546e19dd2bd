"""Normals in bulk against numpy's."""

import numpy as np

from attnsim.bench.item import Item

COUNT = 1 << 18


def _ours() -> object:
    from attnsim.kernels.normals import normals
    from attnsim.kernels.rng import stream_key

    return normals(stream_key(1, "bench"), COUNT)


def _words() -> object:
    from attnsim.kernels.normals import random_words
    from attnsim.kernels.rng import stream_key

    return random_words(stream_key(1, "bench"), COUNT)


GENERATOR = np.random.default_rng(1)

ITEMS = (
    Item(
        id="normals",
        against="numpy standard_normal float64",
        target=8.0,
        ours=_ours,
        theirs=lambda: GENERATOR.standard_normal(COUNT),
        limit="raw Philox words",
        limit_run=_words,
    ),
)
