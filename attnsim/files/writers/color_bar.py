"""The colours of a Heat beside its plot: ticks, and what the values are."""

from typing import Any

import numpy as np

from attnsim.figures.heat_picture import heat_share
from attnsim.figures.marks import Heat, Plot
from attnsim.figures.numbers import ticks
from attnsim.figures.palette import color, scale_table
from attnsim.files.writers.page import Page

GAP, BAR, AFTER, TITLE = 1.6, 2.0, 0.9, 3.0  # mm: before the bar, its width, before the ticks, for the title
SIZE = 5.6  # points
FINENESS = 256


def heat_of(plot: Plot) -> Heat | None:
    """Return the first Heat of a plot that wants a bar."""
    return next((mark for mark in plot.marks if isinstance(mark, Heat) and mark.bar), None)


def bar_room(page: Page, plot: Plot) -> float:
    """Return the width a plot's bar takes, in mm; 0 without one."""
    heat = heat_of(plot)
    if heat is None:
        return 0.0
    words = max((page.width_of(text, SIZE) for _at, text in ticks(heat.low, heat.high, 4)), default=0.0)
    return GAP + BAR + AFTER + words + (TITLE if heat.title else 0.0)


def draw_bar(page: Page, heat: Heat, left: float, top: float, height: float) -> None:
    """Draw the bar from a place on, in mm; as high as its plot."""
    axes = page.axes(left + GAP, top, BAR, height)
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(heat.low, heat.high if heat.high > heat.low else heat.low + 1.0)
    axes.xaxis.set_visible(False)
    axes.yaxis.set_visible(False)
    for spine in axes.spines.values():
        spine.set_color(color("border", page.theme))
        spine.set_linewidth(0.5)
    _fill(axes, heat, page.theme)
    widest = 0.0
    for at, text in ticks(heat.low, heat.high, 4):
        y = top + height * (1.0 - (at - heat.low) / (heat.high - heat.low))
        x = left + GAP + BAR + AFTER
        widest = max(widest, page.words(x, y - 1.25, text, size=SIZE, role="muted") - x)
    if heat.title:
        x = left + GAP + BAR + AFTER + widest + 0.55 * TITLE
        page.words(x, top + 0.5 * height - 2.0, heat.title, size=SIZE, role="muted", turned=True, most=height)


def _fill(axes: Any, heat: Heat, theme: str) -> None:
    from matplotlib.image import AxesImage

    values = heat.low + (np.arange(FINENESS) + 0.5) / FINENESS * (heat.high - heat.low)
    colors = scale_table(heat.scale, theme)
    pixels = colors[np.rint(heat_share(heat, values) * (len(colors) - 1)).astype(np.intp)][:, np.newaxis]
    image = AxesImage(axes, interpolation="none", origin="lower", extent=(0, 1, 0, 1), transform=axes.transAxes)
    image.set_data(np.repeat(pixels, 8, axis=1))
    image.set_clip_path(axes.patch)
    axes.add_image(image)
