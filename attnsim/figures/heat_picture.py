"""A Heat as a picture of equal cells: the window and the files show the same pixels."""

import numpy as np
from numpy.typing import NDArray

from attnsim.figures.marks import Axis, Floats, Heat
from attnsim.figures.palette import SCALE_STEPS, scale_table

EVEN = 1e-6  # share of a cell by which cells may differ and still count as equal


def heat_picture(
    heat: Heat, x: Axis, y: Axis, theme: str, most: int = 512
) -> tuple[NDArray[np.uint8], tuple[float, float, float, float]]:
    """Return the pixels of a Heat and the rectangle they fill.

    Parameters
    ----------
    heat : Heat
    x, y : Axis
        On a logarithmic axis the picture is even in the logarithm.
    theme : {"light", "dark", "print"}
    most : int
        Pixels along a side whose cells are unequal; equal cells are a pixel each.

    Returns
    -------
    pixels : uint8 array, shape (rows, columns, 4)
        Red, green, blue, opacity; the first row lies at the low end of y; nan is clear.
    rectangle : (left, right, low, high)
        Shares of the axes, 0..1 inside.

    Raises
    ------
    ValueError
        If the edges do not fit the values.
    """
    values = np.asarray(heat.values, dtype=np.float64)
    if values.ndim != 2 or (np.size(heat.y), np.size(heat.x)) != (values.shape[0] + 1, values.shape[1] + 1):
        raise ValueError(
            f"x and y of a Heat need one edge more than values of shape {values.shape} has columns and rows, "
            f"not {np.size(heat.x)} and {np.size(heat.y)}"
        )
    across, up = shares(x, heat.x), shares(y, heat.y)
    colors = _colors(heat, values, theme)
    pixels = colors[_cells(up, most)[:, np.newaxis], _cells(across, most)]
    return pixels, (float(across[0]), float(across[-1]), float(up[0]), float(up[-1]))


def shares(axis: Axis, values: Floats) -> NDArray[np.float64]:
    """Return where values stand on an axis: 0 at its low end, 1 at its high one."""
    low, high, at = axis.low, axis.high, np.asarray(values, dtype=np.float64)
    if axis.log:
        # a first edge at 0 or below has no place on a logarithmic axis: its cell begins at the axis
        low, high, at = np.log10(low), np.log10(high), np.log10(np.where(at > 0.0, at, axis.low))
    return np.asarray((at - low) / (high - low if high > low else 1.0))


def heat_share(heat: Heat, values: Floats) -> NDArray[np.float64]:
    """Return which share, 0..1, of its scale each value has; 0 is the middle of a diverging scale."""
    clipped = np.clip(np.asarray(values, dtype=np.float64), heat.low, heat.high)
    if heat.scale == "diverging":
        reach = max(abs(heat.low), abs(heat.high))
        return np.asarray(0.5 + 0.5 * clipped / (reach if reach > 0.0 else 1.0))
    return np.asarray((clipped - heat.low) / (heat.high - heat.low if heat.high > heat.low else 1.0))


def _colors(heat: Heat, values: NDArray[np.float64], theme: str) -> NDArray[np.uint8]:
    steps = heat_share(heat, values) * (SCALE_STEPS - 1)
    empty = np.isnan(steps)
    colors = scale_table(heat.scale, theme)[np.rint(np.where(empty, 0.0, steps)).astype(np.intp)]
    colors[empty] = 0
    return colors


def _cells(edges: NDArray[np.float64], most: int) -> NDArray[np.intp]:
    """Return the cell of each pixel along one side."""
    sizes = np.diff(edges)
    count, even = sizes.size, (edges[-1] - edges[0]) / sizes.size
    if count == 1 or np.all(np.abs(sizes - even) <= EVEN * even * count):
        return np.arange(count)
    centers = edges[0] + (np.arange(most) + 0.5) * (edges[-1] - edges[0]) / most
    return np.asarray(np.clip(np.searchsorted(edges, centers, side="right") - 1, 0, count - 1))
