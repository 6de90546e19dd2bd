"""Student's t: heavy tails, down to laws without a variance."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.laws import factor_model
from attnsim.choices.laws.law import Draws, Floats, Law, Request
from attnsim.words import mark


def moments(given: Any) -> Floats:
    """Return E t^j, j = 0..8; inf for even moments that do not exist, nan for odd ones.

    E t^2m = nu^m prod_{i=1..m} (2i - 1)/(nu - 2i), scaled to unit variance where nu > 2.
    """
    nu = given.nu
    scale = (nu - 2.0) / nu if nu > 2.0 else 1.0
    values = [1.0]
    for j in range(1, 9):
        if j >= nu:
            values.append(math.inf if j % 2 == 0 else math.nan)
        elif j % 2:
            values.append(0.0)
        else:
            values.append(math.prod(scale * nu * (2 * i - 1) / (nu - 2 * i) for i in range(1, j // 2 + 1)))
    return np.array(values)


def tail(given: Any) -> float:
    """Return nu: moments of that order and beyond do not exist."""
    return float(given.nu)


def draw(request: Request) -> Draws:
    """Draw rows component by component."""
    from attnsim.kernels.variates import student_variates

    def fill(key: NDArray[np.uint64], rows: int, keys: int, dim: int, first_row: int, first_key: int) -> Floats:
        return student_variates(key, rows, keys, dim, request.nu, first_row, first_key)

    return factor_model.draw(request, fill, moments(request))


LAW = Law(
    key="student_t",
    title=mark("Student t"),
    formula=r"q_i, k_i \sim \mu + \sigma\, t_\nu \sqrt{(\nu - 2)/\nu}",
    source="Student, Biometrika 6, 1908; scaled to unit variance where nu > 2",
    sentences=(
        mark("Each component follows Student's t with nu degrees of freedom."),
        mark("For nu of 2 or less there is no variance, and dividing by the root of d cannot tame the scores."),
    ),
    moments=moments,
    draw=draw,
    reads=("nu",),
    tail=tail,
)
