"""One page: a sentence, the figures side by side, the read-outs and a line on where it comes from.

Places are millimetres from the upper left corner, so that a page looks alike at every width.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from attnsim.figures.marks import Figure
from attnsim.figures.palette import color, text_color
from attnsim.figures.readouts import Readout

INCH = 25.4  # millimetres
EDGE, GAP = 5.0, 4.5
HEADER, FOOTER = 6.0, 4.0
WIDTH_SHARES = {"walk": 1.34}  # of a figure; the others take 1
SMALLEST = 4.5  # points


@contextmanager
def settings() -> Iterator[None]:
    """Use matplotlib's own settings, whatever the user's style file says, with stable and embedded output."""
    import matplotlib as mpl

    with warnings.catch_warnings(), mpl.rc_context():
        # a file's title may be in a script that the bundled font lacks: boxes are drawn, a warning helps nobody
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        mpl.rcdefaults()
        mpl.rcParams.update(
            {
                "font.family": ["DejaVu Sans"],
                "font.size": 6.5,
                "text.hinting": "no_hinting",  # words then have one width at every resolution
                "pdf.fonttype": 42,
                "svg.fonttype": "path",
                "svg.hashsalt": "attnsim",
                "axes.unicode_minus": True,
                "path.simplify": True,
            }
        )
        yield


class Page:
    """Lays out and draws one page.

    Parameters
    ----------
    width : float
        In mm.
    theme, title, detail, footer : str
    """

    def __init__(self, width: float, theme: str, title: str, detail: str, footer: str) -> None:
        self.width, self.theme = width, theme
        self.title, self.detail, self.footer = title, detail, footer
        self.height = 0.0
        self.drawing: Any = None
        self._renderer: Any = None

    def draw(self, figures: Sequence[Figure], readouts: Sequence[Readout]) -> Any:
        """Return a matplotlib Figure that holds the page."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure as Drawing

        from attnsim.files.writers.cards import card_rows, draw_cards, heights
        from attnsim.files.writers.panel import draw_panel

        columns = max(2, min(6, int((self.width - 2 * EDGE) // 27.0)))
        rows = card_rows(readouts, columns)
        top = EDGE + (self._header_height() if self.title else 0.0)
        widths = self._panel_widths(figures)
        tall = max(58.0, min(0.5 * self.width, 96.0)) if len(figures) > 1 else 0.8 * self.width
        cards = sum(heights(rows)) + (3.0 if rows else 0.0)
        self.height = top + tall + cards + (FOOTER if self.footer else 0.0) + 2.5
        self.drawing = Drawing(
            figsize=(self.width / INCH, self.height / INCH), facecolor=color("page", self.theme), dpi=300
        )
        self._renderer = FigureCanvasAgg(self.drawing).get_renderer()
        self._header()
        left = EDGE
        for figure, width in zip(figures, widths, strict=True):
            draw_panel(self, figure, left, top, width, tall)
            left += width + GAP
        draw_cards(self, rows, EDGE, top + tall + 3.0, self.width - 2 * EDGE, columns)
        if self.footer:
            self.words(EDGE, self.height - 3.4, self.footer, size=5.0, role="muted", most=self.width - 2 * EDGE)
        return self.drawing

    def _panel_widths(self, figures: Sequence[Figure]) -> list[float]:
        shares = [WIDTH_SHARES.get(figure.key, 1.0) for figure in figures]
        free = self.width - 2 * EDGE - GAP * (len(figures) - 1)
        return [free * share / sum(shares) for share in shares]

    def _header_height(self) -> float:
        return HEADER if self._one_line() else HEADER + 4.5

    def _one_line(self) -> bool:
        # 1.95 and 1.6 mm are generous widths of a letter of 9.5 and 8 points
        return len(self.title) * 2.05 + len(self.detail) * 1.65 < self.width - 2 * EDGE

    def _header(self) -> None:
        if not self.title:
            return
        most = self.width - 2 * EDGE
        end = self.words(EDGE, EDGE - 1.0, self.title, size=9.5, role="ink", bold=True, most=most)
        if self._one_line():
            self.words(end + 3.0, EDGE - 1.0, self.detail, size=8.0, role="muted", most=self.width - EDGE - end - 3.0)
        else:
            self.words(EDGE, EDGE + 3.7, self.detail, size=7.5, role="muted", most=most)

    def box(self, left: float, top: float, width: float, height: float) -> tuple[float, float, float, float]:
        """Return a rectangle in shares of the page, as matplotlib wants it."""
        return left / self.width, 1.0 - (top + height) / self.height, width / self.width, height / self.height

    def words(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float,
        role: str = "ink",
        bold: bool = False,
        most: float | None = None,
        right: bool = False,
        turned: bool = False,
        backed: str | None = None,
    ) -> float:
        """Write words on a baseline and return where they end (or begin, when `right`), in mm.

        With `backed`, a colour, little behind them shows through.
        Words longer than `most` become smaller, and at the smallest size end in an ellipsis.
        """
        artist = self.drawing.text(
            x / self.width,
            1.0 - (y + 0.35 * size * 0.72 + 0.6) / self.height,
            text,
            fontsize=size,
            color=text_color(role, self.theme),
            fontweight="bold" if bold else "normal",
            ha="center" if turned else "right" if right else "left",
            va="center" if turned else "baseline",
            rotation=90.0 if turned else 0.0,
            parse_math=False,
            bbox=None if backed is None else {"facecolor": backed, "edgecolor": "none", "alpha": 0.85, "pad": 0.8},
            zorder=6.0,
        )
        if most is not None:
            self._fit(artist, most)
        length = self.length(artist)
        return float(x - length if right else x + length)

    def length(self, artist: Any) -> float:
        """Return the width of words, in mm."""
        return float(artist.get_window_extent(self._renderer).width / self.drawing.dpi * INCH)

    def lengths(self, runs: Sequence[tuple[str, str]], size: float) -> float:
        """Return the width of runs of words, the first of them bold, in mm, without the gaps."""
        total = 0.0
        for i, (text, _role) in enumerate(runs):
            artist = self.drawing.text(
                0.0, 0.0, text, fontsize=size, fontweight="normal" if i else "bold", parse_math=False
            )
            total += self.length(artist)
            artist.remove()
        return total

    def _fit(self, artist: Any, most: float) -> None:
        while self.length(artist) > most and artist.get_fontsize() > SMALLEST:
            artist.set_fontsize(max(SMALLEST, artist.get_fontsize() - 0.25))
        text = artist.get_text()
        while self.length(artist) > most and len(text) > 1:
            text = text[:-1]
            artist.set_text(text.rstrip() + "…")
