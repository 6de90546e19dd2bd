"""What is read in a figure: its table and its text, as large as they fit.

Sizes are points, places and lengths millimetres.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from attnsim.figures.marks import Paragraph, Table
from attnsim.figures.palette import color
from attnsim.files.writers.page import Page
from attnsim.words import several

SIZES = (6.2, 5.9, 5.6, 5.3, 5.0, 4.7, 4.4, 4.2)
LINE, ROW = 0.53, 0.62  # height of a line of words and of a row of cells, in mm a point
DROP = 0.08  # by which a row's words stand lower between their hairlines, in mm a point
COLUMN_GAP = 2.4
INDENT = 2.0

_LARGER = {"heading": 1.12, "formula": 1.06, "numbers": 1.0, "words": 1.0}
_ABOVE = {"heading": 0.35, "formula": 0.12, "numbers": 0.0, "words": 0.12}  # in lines
_ROLES = {"heading": "ink", "formula": "ink", "numbers": "muted", "words": "ink"}


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of a line: how far right they begin (or end, when `right`), and how they look."""

    x: float
    text: str
    size: float
    role: str = "ink"
    bold: bool = False
    right: bool = False


@dataclass(frozen=True, slots=True)
class Strip:
    """A line from edge to edge: its height, what stands in it, and whether a hairline closes it."""

    height: float
    pieces: tuple[Piece, ...]
    ruled: bool = False


