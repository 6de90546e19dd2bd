"""Where the cards stand: up to three in a row, each row of a pinned scenario above the same row of what changes."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QVBoxLayout, QWidget

from attnsim.figures.marks import Figure
from attnsim.gui.panel import FigurePanel
from attnsim.gui.theme import Theme
from attnsim.words import _

LEAST_PANEL = 200
LEAST_HEIGHT = 300  # of a card that has to share the height with more than one other: below it nothing can be read
LEAST_OF_TWO = 285  # the same where it shares it with one other
LEAST_OF_THREE = 300  # width of a card from which on three stand in a row, where there is more than one row
HANDLE = 12
A_ROW = 3


def rows_of(keys: tuple[str, ...], width: float = float("inf")) -> list[tuple[str, ...]]:
    """Return the cards row by row: three in one, four in two by two, more in threes, or in twos where it is narrow."""
    narrow = len(keys) > A_ROW and width < A_ROW * LEAST_OF_THREE
    wide = 2 if len(keys) == 4 or narrow else A_ROW
    return [keys[start : start + wide] for start in range(0, len(keys), wide)]


class Stage(QWidget):
    """Keeps a card for each figure that was shown, and stands those of the view side by side."""

    def __init__(self, made: Callable[[FigurePanel], None]) -> None:
        super().__init__()
        self._made = made
        self._cards: dict[tuple[str, str], FigurePanel] = {}
        self._layout: tuple = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._scroll = QScrollArea()
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setObjectName("stage")
        self._scroll.setAccessibleName(_("Figures"))
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._column.addWidget(self._scroll, 1)
        self.panels: list[FigurePanel] = []
        self.pinned: list[FigurePanel] = []

    def arrange(self, keys: tuple[str, ...], shares: tuple[int, ...], pinned: bool) -> bool:
        """Show the cards of these figures, twice when a scenario is pinned.

        Returns
        -------
        bool
            Whether anything changed.
        """
        rows = rows_of(keys, self.width())
        if (keys, shares, pinned, len(rows)) == self._layout:
            return False
        self._layout = (keys, shares, pinned, len(rows))
        self.panels = [self._card("", key) for key in keys]
        self.pinned = [self._card("A", key) for key in keys] if pinned else []
        shown = {id(card) for card in (*self.panels, *self.pinned)}
        for card in self._cards.values():
            card.setParent(None if id(card) not in shown else self)
        sides = ("A", "") if pinned else ("",)
        cards = [[self._card(side, key) for key in row] for row in rows for side in sides]
        long = len(rows) > 1
        least = LEAST_HEIGHT if long and pinned else LEAST_OF_TWO if long else 0
        for card in (*self.panels, *self.pinned):
            card.setMinimumHeight(least)
        # a stop of the Tab key only where the arrow keys have something to scroll
        self._scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus if long else Qt.FocusPolicy.NoFocus)
        self._build(cards, shares)
        for panel in self.panels:
            panel.set_side("B" if pinned else "")
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put fewer cards into a row where it got narrow."""
        super().resizeEvent(event)
        if self._layout:
            self.arrange(*self._layout[:3])

    def _card(self, side: str, key: str) -> FigurePanel:
        if (side, key) not in self._cards:
            card = FigurePanel(key)
            card.setMinimumWidth(LEAST_PANEL)
            card.set_side(side)
            self._cards[side, key] = card
            self._made(card)
        return self._cards[side, key]

    def _build(self, rows: list[list[FigurePanel]], shares: tuple[int, ...]) -> None:
        self._outer = self._splitter(Qt.Orientation.Vertical)
        for row in rows:
            line = self._splitter(Qt.Orientation.Horizontal)
            for number, card in enumerate(row):
                line.addWidget(card)
                card.show()
                line.setStretchFactor(number, shares[number] if len(shares) == len(row) else 1)
            if len(shares) == len(row):
                line.setSizes([10 * share for share in shares])
            else:
                line.setSizes([1000] * len(row))
            self._outer.addWidget(line)
        self._outer.setSizes([1000] * len(rows))
        old = self._scroll.takeWidget()
        self._scroll.setWidget(self._outer)
        if old is not None:
            old.deleteLater()  # what was clicked may be one of its cards

    @staticmethod
    def _splitter(orientation: Qt.Orientation) -> QSplitter:
        splitter = QSplitter(orientation)
        splitter.setHandleWidth(HANDLE)
        splitter.setChildrenCollapsible(False)
        return splitter

    @property
    def everything(self) -> list[FigurePanel]:
        """All cards on screen."""
        return [*self.pinned, *self.panels]

    def show_figures(self, figures: list[Figure], theme: Theme, pinned: bool = False) -> None:
        """Give each card its figure."""
        for panel, figure in zip(self.pinned if pinned else self.panels, figures, strict=True):
            panel.show_figure(figure, theme)
