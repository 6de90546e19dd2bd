"""Uniform components, as with PyTorch's default initialisation."""

import numpy as np

from attnsim.choices.laws import factor_model
from attnsim.choices.laws.law import Draws, Floats, Law, Request
from attnsim.words import mark


def moments(given: object) -> Floats:
    """Return E u^j, j = 0..8, of the law on (-sqrt 3, sqrt 3)."""
    even = [3.0 ** (j / 2) / (j + 1) for j in range(0, 9, 2)]
    return np.array([even[j // 2] if j % 2 == 0 else 0.0 for j in range(9)])


def draw(request: Request) -> Draws:
    """Draw rows component by component."""
    from attnsim.kernels.variates import uniform_variates

    return factor_model.draw(request, uniform_variates, moments(request))


LAW = Law(
    key="uniform",
    title=mark("uniform"),
    formula=r"q_i, k_i \sim U(\mu - \sqrt{3}\,\sigma,\ \mu + \sqrt{3}\,\sigma)",
    source="Glorot & Bengio, AISTATS 2010, eq. 16 (uniform initialisation)",
    sentences=(
        mark("Each component is uniform on an interval whose standard deviation is sigma."),
        mark("Its score has another shape at small d and the same spread: only the variance matters."),
    ),
    moments=moments,
    draw=draw,
)
