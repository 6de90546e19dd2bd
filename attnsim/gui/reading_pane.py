"""What is read on a card: table and text in one scrolling page, to be selected and copied."""

from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent, QTextCursor, QTextOption, QTextTable
from PySide6.QtWidgets import QSizePolicy, QTextBrowser

from attnsim.figures.marks import Paragraph, Table
from attnsim.gui.theme import Theme, font

EDGE = 4  # pixels between the words and the ring that shows the focus
STYLES = {
    "heading": "margin:12px 4px 2px 4px; font-size:15px; font-weight:600",
    "words": "margin:3px 4px 3px 4px; font-size:13px",
    "formula": "margin:4px 4px 2px 18px; font-size:15px",
    "numbers": "margin:2px 4px 2px 18px; font-size:13px",
}
LARGEST = 16_777_215  # Qt's own limit of a widget's height


class ReadingPane(QTextBrowser):
    """Shows a `Table` and a page of `Paragraph`s; other numbers in the same rows move into the cells that are there."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("reading")
        self.setFont(font(13))
        self.setOpenLinks(False)
        self.setTabChangesFocus(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setUndoRedoEnabled(False)
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)  # a number is never broken; a wide table scrolls
        self.document().setDocumentMargin(0.0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(40)
        self._table: Table | None = None
        self._page: tuple[Paragraph, ...] = ()
        self._theme: Theme | None = None
        self._alone = True

    def show_reading(self, table: Table | None, page: tuple[Paragraph, ...], theme: Theme, alone: bool) -> None:
        """Show table and text; `alone` where no plots stand above, so that all the room is theirs.

        What is selected and how far the page is scrolled stays where only cells change.
        """
        same_page = page is self._page or page == self._page
        if theme is self._theme and same_page and self._alike(table):
            self._move_cells(table)
        elif theme is not self._theme or not same_page or table is not self._table:
            bar = self.verticalScrollBar()
            place = bar.value()
            self.setHtml(html(table, page, theme))
            bar.setValue(place)
        fresh = alone != self._alone or table is not self._table or not same_page
        self._table, self._page, self._theme, self._alone = table, page, theme, alone
        if fresh:
            self._limit()

    def _alike(self, table: Table | None) -> bool:
        """Whether a table differs from the one on screen in nothing but words of its cells."""
        old = self._table
        if table is None or old is None:
            return table is old
        frame = (old.heads, old.roles, old.numeric, len(old.rows))
        return frame == (table.heads, table.roles, table.numeric, len(table.rows))

    def _move_cells(self, table: Table | None) -> None:
        if table is None or table is self._table or table.rows == self._table.rows:
            return
        cells = next(frame for frame in self.document().rootFrame().childFrames() if isinstance(frame, QTextTable))
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for i, (row, before) in enumerate(zip(table.rows, self._table.rows, strict=True), 1):
            for j, (text, old) in enumerate(zip(row, before, strict=True)):
                if text != old:
                    cell = cells.cellAt(i, j)
                    cursor.setPosition(cell.firstPosition())
                    cursor.setPosition(cell.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
                    look = cursor.charFormat() if cursor.hasSelection() else cell.format().toCharFormat()
                    cursor.insertText(text, look)
        cursor.endEditBlock()

    def _limit(self) -> None:
        """Under plots take no more height than the words need."""
        if self._alone:
            self.setMaximumHeight(LARGEST)
        else:
            self.setMaximumHeight(max(40, round(self.document().size().height()) + 6))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the height that the words need at the new width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._limit()

    def sizeHint(self) -> QSize:
        """Ask for little: the layout's shares decide."""
        return QSize(200, 80)


def html(table: Table | None, page: tuple[Paragraph, ...], theme: Theme) -> str:
    """Return table and text as rich text in the colours of a theme."""
    parts = [] if table is None else [_table(table, theme)]
    for paragraph in page:
        ink = theme.muted if paragraph.kind == "numbers" else theme.text
        parts.append(f"<p style='{STYLES[paragraph.kind]}; color:{ink}'>{escape(paragraph.text)}</p>")
    return f"<div style='color:{theme.text}'>{''.join(parts)}</div>"


def _table(table: Table, theme: Theme) -> str:
    numeric = table.numeric or (False, *(True for _head in table.heads[1:]))
    sides = ["right" if flush else "left" for flush in numeric]
    last = len(sides) - 1
    line = f"border-bottom:1px solid {theme.hairline}"
    looks = [
        f"{line}; padding:4px {EDGE if j == last else 6}px 4px {6 if j else EDGE}px"
        + ("; white-space:nowrap" if numeric[j] else "")
        for j in range(len(sides))
    ]
    heads = _row(table.heads, sides, [f"{look}; color:{theme.muted}; font-size:12px" for look in looks])
    rows = []
    for i, row in enumerate(table.rows):
        role = table.roles[i] if i < len(table.roles) else ""
        first = f"; color:{theme.words(role).name()}; font-weight:600" if role else ""
        rows.append(_row(row, sides, [looks[0] + first, *looks[1:]]))
    return f"<table width='100%' cellspacing='0' cellpadding='0'>{heads}{''.join(rows)}</table>"


def _row(cells: tuple[str, ...], sides: list[str], looks: list[str]) -> str:
    parts = zip(cells, sides, looks, strict=True)
    return "<tr>" + "".join(f"<td align='{a}' style='{b}'>{escape(text)}</td>" for text, a, b in parts) + "</tr>"
