"""What stands on a page: a sentence, the figures side by side, the read-outs and a line on where it comes from."""

from collections.abc import Sequence
from typing import Any

from attnsim.figures.marks import Figure
from attnsim.figures.readouts import Readout
from attnsim.files.writers.cards import Row, card_rows, draw_cards, heights
from attnsim.files.writers.page import EDGE, Page
from attnsim.files.writers.panel import draw_panel
from attnsim.words import _

GAP = 4.5  # mm
BETWEEN = 5.0  # mm between rows of figures
FOOTER = 4.0
WIDE, NARROW = 180.0, 55.0  # mm: a usual page, and the least of it that a figure takes
MOST_SHARE = 0.55  # of a page of fixed height that figures take before cards may
LEAST = 30.0  # mm, height of a row of figures
WIDTH_SHARES = {"walk": 1.34}  # of a figure; the others take 1


def compose(page: Page, figures: Sequence[Figure], readouts: Sequence[Readout]) -> Any:
    """Fill a page and return the matplotlib Figure that holds it.

    Raises
    ------
    ValueError
        If the page is not high enough for its figures.
    """
    columns = max(2, min(6, int((page.width - 2 * EDGE) // 27.0)))
    cards = card_rows(readouts, columns)
    rows, top = figure_rows(figures, page.width), EDGE + page.header_height
    tall, cards = _room(page, rows, cards, top)
    under = top + tall * len(rows) + BETWEEN * (len(rows) - 1)
    page.unroll(under + _foot(page, cards))
    page.write_header()
    for row in rows:
        left = EDGE
        for figure, width in zip(row, _widths(page, row), strict=True):
            draw_panel(page, figure, left, top, width, tall)
            left += width + GAP
        top += tall + BETWEEN
    draw_cards(page, cards, EDGE, under + 3.0, page.width - 2 * EDGE, columns)
    page.write_footer()
    return page.drawing


def figure_rows(figures: Sequence[Figure], width: float = WIDE) -> list[list[Figure]]:
    """Return which figures stand beside each other.

    On a wide page up to three in one row, four in two rows of two, else threes; on a narrow one, in mm, fewer.
    """
    columns = min(2 if len(figures) == 4 else 3, max(1, int(width / NARROW)))
    return [list(figures[i : i + columns]) for i in range(0, len(figures), columns)]


def _foot(page: Page, cards: list[Row]) -> float:
    return sum(heights(cards)) + (3.0 if cards else 0.0) + (FOOTER if page.footer else 0.0) + 2.5


def _room(page: Page, rows: list[list[Figure]], cards: list[Row], top: float) -> tuple[float, list[Row]]:
    """Return the height of a row of figures, and the rows of cards that a page of fixed height leaves room for."""
    if page.fixed is None:
        return _tall(page, rows), cards
    while True:
        free = page.fixed - top - _foot(page, cards) - BETWEEN * (len(rows) - 1)
        if not cards or free >= MOST_SHARE * page.fixed:
            break
        cards = cards[:-1]
    if free < LEAST * len(rows):
        raise ValueError(
            _("height_mm must be at least {least:.0f} for {count} figures on a page {width:.0f} mm wide").format(
                least=page.fixed - free + LEAST * len(rows), count=sum(map(len, rows)), width=page.width
            )
        )
    return free / len(rows), cards


def _tall(page: Page, rows: list[list[Figure]]) -> float:
    """Return the height of a row of figures, in mm."""
    if len(rows) == 1:
        return 0.8 * page.width if len(rows[0]) == 1 else max(58.0, min(0.5 * page.width, 96.0))
    return max(56.0, min(0.72 * page.width / len(rows[0]), 96.0))


def _widths(page: Page, figures: Sequence[Figure]) -> list[float]:
    shares = [WIDTH_SHARES.get(figure.key, 1.0) for figure in figures]
    free = page.width - 2 * EDGE - GAP * (len(figures) - 1)
    return [free * share / sum(shares) for share in shares]
