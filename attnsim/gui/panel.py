"""A card that draws any figure; asks nothing, computes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnsim.figures.marks import Figure, Plot
from attnsim.gui.short_label import ShortLabel
from attnsim.gui.theme import Theme
from attnsim.gui.tips import panel, wrapped

if TYPE_CHECKING:  # pyqtgraph loads with the first figure: the window's first paint does not wait for it
    from attnsim.gui.plot_view import PlotView
    from attnsim.gui.reading_pane import ReadingPane


class PlotStack(QWidget):
    """Plots above and beside each other; what counts is the size of their frames, whatever axes they carry."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[list[tuple[PlotView, float]]] = []

    def place(self, rows: list[list[tuple[PlotView, float]]]) -> None:
        """Give rows of plots their places, by their weights."""
        self._rows = rows
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new room."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        if not self._rows:
            return
        around = [row[0][0].around for row in self._rows]
        room = self.height() - sum(around)
        total = sum(row[0][1] for row in self._rows)
        top = 0.0
        for row, under in zip(self._rows, around, strict=True):
            height = max(room, 0) * row[0][1] / total + under
            # the first plot of a row is 1 wide, those beside it their weights
            shares = [1.0, *(weight for _view, weight in row[1:])]
            left = 0.0
            for (view, _weight), share in zip(row, shares, strict=True):
                width = self.width() * share / sum(shares)
                view.setGeometry(QRect(round(left), round(top), round(left + width) - round(left), round(height)))
                left += width
            top += height


