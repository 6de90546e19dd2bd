"""The paper of a page: its size, the words on it, and where things stand.

Places are millimetres from the upper left corner, so that a page looks alike at every width.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from attnsim.figures.palette import color, text_color

INCH = 25.4  # millimetres
EDGE = 5.0
HEADER = 6.0
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
    """One page to write and draw on.

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

    def unroll(self, height: float) -> None:
        """Make the page, blank, `height` mm high."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure as Drawing

        self.height = height
        size = (self.width / INCH, height / INCH)
        self.drawing = Drawing(figsize=size, facecolor=color("page", self.theme), dpi=300)
        self._renderer = FigureCanvasAgg(self.drawing).get_renderer()

    @property
    def header_height(self) -> float:
        """Room for the sentence on top, in mm."""
        if not self.title:
            return 0.0
        return HEADER if self._one_line() else HEADER + 4.5

    def _one_line(self) -> bool:
        # 1.95 and 1.6 mm are generous widths of a letter of 9.5 and 8 points
        return len(self.title) * 2.05 + len(self.detail) * 1.65 < self.width - 2 * EDGE

    def write_header(self) -> None:
        """Write the sentence on top."""
        if not self.title:
            return
        most = self.width - 2 * EDGE
        end = self.words(EDGE, EDGE - 1.0, self.title, size=9.5, role="ink", bold=True, most=most)
        if self._one_line():
            self.words(end + 3.0, EDGE - 1.0, self.detail, size=8.0, role="muted", most=self.width - EDGE - end - 3.0)
        else:
            self.words(EDGE, EDGE + 3.7, self.detail, size=7.5, role="muted", most=most)

    def write_footer(self) -> None:
        """Write where the page comes from."""
        if self.footer:
            self.words(EDGE, self.height - 3.4, self.footer, size=5.0, role="muted", most=self.width - 2 * EDGE)

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
        """Return how long words are along their line, in mm."""
        extent = artist.get_window_extent(self._renderer)
        return float((extent.height if artist.get_rotation() else extent.width) / self.drawing.dpi * INCH)

    def width_of(self, text: str, size: float, bold: bool = False) -> float:
        """Return the width that words will have, in mm, without writing them."""
        from matplotlib.font_manager import FontProperties

        face = FontProperties(size=10.0, weight="bold" if bold else "normal")  # unhinted widths grow with the size
        width = self._renderer.get_text_width_height_descent(text, face, ismath=False)[0]
        return float(width / self.drawing.dpi * INCH * size / 10.0)

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
