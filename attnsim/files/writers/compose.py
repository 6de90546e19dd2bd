"""What stands on a page: a sentence, the figures side by side, the read-outs and a line on where it comes from."""

from collections.abc import Sequence
from typing import Any

from attnsim.figures.marks import Figure
from attnsim.figures.readouts import Readout
from attnsim.files.writers.cards import card_rows, draw_cards, heights
from attnsim.files.writers.page import EDGE, Page
from attnsim.files.writers.panel import draw_panel

GAP = 4.5  # mm
BETWEEN = 5.0  # mm between rows of figures
FOOTER = 4.0
WIDTH_SHARES = {"walk": 1.34}  # of a figure; the others take 1


def compose(page: Page, figures: Sequence[Figure], readouts: Sequence[Readout]) -> Any:
    """Fill a page and return the matplotlib Figure that holds it."""
    columns = max(2, min(6, int((page.width - 2 * EDGE) // 27.0)))
    cards = card_rows(readouts, columns)
    rows, top = figure_rows(figures), EDGE + page.header_height
    tall = _tall(page, rows)
    under = top + tall * len(rows) + BETWEEN * (len(rows) - 1)
    page.unroll(under + sum(heights(cards)) + (3.0 if cards else 0.0) + (FOOTER if page.footer else 0.0) + 2.5)
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


def figure_rows(figures: Sequence[Figure]) -> list[list[Figure]]:
    """Return which figures stand beside each other: up to three in one row, four in two rows of two, else threes."""
    columns = 2 if len(figures) == 4 else 3
    return [list(figures[i : i + columns]) for i in range(0, len(figures), columns)]


def _tall(page: Page, rows: list[list[Figure]]) -> float:
    """Return the height of a row of figures, in mm."""
    if len(rows) == 1:
        return 0.8 * page.width if len(rows[0]) == 1 else max(58.0, min(0.5 * page.width, 96.0))
    return max(56.0, min(0.72 * page.width / len(rows[0]), 96.0))


def _widths(page: Page, figures: Sequence[Figure]) -> list[float]:
    shares = [WIDTH_SHARES.get(figure.key, 1.0) for figure in figures]
    free = page.width - 2 * EDGE - GAP * (len(figures) - 1)
    return [free * share / sum(shares) for share in shares]