class Reading:
    """Table and text of a figure, to be written into a rectangle."""

    def __init__(self, page: Page, table: Table | None, paragraphs: Sequence[Paragraph]) -> None:
        self.page, self.table, self.paragraphs = page, table, paragraphs

    def height(self, width: float) -> float:
        """Return the height it takes at its largest size."""
        return _height(self._strips(SIZES[0], width))

    def draw(self, left: float, top: float, width: float, height: float) -> None:
        """Write it at the largest size that fits; what does not fit at the smallest is counted in the last line."""
        for size in SIZES:
            strips = self._strips(size, width)
            if _height(strips) <= height + 1e-9 and self._table_fits(size, width):
                break
        else:
            strips = _cut(strips, height, size)
        y = top
        for strip in strips:
            for piece in strip.pieces:
                self.page.words(
                    left + piece.x,
                    y + (DROP * piece.size if strip.ruled else 0.0),
                    piece.text,
                    size=piece.size,
                    role=piece.role,
                    bold=piece.bold,
                    right=piece.right,
                )
            y += strip.height
            if strip.ruled:
                self._hairline(left, left + width, y)

    def _hairline(self, left: float, right: float, y: float) -> None:
        from matplotlib.lines import Line2D

        page = self.page
        across, height = [left / page.width, right / page.width], 1.0 - y / page.height
        hue = color("border", page.theme)
        page.drawing.add_artist(
            Line2D(across, [height, height], color=hue, linewidth=0.4, transform=page.drawing.transFigure)
        )

    def _strips(self, size: float, width: float) -> list[Strip]:
        strips = self._rows(size, width) if self.table is not None else []
        for paragraph in self.paragraphs:
            strips += self._lines(paragraph, size, width, first=not strips)
        return strips

    def _columns(self, size: float) -> list[float]:
        """Return the width each column needs."""
        assert self.table is not None
        widths = [self.page.width_of(head, size, bold=True) for head in self.table.heads]
        for row in self.table.rows:
            widths = [max(width, self.page.width_of(cell, size)) for width, cell in zip(widths, row, strict=True)]
        return widths

    def _table_fits(self, size: float, width: float) -> bool:
        if self.table is None:
            return True
        return sum(self._shared(size, width)) + COLUMN_GAP * (len(self.table.heads) - 1) <= width + 1e-6

    def _shared(self, size: float, width: float) -> list[float]:
        """Return the widths of the columns: wide columns of words give way where the table is too wide."""
        assert self.table is not None
        widths, numeric = self._columns(size), _numeric(self.table)
        excess = sum(widths) + COLUMN_GAP * (len(widths) - 1) - width
        while excess > 1e-6:
            giving = [i for i, wide in enumerate(widths) if not numeric[i] and wide > 0.12 * width]
            if not giving:
                break
            widest = max(giving, key=lambda i: widths[i])
            less = min(excess, max(0.05 * widths[widest], 0.5))
            widths[widest] -= less
            excess -= less
        return widths

    def _rows(self, size: float, width: float) -> list[Strip]:
        """Return the lines of the table, which fills the width: free room is shared between its columns."""
        assert self.table is not None
        table, widths, numeric = self.table, self._shared(size, width), _numeric(self.table)
        free = max(0.0, width - sum(widths)) / max(1, len(widths) - 1)
        gap = min(free, 4.0 * COLUMN_GAP) if len(widths) > 1 else 0.0
        lefts = [sum(widths[:i]) + gap * i for i in range(len(widths))]
        edges = [lefts[i] + (widths[i] if numeric[i] else 0.0) for i in range(len(widths))]
        strips = self._row(table.heads, ["muted"] * len(widths), size, widths, edges, numeric)
        for i, row in enumerate(table.rows):
            first = table.roles[i] if i < len(table.roles) and table.roles[i] else "ink"
            strips += self._row(row, [first] + ["ink"] * (len(row) - 1), size, widths, edges, numeric)
        return strips

    def _row(
        self,
        cells: Sequence[str],
        roles: Sequence[str],
        size: float,
        widths: Sequence[float],
        edges: Sequence[float],
        numeric: Sequence[bool],
    ) -> list[Strip]:
        wrapped = [self._wrap(cell, size, width + 0.1) for cell, width in zip(cells, widths, strict=True)]
        most = max(len(lines) for lines in wrapped)
        strips = []
        for line in range(most):
            pieces = tuple(
                Piece(edges[i], lines[line], size, roles[i], bold=i == 0 and roles[0] != "muted", right=numeric[i])
                for i, lines in enumerate(wrapped)
                if line < len(lines) and lines[line]
            )
            last = line == most - 1
            strips.append(Strip((ROW if last else LINE) * size, pieces, ruled=last))
        return strips

    def _lines(self, paragraph: Paragraph, size: float, width: float, first: bool) -> list[Strip]:
        kind = paragraph.kind
        own = size * _LARGER[kind]
        indent = INDENT if kind in ("formula", "numbers") else 0.0
        lines = self._wrap(paragraph.text, own, width - indent, bold=kind == "heading")
        strips = [
            Strip(LINE * own, (Piece(indent, line, own, _ROLES[kind], bold=kind == "heading"),)) for line in lines
        ]
        return strips if first else [Strip(LINE * own * _ABOVE[kind], ()), *strips]

    def _wrap(self, text: str, size: float, width: float, bold: bool = False) -> list[str]:
        """Return text in lines that fit a width; a word that is wider stands in a line of its own."""
        if self.page.width_of(text, size, bold) <= width:
            return [text]
        lines: list[str] = []
        for word in text.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self.page.width_of(longer, size, bold) <= width:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines or [""]


def _numeric(table: Table) -> tuple[bool, ...]:
    return table.numeric or (False, *(True for _head in table.heads[1:]))


def _height(strips: Sequence[Strip]) -> float:
    return sum(strip.height for strip in strips)


def _cut(strips: Sequence[Strip], height: float, size: float) -> list[Strip]:
    """Return the first lines and one that counts those left out."""
    if _height(strips) <= height:
        return list(strips)
    kept, used, last = 0, 0.0, ROW * size
    while used + strips[kept].height + last <= height:
        used += strips[kept].height
        kept += 1
    missing = sum(1 for strip in strips[kept:] if strip.pieces)
    words = several("… {count} more line", "… {count} more lines", missing).format(count=missing)
    return [*strips[:kept], Strip(last, (Piece(0.0, words, size, "muted"),))]
