"""Scores q.k with moments and histogram, drawn by component and exactly, against numpy and torch."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from attnsim.bench.idioms import score_statistics
from attnsim.bench.item import Growth, Item

GENERATOR = np.random.default_rng(2)
REACH = 6.0  # standard deviations covered by the histogram
EXACT = 1 << 19  # scores in a run of ours
BILLION = 10**9


def _exact(dim: int, count: int) -> object:
    from attnsim.kernels.rng import stream_key
    from attnsim.kernels.score_exact import GaussianPair, exact_score_sums

    return exact_score_sums(stream_key(1, "bench"), GaussianPair(dim=dim), count)


def _components(dim: int, count: int) -> object:
    from attnsim.kernels.rng import stream_key
    from attnsim.kernels.score_components import component_score_sums
    from attnsim.kernels.score_exact import GaussianPair

    return component_score_sums(stream_key(1, "bench"), GaussianPair(dim=dim), count)


def _signs(dim: int, count: int) -> object:
    from attnsim.kernels.rng import stream_key
    from attnsim.kernels.score_signs import sign_score_sums

    return sign_score_sums(stream_key(1, "bench"), dim, count)


def _numpy(dim: int, count: int) -> object:
    q, k = GENERATOR.standard_normal((count, dim)), GENERATOR.standard_normal((count, dim))
    return score_statistics(np.einsum("ij,ij->i", q, k), REACH * math.sqrt(dim))


def _torch(dim: int, count: int) -> object:
    import torch

    q, k = torch.randn(count, dim), torch.randn(count, dim)
    scores, reach = (q * k).sum(dim=1).double(), REACH * math.sqrt(dim)
    centred = scores - scores.mean()
    square = centred * centred
    moments = square.mean(), (square * centred).mean(), (square * square).mean()
    return moments, torch.histc(scores, bins=200, min=-reach, max=reach)


def _trick(dim: int, count: int) -> object:
    scores = np.sqrt(GENERATOR.chisquare(dim, count)) * GENERATOR.standard_normal(count)
    return score_statistics(scores, REACH * math.sqrt(dim))


def _numpy_signs(dim: int, count: int) -> object:
    q, k = (2 * GENERATOR.integers(0, 2, (count, dim), dtype=np.int8) - 1 for _ in range(2))
    return score_statistics(np.einsum("ij,ij->i", q, k, dtype=np.int32), REACH * math.sqrt(dim))


def _against_numpy(dim: int, target: float) -> Item:
    rows = max(256, (1 << 19) // dim)
    return Item(
        id=f"scores_exact_{dim}",
        against="numpy randn + einsum with the same statistics",
        target=target,
        ours=partial(_exact, dim, EXACT),
        theirs=partial(_numpy, dim, rows),
        share=EXACT / rows,
    )


ITEMS = (
    Item(
        id="dot_components",
        against="numpy doing the same",
        target=10.0,
        ours=partial(_components, 64, 1 << 14),
        theirs=partial(_numpy, 64, 1 << 13),
        share=2.0,
    ),
    Item(
        id="dot_components_vs_torch",
        against="torch doing the same",
        target=5.0,
        ours=partial(_components, 64, 1 << 14),
        theirs=partial(_torch, 64, 1 << 13),
        share=2.0,
        needs="torch",
    ),
    _against_numpy(64, 150.0),
    _against_numpy(512, 1000.0),
    _against_numpy(4096, 10_000.0),
    Item(
        id="scores_exact_vs_trick",
        against="a numpy user who knows the chi-square trick, with the same statistics",
        target=7.0,
        ours=partial(_exact, 64, EXACT),
        theirs=partial(_trick, 64, EXACT // 2),
        share=2.0,
    ),
    Item(
        id="dot_signs",
        against="numpy int8 with the same statistics",
        target=100.0,
        ours=partial(_signs, 64, 1 << 19),
        theirs=partial(_numpy_signs, 64, 1 << 14),
        share=32.0,
    ),
    Item(
        id="billion",
        against="8 s of one core",
        target=1.0,
        ours=partial(_exact, 64, BILLION),
        theirs=None,
        allowed_seconds=8.0,
        quick=False,
    ),
)


def _units(run: Callable[[int, int], object], count: int, dim: int) -> int:
    run(dim, count)
    return count


def _component_units(dim: int) -> int:
    count = max(256, (1 << 21) // dim)
    _components(dim, count)
    return count * dim


GROWTHS = (
    Growth("scores_exact", "dim", "score", (64, 512, 4096, 65_536), partial(_units, _exact, EXACT)),
    Growth("dot_components", "dim", "component", (64, 512, 4096, 65_536), _component_units),
)
