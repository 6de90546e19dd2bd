"""Log-normal components, centred: skewed, and heavier in the tail than any exponential."""

from decimal import Decimal, localcontext
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.laws import factor_model
from attnsim.choices.laws.law import Draws, Floats, Law, Request
from attnsim.words import mark

DIGITS = 80  # the terms of the eighth moment cancel to shape^8 of their size


def moments(given: Any) -> Floats:
    """Return E a^j, j = 0..8, of (e^(s z) - e^(s^2/2)) / sqrt(w (w - 1)) with w = e^(s^2)."""
    return np.array(_moments(float(given.shape)))


@lru_cache(maxsize=64)
def _moments(shape: float) -> tuple[float, ...]:
    with localcontext() as context:
        context.prec = DIGITS
        half = Decimal(shape) ** 2 / 2
        spread = ((2 * half).exp() * ((2 * half).exp() - 1)).sqrt()
        central = [
            sum(comb(j, i) * (-1) ** (j - i) * (half * (i * i + j - i)).exp() for i in range(j + 1)) for j in range(9)
        ]
        values = [float(central[j] / spread**j) for j in range(9)]
    return 1.0, 0.0, 1.0, *values[3:]


def draw(request: Request) -> Draws:
    """Draw rows component by component."""
    from attnsim.kernels.variates import lognormal_variates

    def fill(key: NDArray[np.uint64], rows: int, keys: int, dim: int, first_row: int, first_key: int) -> Floats:
        return lognormal_variates(key, rows, keys, dim, request.shape, first_row, first_key)

    return factor_model.draw(request, fill, moments(request))


LAW = Law(
    key="lognormal",
    title=mark("log-normal"),
    formula=r"q_i, k_i \sim \mu + \sigma\,(e^{s z} - e^{s^2/2}) / \sqrt{e^{s^2}(e^{s^2} - 1)}, \quad z \sim N(0, 1)",
    source="Galton, Proc. R. Soc. 29, 1879; moments: Johnson, Kotz & Balakrishnan, vol. 1, ch. 14",
    sentences=(
        mark("Each component is the exponential of a normal number, moved to mean 0 and variance 1."),
        mark("It is skewed, and for a large shape a few components decide the score, though its variance is still d."),
    ),
    moments=moments,
    draw=draw,
    reads=("shape",),
)
