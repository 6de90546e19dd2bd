"""Marks drawn with matplotlib: one function a kind."""

from collections.abc import Callable
from typing import Any

import numpy as np

from attnsim.figures.heat_picture import heat_picture
from attnsim.figures.marks import Axis, Band, Bars, Cursor, Dots, Heat, Line, Mark, Paths, Rug, Text, Whiskers
from attnsim.figures.palette import color, text_color

DASHES = (0, (4.0, 2.6))
FINE = 1024  # pixels along a side of a Heat of unequal cells
MOST_BARS = 4000  # drawn one by one
COARSE = 256  # viewers blur pictures of fewer pixels


def draw_mark(axes: Any, mark: Mark, theme: str) -> None:
    """Draw one mark into matplotlib axes whose ranges are set."""
    _DRAW[type(mark)](axes, mark, theme)


def _line(axes: Any, mark: Line, theme: str) -> None:
    axes.plot(
        mark.x,
        mark.y,
        color=color(mark.role, theme),
        linewidth=0.72 * mark.width,
        linestyle=DASHES if mark.dashed else "-",
        solid_joinstyle="round",
    )


def _band(axes: Any, mark: Band, theme: str) -> None:
    axes.fill_between(mark.x, mark.low, mark.high, color=color(mark.role, theme), alpha=mark.opacity, linewidth=0.0)


def _bars(axes: Any, mark: Bars, theme: str) -> None:
    """Draw bars; those that touch become one shape, since the seams of many clear ones would show."""
    from matplotlib.collections import PolyCollection

    hue = color(mark.role, theme)
    if mark.centers.size > 1 and np.allclose(np.diff(mark.centers), mark.width, rtol=1e-6):
        edges = np.append(mark.centers - 0.5 * mark.width, mark.centers[-1] + 0.5 * mark.width)
        direction = "horizontal" if mark.across else "vertical"
        axes.stairs(mark.heights, edges, fill=True, orientation=direction, color=hue, alpha=mark.opacity, linewidth=0.0)
        return
    name = "x" if mark.across else "y"
    base = getattr(axes, f"get_{name}lim")()[0] if getattr(axes, f"get_{name}scale")() == "log" else 0.0
    left, right, heights = _fewer(mark)
    low = np.full(heights.size, base)
    sides = (low, heights, left, right) if mark.across else (left, right, low, heights)
    west, east, south, north = sides
    corners: Any = np.stack([np.stack([west, west, east, east], -1), np.stack([south, north, north, south], -1)], -1)
    bars = PolyCollection(corners, closed=True, facecolors=hue, edgecolors="none", alpha=mark.opacity, linewidths=0.0)
    axes.add_collection(bars, autolim=False)


def _fewer(mark: Bars) -> tuple[Any, Any, Any]:
    """Return the sides and heights of bars; of bars finer than a page can show, the highest of each neighbourhood."""
    centers, heights = np.asarray(mark.centers, dtype=np.float64), np.asarray(mark.heights, dtype=np.float64)
    left, right = centers - 0.5 * mark.width, centers + 0.5 * mark.width
    if centers.size <= MOST_BARS:
        return left, right, heights
    starts = np.linspace(0, centers.size, MOST_BARS + 1).astype(np.int64)[:-1]
    ends = np.append(starts[1:], centers.size) - 1
    return left[starts], right[ends], np.fmax.reduceat(heights, starts)


def _dots(axes: Any, mark: Dots, theme: str) -> None:
    hue = color(mark.role, theme)
    axes.plot(
        mark.x,
        mark.y,
        "o",
        markersize=0.62 * mark.size,
        clip_on=False,
        zorder=4.0,
        markeredgewidth=0.5,
        markerfacecolor="none" if mark.hollow else hue,
        markeredgecolor=hue if mark.hollow else color("card", theme),
    )


def _whiskers(axes: Any, mark: Whiskers, theme: str) -> None:
    low, high = np.asarray(mark.low, dtype=np.float64), np.asarray(mark.high, dtype=np.float64)
    if axes.get_yscale() == "log":
        low = np.maximum(low, axes.get_ylim()[0])
    good = np.isfinite(mark.x) & np.isfinite(low) & np.isfinite(high) & (low <= high)
    axes.vlines(
        np.asarray(mark.x)[good],
        low[good],
        high[good],
        color=color(mark.role, theme),
        linewidth=0.72 * mark.width,
        capstyle="butt",
    )


def _heat(axes: Any, mark: Heat, theme: str) -> None:
    """Draw a matrix as a picture: paths would make a vector file of 256 x 256 cells some 10 MB large."""
    from matplotlib.image import AxesImage

    pixels, rectangle = heat_picture(mark, _axis(axes, "x"), _axis(axes, "y"), theme, FINE)
    for side in (0, 1):
        pixels = np.repeat(pixels, -(-COARSE // pixels.shape[side]), axis=side)
    image = AxesImage(
        axes, interpolation="none", origin="lower", extent=rectangle, transform=axes.transAxes, zorder=1.0
    )
    image.set_data(pixels)
    image.set_clip_path(axes.patch)
    axes.add_image(image)


def _axis(axes: Any, name: str) -> Axis:
    low, high = getattr(axes, f"get_{name}lim")()
    return Axis(low=low, high=high, log=getattr(axes, f"get_{name}scale")() == "log")


def _paths(axes: Any, mark: Paths, theme: str) -> None:
    from matplotlib.collections import LineCollection

    x = np.asarray(mark.x[: mark.shown], dtype=np.float64)
    curves = np.asarray(mark.ys[: mark.shown], dtype=np.float64).T
    lines = np.stack([np.broadcast_to(x, curves.shape), curves], axis=-1)
    axes.add_collection(
        LineCollection(list(lines), colors=color(mark.role, theme), alpha=mark.opacity, linewidths=0.4), autolim=False
    )


def _rug(axes: Any, mark: Rug, theme: str) -> None:
    axes.vlines(
        mark.values,
        0.0,
        mark.height,
        transform=axes.get_xaxis_transform(),
        color=color(mark.role, theme),
        alpha=mark.opacity,
        linewidth=0.45,
    )


def _cursor(axes: Any, mark: Cursor, theme: str) -> None:
    look = {"color": color(mark.role, theme), "linewidth": 0.7, "linestyle": DASHES if mark.dashed else "-"}
    if mark.across:
        axes.axhline(mark.at, **look)
    else:
        axes.axvline(mark.at, **look)


def _text(axes: Any, mark: Text, theme: str) -> None:
    left, above = mark.anchor
    axes.text(
        mark.x,
        mark.y,
        mark.text,
        color=text_color(mark.role, theme),
        fontsize=5.8,
        fontweight="bold" if mark.bold else "normal",
        ha="left" if left < 0.25 else "right" if left > 0.75 else "center",
        va="top" if above < 0.25 else "bottom" if above > 0.75 else "center",
        bbox={"facecolor": color("card", theme), "alpha": 0.72, "edgecolor": "none", "pad": 0.6},
        zorder=5.0,
        parse_math=False,
    )


_DRAW: dict[type, Callable[[Any, Any, str], None]] = {
    Line: _line,
    Band: _band,
    Bars: _bars,
    Dots: _dots,
    Whiskers: _whiskers,
    Heat: _heat,
    Paths: _paths,
    Rug: _rug,
    Cursor: _cursor,
    Text: _text,
}
