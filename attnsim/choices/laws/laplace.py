"""Laplace components: moderately heavy tails."""

import math

import numpy as np

from attnsim.choices.laws import factor_model
from attnsim.choices.laws.law import Draws, Floats, Law, Request
from attnsim.words import mark


def moments(given: object) -> Floats:
    """Return E a^j, j = 0..8: j!/2^(j/2) for even j."""
    return np.array([math.factorial(j) / 2.0 ** (j / 2) if j % 2 == 0 else 0.0 for j in range(9)])


def draw(request: Request) -> Draws:
    """Draw rows component by component."""
    from attnsim.kernels.variates import laplace_variates

    return factor_model.draw(request, laplace_variates, moments(request))


LAW = Law(
    key="laplace",
    title=mark("Laplace"),
    formula=r"p(a) = e^{-\sqrt{2}\,|a|} / \sqrt{2}, \quad q_i, k_i \sim \mu + \sigma a",
    source="Laplace, Mémoire sur la probabilité des causes, 1774; Johnson, Kotz & Balakrishnan, vol. 2, ch. 24",
    sentences=(
        mark("Each component has a Laplace law, whose tails fall off more slowly than the normal ones."),
        mark("The spread of a score is the same and its excess kurtosis five times as large, 33/d instead of 6/d."),
    ),
    moments=moments,
    draw=draw,
)
