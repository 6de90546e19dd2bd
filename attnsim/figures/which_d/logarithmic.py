"""Logarithmic axes with ticks at powers of ten, few enough to be read."""

import math

import numpy as np
from numpy.typing import NDArray

from attnsim.figures.marks import Axis

MOST_TICKS = 5
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def log_axis(label: str, values: NDArray[np.float64], room: tuple[float, float] = (0.7, 1.5)) -> Axis:
    """Return an axis around positive values.

    Parameters
    ----------
    label : str
    values : float64 array
        Those that are not positive and finite are left out.
    room : (float, float)
        Factors by which the ends lie beyond the least and the largest value, in decades where these span more than one.
    """
    shown = values[np.isfinite(values) & (values > 0.0)]
    low, high = (float(shown.min()), float(shown.max())) if shown.size else (1.0, 1.0)
    decades = max(1.0, math.log10(high / low))
    low, high = low * room[0] ** decades, high * room[1] ** decades
    return Axis(label, low, high, log=True, ticks=powers_of_ten(low, high))


def powers_of_ten(low: float, high: float) -> tuple[tuple[float, str], ...]:
    """Return ticks at powers of ten within a range, at 1, 2, 5 as well where there would be fewer than two."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    every = max(1, -(-(last - first + 1) // MOST_TICKS))
    found = [10.0**power for power in range(first, last + 1) if power % every == 0]
    if len(found) < 2:
        found = [m * 10.0**p for p in range(first - 1, last + 1) for m in (1.0, 2.0, 5.0) if low <= m * 10.0**p <= high]
    return tuple((value, written(value)) for value in found)


def written(value: float) -> str:
    """Write a round number, as a power of ten where it is far from 1."""
    if 1e-3 <= value < 1e5:
        return f"{value:,.10g}"
    power = math.floor(math.log10(value) + 1e-9)
    lead = round(value / 10.0**power)
    return ("" if lead == 1 else f"{lead}·") + "10" + str(power).translate(_RAISED)
