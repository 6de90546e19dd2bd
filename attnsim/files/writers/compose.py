"""What stands on a page: a sentence, the figures side by side, the read-outs and a line on where it comes from."""

from collections.abc import Sequence
from typing import Any

from attnsim.figures.marks import Figure
from attnsim.figures.readouts import Readout
from attnsim.files.writers.cards import card_rows, draw_cards, heights
from attnsim.files.writers.page import EDGE, Page
from attnsim.files.writers.panel import draw_panel

GAP = 4.5  # mm
FOOTER = 4.0
WIDTH_SHARES = {"walk": 1.34}  # of a figure; the others take 1


def compose(page: Page, figures: Sequence[Figure], readouts: Sequence[Readout]) -> Any:
    """Fill a page and return the matplotlib Figure that holds it."""
    columns = max(2, min(6, int((page.width - 2 * EDGE) // 27.0)))
    rows = card_rows(readouts, columns)
    top = EDGE + page.header_height
    tall = max(58.0, min(0.5 * page.width, 96.0)) if len(figures) > 1 else 0.8 * page.width
    cards = sum(heights(rows)) + (3.0 if rows else 0.0)
    page.unroll(top + tall + cards + (FOOTER if page.footer else 0.0) + 2.5)
    page.write_header()
    left = EDGE
    for figure, width in zip(figures, _widths(page, figures), strict=True):
        draw_panel(page, figure, left, top, width, tall)
        left += width + GAP
    draw_cards(page, rows, EDGE, top + tall + 3.0, page.width - 2 * EDGE, columns)
    page.write_footer()
    return page.drawing


def _widths(page: Page, figures: Sequence[Figure]) -> list[float]:
    shares = [WIDTH_SHARES.get(figure.key, 1.0) for figure in figures]
    free = page.width - 2 * EDGE - GAP * (len(figures) - 1)
    return [free * share / sum(shares) for share in shares]
