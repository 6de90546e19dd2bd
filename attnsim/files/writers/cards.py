"""The read-outs under the figures: number, theory, deviation and a gauge."""

from collections.abc import Sequence
from typing import Any

from attnsim.figures.palette import color
from attnsim.figures.readouts import Readout
from attnsim.files.writers.page import Page
from attnsim.words import _, mark

CARD_HEIGHT = 12.5  # mm
NAME_HEIGHT = 2.3
_GROUPS = {"row": mark("This row"), "ensemble": mark("All draws"), "weights": mark("This row's weights")}
_TONES = {"good": "good", "plain": "muted", "warn": "warn", "saturated": "warn"}

Row = list[Readout]


def heights(rows: list[Row]) -> list[float]:
    """Return the height of each row, in mm: one that goes on with the group before has no line for its name."""
    return [CARD_HEIGHT - (0.0 if _named(rows, i) else NAME_HEIGHT) for i in range(len(rows))]


def _named(rows: list[Row], i: int) -> bool:
    return i == 0 or len({card.group for card in rows[i]}) > 1 or rows[i - 1][-1].group != rows[i][0].group


def card_rows(readouts: Sequence[Readout], columns: int) -> list[Row]:
    """Return the cards row by row; what softmax says starts a row of its own."""
    numbers = [card for card in readouts if card.group != "weights"]
    shares = [card for card in readouts if card.group == "weights"]
    half = len(shares) // 2
    parts = [shares] if len(shares) <= columns else [shares[:half], shares[half:]]
    return [part[i : i + columns] for part in (numbers, *parts) for i in range(0, len(part), columns)]


def draw_cards(page: Page, rows: list[Row], left: float, top: float, width: float, columns: int) -> None:
    """Draw rows of cards from a place of the page on, in mm."""
    wide = width / columns
    y = top
    for i, (row, height) in enumerate(zip(rows, heights(rows), strict=True)):
        _rule(page, left, y, width)
        named = _named(rows, i)
        before = rows[i - 1][-1].group if i else ""
        for j, card in enumerate(row):
            if card.group != before and named:
                page.words(
                    left + j * wide,
                    y + 0.5,
                    _(_GROUPS[card.group]) if card.group in _GROUPS else card.group,
                    size=5.0,
                    role="muted",
                    bold=True,
                    most=wide,
                )
            before = card.group
            _card(page, card, left + j * wide, y + (3.0 if named else 3.0 - NAME_HEIGHT), wide - 2.5)
        y += height


def _rule(page: Page, left: float, y: float, width: float) -> None:
    _stroke(page, left, left + width, y, color("border", page.theme), 0.5)


def _card(page: Page, card: Readout, x: float, y: float, width: float) -> None:
    page.words(x, y, card.title, size=5.2, role="muted", most=width)
    end = page.words(x, y + 2.7, card.value_text, size=8.5, bold=True, most=0.62 * width)
    if card.deviation_text:
        role = _TONES[card.tone]
        page.words(
            x + width,
            y + 3.0,
            card.deviation_text,
            size=5.2,
            role=role,
            bold=True,
            right=True,
            most=x + width - end - 0.8,
        )
    gauge = 0.3 * width if card.low is not None else 0.0
    page.words(x, y + 6.1, card.theory_text, size=5.2, role="muted", most=width - gauge - 0.6)
    if card.low is not None:
        _gauge(page, card, x + width - gauge, x + width, y + 7.2)


def _gauge(page: Page, card: Readout, left: float, right: float, y: float) -> None:
    """Draw the 95 % interval as a band, the value as a dot and theory as a tick.

    The gauge is four half-widths of the interval long and has theory in its middle; a value beyond stands at its end.
    """
    if card.low is None or card.high is None or card.theory is None or not card.high > card.low:
        return
    reach = 2.0 * (card.high - card.low)
    middle, unit = 0.5 * (left + right), 0.5 * (right - left) / reach

    def place(value: float) -> float:
        assert card.theory is not None
        return min(right, max(left, middle + (value - card.theory) * unit))

    hue = color(_TONES[card.tone], page.theme)
    _stroke(page, left, right, y, color("border", page.theme), 1.0)
    _stroke(page, place(card.low), place(card.high), y, hue, 3.0, alpha=0.3)
    _line(page, [middle, middle], [y - 1.0, y + 1.0], color("ink", page.theme), 0.7)
    _line(page, [place(card.value)], [y], hue, 0.0, marker="o", markersize=2.6)


def _stroke(page: Page, left: float, right: float, y: float, hue: str, width: float, **look: Any) -> None:
    _line(page, [left, right], [y, y], hue, width, solid_capstyle="butt", **look)


def _line(page: Page, xs: list[float], ys: list[float], hue: str, width: float, **look: Any) -> None:
    from matplotlib.lines import Line2D

    across, down = [x / page.width for x in xs], [1.0 - y / page.height for y in ys]
    page.drawing.add_artist(
        Line2D(across, down, color=hue, linewidth=width, transform=page.drawing.transFigure, **look)
    )
