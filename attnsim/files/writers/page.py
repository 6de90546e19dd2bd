"""The paper of a page: its size, the words on it, and where things stand.

Places are millimetres from the upper left corner, so that a page looks alike at every width.
"""

import logging
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from textwrap import wrap
from typing import Any

from attnsim.figures.marks import Axis
from attnsim.figures.palette import color, text_color
from attnsim.files.page_sizes import INCH
from attnsim.words import _

MISSING = r"Glyph (\d+) .*missing from font"  # as matplotlib warns
OTHER_SCRIPTS = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Microsoft YaHei",
    "PingFang SC",
    "Hiragino Sans GB",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "SimHei",
    "Droid Sans Fallback",
)
EDGE = 5.0
HEADER = 6.0
LINE = 4.6  # mm between lines of the sentence on top
MEASURED = 300.0  # dots per inch at which words are measured
SMALLEST = 4.5  # points
EXACT = 1e-6  # mm, so that a whole number of pixels is not cut down to one less
MOST_DOTS = 1e8  # of a picture: 400 MB while it is drawn


@contextmanager
def settings(say: Callable[[str], object] = str) -> Iterator[None]:
    """Use matplotlib's own settings, whatever the user's style file says, with stable and embedded output.

    Letters that no font here has are drawn as boxes; `say` is called with a sentence that names them.
    """
    import matplotlib as mpl

    with warnings.catch_warnings(record=True) as caught, _quiet(), mpl.rc_context():
        warnings.filterwarnings("always", message=MISSING)
        mpl.rcdefaults()
        mpl.rcParams.update(
            {
                "font.family": ["DejaVu Sans", *_other_scripts()],
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
    found = [re.match(MISSING, str(each.message)) for each in caught]
    letters = dict.fromkeys(chr(int(match[1])) for match in found if match)
    if letters:
        say(_("No font here has the letters {letters}: boxes stand for them.").format(letters="".join(letters)))
    for other in caught:
        if not re.match(MISSING, str(other.message)):
            warnings.warn_explicit(other.message, other.category, other.filename, other.lineno)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep matplotlib from logging that a font for other scripts has no bold letters."""
    log = logging.getLogger("matplotlib.font_manager")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(before)


@lru_cache
def _other_scripts() -> tuple[str, ...]:
    """Return a font of this machine that stands in for letters which the first one lacks, such as Chinese."""
    from matplotlib.font_manager import fontManager

    here = {font.name for font in fontManager.ttflist}
    return tuple(name for name in OTHER_SCRIPTS if name in here)[:1]


class Page:
    """One page to write and draw on.

    Parameters
    ----------
    width : float
        In mm.
    theme, title, detail, footer : str
    fixed : float or None
        Its height in mm, where that is not to follow from what stands on it.
    """

    def __init__(
        self, width: float, theme: str, title: str, detail: str, footer: str, fixed: float | None = None
    ) -> None:
        self.width, self.theme, self.fixed = width, theme, fixed
        self.title, self.detail, self.footer = title, detail, footer
        self._lines = self._count_lines()
        self.height = 0.0
        self.drawing: Any = None
        self._renderer: Any = None
        self._axes: dict[tuple[float, float, float, float], Any] = {}
        self._lengths: dict[tuple[str, bool], float] = {}  # of words in mm a point
        self.scales: dict[Any, tuple[Axis, Axis]] = {}  # what each axes show

    def unroll(self, height: float) -> None:
        """Make the page, blank, `height` mm high."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure as Drawing

        if self.drawing is not None:  # the next picture of a film
            return
        self.height = self.fixed or height
        size = ((self.width + EXACT) / INCH, (self.height + EXACT) / INCH)
        self.drawing = Drawing(figsize=size, facecolor=color("page", self.theme), dpi=MEASURED)
        self._renderer = FigureCanvasAgg(self.drawing).get_renderer()

    def wipe(self, title: str, detail: str) -> None:
        """Take everything off the page but its plots' axes, and give it other words."""
        self.title, self.detail = title, detail
        for axes in self.drawing.axes:
            axes.set_visible(False)
            for artist in (*axes.lines, *axes.patches, *axes.collections, *axes.images, *axes.texts):
                artist.remove()
        for artist in (*self.drawing.artists, *self.drawing.lines, *self.drawing.patches, *self.drawing.texts):
            artist.remove()

    def axes(self, left: float, top: float, width: float, height: float) -> Any:
        """Return axes in a rectangle in mm; those that were there before, since making them takes a film's time."""
        box = self.box(left, top, width, height)
        if box not in self._axes:
            self._axes[box] = self.drawing.add_axes(box, facecolor="none")
        self._axes[box].set_visible(True)
        return self._axes[box]

    def check_dots(self, dpi: float, scale: float) -> None:
        """Raise ValueError if a picture of this page would not fit into memory."""
        most = (MOST_DOTS / self.width / self.height) ** 0.5 * INCH / scale
        if dpi > most:
            raise ValueError(
                _("dpi must be at most {most:.0f} on a page of this size, not {value:g}").format(most=most, value=dpi)
            )

    @property
    def header_height(self) -> float:
        """Room for the sentence on top, in mm; that of a film's first picture, so that nothing jumps."""
        return HEADER + LINE * (self._lines - 1) if self._lines else 0.0

    def _count_lines(self) -> int:
        if not self.title:
            return 0
        return 1 if self._one_line() else len(self._header_lines())

    def _one_line(self) -> bool:
        # 1.95 and 1.6 mm are generous widths of a letter of 9.5 and 8 points
        return len(self.title) * 2.05 + len(self.detail) * 1.65 < self.width - 2 * EDGE

    def _header_lines(self) -> list[tuple[str, bool]]:
        """Return the lines of a sentence that needs more than one, and which of them are its title."""
        most = self.width - 2 * EDGE
        titles = wrap(self.title, int(most / 1.75)) if len(self.title) * 1.75 > most else [self.title]
        details = wrap(self.detail, int(most / 1.45)) if len(self.detail) * 1.45 > most else [self.detail]
        return [(line, True) for line in titles] + [(line, False) for line in details]

    def write_header(self) -> None:
        """Write the sentence on top."""
        if not self.title:
            return
        most = self.width - 2 * EDGE
        if self._lines == 1:
            end = self.words(EDGE, EDGE - 1.0, self.title, size=9.5, role="ink", bold=True, most=most)
            self.words(end + 3.0, EDGE - 1.0, self.detail, size=8.0, role="muted", most=self.width - EDGE - end - 3.0)
            return
        for i, (text, bold) in enumerate(self._header_lines()[: self._lines]):
            role, size = ("ink", 9.5) if bold else ("muted", 7.5)
            self.words(EDGE, EDGE - 1.0 + LINE * i, text, size=size, role=role, bold=bold, most=most)

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
        if most is not None:
            text, shown = self._fitted(text, size, bold, most)
        else:
            shown = size
        self.drawing.text(
            x / self.width,
            1.0 - (y + 0.35 * size * 0.72 + 0.6) / self.height,
            text,
            fontsize=shown,
            color=text_color(role, self.theme),
            fontweight="bold" if bold else "normal",
            ha="center" if turned else "right" if right else "left",
            va="center" if turned else "baseline",
            rotation=90.0 if turned else 0.0,
            parse_math=False,
            bbox=None if backed is None else {"facecolor": backed, "edgecolor": "none", "alpha": 0.85, "pad": 0.8},
            zorder=6.0,
        )
        length = self.width_of(text, shown, bold)
        return float(x - length if right else x + length)

    def width_of(self, text: str, size: float, bold: bool = False) -> float:
        """Return the width that words will have, in mm, without writing them."""
        from matplotlib.font_manager import FontProperties

        if (text, bold) not in self._lengths:
            face = FontProperties(size=10.0, weight="bold" if bold else "normal")  # unhinted widths grow with the size
            width = self._renderer.get_text_width_height_descent(text, face, ismath=False)[0]
            self._lengths[text, bold] = float(width / MEASURED * INCH / 10.0)
        return self._lengths[text, bold] * size

    def lengths(self, runs: Sequence[tuple[str, str]], size: float) -> float:
        """Return the width of runs of words, the first of them bold, in mm, without the gaps."""
        return sum(self.width_of(text, size, bold=i == 0) for i, (text, _role) in enumerate(runs))

    def _fitted(self, text: str, size: float, bold: bool, most: float) -> tuple[str, float]:
        """Return words, and the size in which they fit; at the smallest size they are cut."""
        if self.width_of(text, size, bold) <= most:
            return text, size
        size = max(SMALLEST, min(size, int(4.0 * most / self.width_of(text, 1.0, bold)) / 4.0))
        cut = text
        while self.width_of(cut, size, bold) > most and len(text) > 1:
            text = text[:-1]
            cut = text.rstrip() + "…"
        return cut, size