class FigurePanel(QFrame):
    """One card: title, line under it, note, and the plots, the table and the text of one figure."""

    hovered = Signal(object, object, object)  # plot or None, position in view units, the plot's view
    clicked = Signal(object, object, object)
    menu_wanted = Signal(object)  # a place on the screen

    def __init__(self, key: str) -> None:
        super().__init__()
        self.setObjectName("card")
        self.key = key
        self.was_painted = False
        self.figure: Figure | None = None
        self._has_words = bool(panel(key))  # whether there are words on how to read it, whatever it shows
        if self._has_words:
            self.setWhatsThis(panel(key))
        self.views: list[PlotView] = []
        self._structure: tuple = ()
        self._theme: Theme | None = None
        self._side = QLabel()
        self._side.setObjectName("side")
        self._side.hide()
        self._title = QLabel()
        self._title.setObjectName("cardTitle")
        self._note = ShortLabel("cardNote", Qt.AlignmentFlag.AlignRight, least=9)
        self._subtitle = ShortLabel("cardSubtitle")
        self._stack = PlotStack()
        self.reading: ReadingPane | None = None
        self._waiting: QLabel | None = None
        self._compose()
        self.bubble = QLabel(self)
        self.bubble.setObjectName("bubble")
        self.bubble.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.bubble.hide()

    def _compose(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self._side)
        top.addWidget(self._title)
        top.setSpacing(10)
        top.addWidget(self._note, 1)  # takes what the title leaves
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 11, 14, 10)
        layout.setSpacing(1)
        layout.addLayout(top)
        layout.addWidget(self._subtitle)
        layout.addSpacing(4)
        layout.addWidget(self._stack, 3)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the card's menu."""
        self.menu_wanted.emit(event.globalPos())
        event.accept()

    def set_side(self, side: str) -> None:
        """Name the scenario that is shown here, A or B, where two stand beside each other."""
        self._side.setText(side)
        self._side.setVisible(bool(side))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Note the first paint."""
        super().paintEvent(event)
        self.was_painted = True

    def wait(self, words: str) -> None:
        """Say that the first picture is on its way."""
        label = QLabel(words)
        label.setObjectName("quiet")
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._waiting = label
        self.layout().addWidget(label, 3)

    def show_figure(self, figure: Figure, theme: Theme) -> None:
        """Move each mark's numbers into the item that was made for it."""
        if self._waiting is not None:
            self._waiting.hide()
            self._waiting.deleteLater()
            self._waiting = None
        structure = tuple((plot.key, plot.weight, plot.beside) for plot in figure.plots)
        rebuilt = structure != self._structure
        if rebuilt:
            self._rebuild(figure.plots)
            self._structure = structure
        before = [self._outline(view) for view in self.views]
        themed = theme is not self._theme
        self._theme = theme
        for view, plot in zip(self.views, figure.plots, strict=True):
            view.show_plot(plot, theme)
        if rebuilt or themed or before != [self._outline(view) for view in self.views]:
            self._line_up(figure.plots)
        self._read(figure, theme)
        self._say(figure)
        self.figure = figure

    @staticmethod
    def _outline(view: PlotView) -> tuple | None:
        """Return what the room around a plot's frame depends on."""
        return (view.plot.x, view.plot.y, view.color_bar.room()) if view.plot else None

    def _read(self, figure: Figure, theme: Theme) -> None:
        """Show table and text; the pane is made for the first figure that has any."""
        readable = figure.table is not None or bool(figure.page)
        if readable and self.reading is None:
            from attnsim.gui.reading_pane import ReadingPane

            self.reading = ReadingPane()
            self.layout().addWidget(self.reading, 2)
        if self.reading is not None:
            self.reading.show_reading(figure.table, figure.page, theme, alone=not figure.plots)
            self.reading.setAccessibleName(figure.title)
            self.reading.setVisible(readable)
        self._stack.setVisible(bool(figure.plots) or not readable)

    def _say(self, figure: Figure) -> None:
        if self._title.text() != figure.title:
            self._title.setText(figure.title)
            self.setAccessibleName(figure.title)
        self._note.say(figure.note)
        self._subtitle.say(figure.subtitle)

    def describe(self) -> None:
        """Hand the figure's sentence to screen readers; not on every frame, they could not follow."""
        if self.figure is not None and self.accessibleDescription() != self.figure.summary:
            self.setAccessibleDescription(self.figure.summary)
            if not self._has_words:
                self.setWhatsThis(wrapped(self.figure.subtitle, self.figure.summary))

    def _rebuild(self, plots: tuple[Plot, ...]) -> None:
        from attnsim.gui.plot_view import PlotView

        for view in self.views:
            view.hide()
            view.deleteLater()
        self.views = []
        for plot in plots:
            view = PlotView(self._stack)
            view.hovered.connect(self._pass_hover)
            view.clicked.connect(self._pass_click)
            view.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # the card has one for all of them
            if plot.beside and self.views:
                self._share_y(self.views[-1], view)
            self.views.append(view)
            view.show()

    @staticmethod
    def _share_y(one: PlotView, other: PlotView) -> None:
        # not setYLink: it bends the range by where the views stand on screen, also before they stand there
        for source, target in ((one.box, other.box), (other.box, one.box)):
            source.sigYRangeChanged.connect(lambda _box, reach, target=target: target.setYRange(*reach, padding=0.0))

    def _line_up(self, plots: tuple[Plot, ...]) -> None:
        pairs = list(zip(self.views, plots, strict=True))
        width = max((view.needed_left() for view, plot in pairs if not plot.beside), default=0.0)
        ends = [view for i, (view, _plot) in enumerate(pairs) if i + 1 == len(pairs) or not plots[i + 1].beside]
        right = max((view.needed_right() for view in ends), default=0.0)
        rows: list[list[tuple[PlotView, float]]] = []
        for view, plot in pairs:
            view.set_right(right if view in ends else view.needed_right())
            if plot.beside and rows:
                view.set_left(4.0)
                view.set_below(rows[-1][0][0].below)
                rows[-1].append((view, plot.weight))
            else:
                view.set_left(width)
                rows.append([(view, plot.weight)])
        self._stack.place(rows)

    def _pass_hover(self, position: QPointF | None, view: PlotView) -> None:
        self.hovered.emit(view.plot if position is not None else None, position, view)

    def _pass_click(self, position: QPointF | None, view: PlotView) -> None:
        if position is not None:
            self.clicked.emit(view.plot, position, view)

    def show_bubble(self, text: str, view: PlotView, position: QPointF) -> None:
        """Show exact numbers beside the mouse, inside the card."""
        if not text:
            self.bubble.hide()
            return
        if self.bubble.text() != text:
            self.bubble.setText(text)
            self.bubble.adjustSize()
        at = view.mapFromScene(view.box.mapViewToScene(position))
        corner = view.mapTo(self, at) + QPoint(14, 12)
        if corner.x() + self.bubble.width() > self.width() - 6:
            corner.setX(corner.x() - self.bubble.width() - 28)
        corner.setX(max(6, corner.x()))
        corner.setY(max(6, min(corner.y(), self.height() - self.bubble.height() - 6)))
        self.bubble.move(corner)
        self.bubble.show()
        self.bubble.raise_()
