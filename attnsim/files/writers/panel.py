"""One figure on a page: its title, its plots and their marks."""

from typing import Any

from attnsim.figures.marks import Axis, Figure, Plot
from attnsim.figures.palette import color, text_color
from attnsim.files.writers.color_bar import bar_room, draw_bar, heat_of
from attnsim.files.writers.marks import draw_mark
from attnsim.files.writers.page import Page
from attnsim.files.writers.reading import Reading

TITLES, BOTTOM, TICKS = 9.5, 7.0, 2.6  # mm: title lines above, ticks and label below, ticks between plots
MOST_READING = 0.55  # share of a panel that table and text may take from its plots
UNDER = 1.5  # mm between plots and what is read under them
INSET = 1.5  # mm between a card's edge and its content
LETTER = 1.28  # mm, generous width of a digit of the tick labels


def draw_panel(page: Page, figure: Figure, left: float, top: float, width: float, height: float) -> None:
    """Draw a figure into a rectangle of the page, in mm."""
    if color("page", page.theme) != color("card", page.theme):
        _card(page, left, top, width, height)
    inset = INSET if color("page", page.theme) != color("card", page.theme) else 0.0
    left, width = left + inset, width - 2 * inset
    end = page.words(left, top + 1.2, figure.title, size=7.5, bold=True, most=0.62 * width)
    page.words(left + width, top + 1.3, figure.note, size=5.5, role="muted", right=True, most=left + width - end - 1.5)
    page.words(left, top + 4.6, figure.subtitle, size=5.8, role="muted", most=width)
    y, free = top + TITLES, height - TITLES
    if figure.table is not None or figure.page:
        reading = Reading(page, figure.table, figure.page)
        room = min(reading.height(width), MOST_READING * free) if figure.plots else free - 1.0
        reading.draw(left, y + free - room, width, room)
        free -= room + UNDER
    if figure.plots:
        _plots(page, figure.plots, left, y, width, free)


def _plots(page: Page, plots: tuple[Plot, ...], left: float, top: float, width: float, height: float) -> None:
    stacks = _stacks(plots)
    margin = max(_label_room(stack[0].y) for stack in stacks)
    right = max(bar_room(page, stack[-1]) for stack in stacks)  # so that plots above each other line up
    inside, y = width - margin - 0.8 - right, top
    free = height - BOTTOM - sum(_between(stack[0]) for stack in stacks[:-1])
    total = sum(stack[0].weight for stack in stacks)
    for stack in stacks:
        tall = free * stack[0].weight / total
        _stack(page, stack, left + margin, y, inside, tall)
        if stack[0].y.label:
            page.words(
                left + 1.0, y + 0.5 * tall - 2.0, stack[0].y.label, size=6.0, role="muted", turned=True, most=tall + 3.0
            )
        y += tall + _between(stack[0])


def _card(page: Page, left: float, top: float, width: float, height: float) -> None:
    from matplotlib.patches import Rectangle

    x, y, wide, tall = page.box(left, top - 1.0, width, height + 1.5)
    page.drawing.add_artist(
        Rectangle(
            (x, y),
            wide,
            tall,
            transform=page.drawing.transFigure,
            facecolor=color("card", page.theme),
            edgecolor=color("border", page.theme),
            linewidth=0.5,
            zorder=-5,
        )
    )


def _stacks(plots: tuple[Plot, ...]) -> list[list[Plot]]:
    """Return the plots from top to bottom, each with those beside it."""
    stacks: list[list[Plot]] = []
    for plot in plots:
        if plot.beside and stacks:
            stacks[-1].append(plot)
        else:
            stacks.append([plot])
    return stacks


def _between(plot: Plot) -> float:
    return 2.0 + (TICKS if plot.x.ticks != () else 0.0) + (2.6 if plot.x.label else 0.0)


def _label_room(axis: Axis) -> float:
    longest = max((len(text) for _at, text in axis.ticks or ()), default=4 if axis.ticks is None else 0)
    return 1.6 + LETTER * longest + (3.0 if axis.label else 0.0)


def _stack(page: Page, plots: list[Plot], left: float, top: float, width: float, height: float) -> None:
    gap = 0.8
    bars = [bar_room(page, plot) for plot in plots[:-1]] + [0.0]  # the last one's stands in the margin
    total = sum(plot.weight for plot in plots)
    free = width - gap * (len(plots) - 1) - sum(bars)
    for plot, bar in zip(plots, bars, strict=True):
        wide = free * plot.weight / total
        _plot(page, plot, left, top, wide, height)
        left += wide + gap + bar


def _plot(page: Page, plot: Plot, left: float, top: float, width: float, height: float) -> None:
    axes = page.axes(left, top, width, height)
    if page.scales.get(axes) != (plot.x, plot.y):
        _prepare(page, axes, plot)
        page.scales[axes] = plot.x, plot.y
    for mark in plot.marks:
        draw_mark(axes, mark, page.theme)
    if plot.x.label:
        below = 2.6 if plot.x.ticks != () else 0.3
        page.words(
            left + 0.5 * width - 0.55 * len(plot.x.label), top + height + below, plot.x.label, size=6.0, role="muted"
        )
    _heading(page, plot, left, top, width)
    heat = heat_of(plot)
    if heat is not None:
        draw_bar(page, heat, left + width, top, height)


def _prepare(page: Page, axes: Any, plot: Plot) -> None:
    """Give axes their ranges, ticks, spines and grid."""
    _axis(page, axes.xaxis, axes.set_xscale, axes.set_xlim, plot.x)
    _axis(page, axes.yaxis, axes.set_yscale, axes.set_ylim, plot.y)
    for name, spine in axes.spines.items():
        spine.set_visible(name == "left" or (name == "bottom" and not plot.beside))
        spine.set_color(color("border", page.theme))
        spine.set_linewidth(0.6)
    if not plot.beside:
        axes.grid(axis="y", color=color("grid", page.theme), linewidth=0.5)
        axes.set_axisbelow(True)


def _axis(page: Page, axis: Any, set_scale: Any, set_limits: Any, wanted: Axis) -> None:
    from matplotlib.ticker import NullLocator

    if wanted.log:
        set_scale("log")
    set_limits(wanted.low, wanted.high)
    axis.set_minor_locator(NullLocator())
    if wanted.ticks is not None:
        axis.set_ticks([at for at, _text in wanted.ticks], [text for _at, text in wanted.ticks])
    muted = text_color("muted", page.theme)
    axis.set_tick_params(length=0.0, pad=2.0, labelsize=5.8, labelcolor=muted)


def _heading(page: Page, plot: Plot, left: float, top: float, width: float) -> None:
    """Write the heading's runs one behind the other in the plot's corner."""
    runs = list(plot.heading)
    if not runs:
        return
    gap, card = 1.4, color("card", page.theme)
    spaces = gap * (len(runs) - 1) + 1.0
    size = next(
        (s for s in (6.2, 5.8, 5.4, 5.0) if page.lengths(runs, s) + spaces <= width), 4.6
    )  # one size for all runs, so that they read as one line
    x = left + width - page.lengths(runs, size) - spaces + 1.0 if plot.heading_side == "right" else left + 1.2
    for i, (text, role) in enumerate(runs):
        x = (
            page.words(x, top + 0.2, text, size=size, role=role, bold=i == 0, most=left + width + 0.5 - x, backed=card)
            + gap
        )
