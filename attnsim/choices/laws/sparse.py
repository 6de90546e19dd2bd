"""Sparse components: most of them are 0."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.laws import factor_model
from attnsim.choices.laws.law import Draws, Floats, Law, Request
from attnsim.words import mark


def moments(given: Any) -> Floats:
    """Return E a^j, j = 0..8: those of the normal law times p^(1 - j/2)."""
    normal = (1.0, 0.0, 1.0, 0.0, 3.0, 0.0, 15.0, 0.0, 105.0)
    return np.array([value * given.nonzero ** (1.0 - j / 2) if j else 1.0 for j, value in enumerate(normal)])


def draw(request: Request) -> Draws:
    """Draw rows component by component."""
    from attnsim.kernels.variates import sparse_variates

    def fill(key: NDArray[np.uint64], rows: int, keys: int, dim: int, first_row: int, first_key: int) -> Floats:
        return sparse_variates(key, rows, keys, dim, request.nonzero, first_row, first_key)

    return factor_model.draw(request, fill, moments(request))


LAW = Law(
    key="sparse",
    title=mark("sparse"),
    formula=r"q_i, k_i \sim \mu + \sigma\, b z / \sqrt{p}, \quad b \sim \mathrm{Bernoulli}(p),\ z \sim N(0, 1)",
    source="Bernoulli-Gaussian model: Kormylo & Mendel, IEEE Trans. Inf. Theory 28, 1982",
    sentences=(
        mark("Each component is 0, but for a share p of them, which is normal and scaled up to unit variance."),
        mark("A product is not 0 in p² of the components: the variance is d, the number of steps that count is p² d."),
    ),
    moments=moments,
    draw=draw,
    reads=("nonzero",),
)
