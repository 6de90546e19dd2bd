"""One plot on screen: axes, faint grid, marks, and a heading, in a view of its own."""

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QGraphicsGridLayout

from attnsim.figures.marks import Plot
from attnsim.gui.axes import FaintGrid, PlotAxis, tick_places, view_range
from attnsim.gui.items import Holder, Place, holder
from attnsim.gui.theme import Theme, font

BOTTOM_PIXELS = 22
LABEL_PIXELS = 20
HEADING_PIXELS = 12
CLICK_PIXELS = 4  # a press that moves further is a drag


class PlotView(pg.GraphicsView):
    """Draws one `Plot`; keeps its items and moves them.

    A bare view and not a `PlotWidget`: that costs 8 ms each to make, and brings a menu whose export fails.
    """

    hovered = Signal(object, object)  # position in view units or None, the view itself
    clicked = Signal(object, object)

    def __init__(self, parent: object = None) -> None:
        super().__init__(parent, background=None)
        self.plot: Plot | None = None
        self._theme: Theme | None = None
        self._holders: list[Holder] = []
        self._kinds: tuple = ()
        self._heading: tuple = ()
        self._ranges: tuple = ()
        self._pressed = QPointF()
        self.zoomed = False
        self.box = pg.ViewBox(enableMenu=False, defaultPadding=0.0)
        self.box.setMouseEnabled(True, True)
        self.left, self.bottom = PlotAxis("left"), PlotAxis("bottom")
        self.grid = FaintGrid()
        self.box.addItem(self.grid, ignoreBounds=True)
        self._arrange()
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.box.sigRangeChangedManually.connect(self._mark_zoomed)
        self.box.sigRangeChanged.connect(self._place_ticks)
        self.box.sigResized.connect(self._place_ticks)

    def _arrange(self) -> None:
        frame = pg.GraphicsWidget()
        grid = QGraphicsGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addItem(self.left, 0, 0)
        grid.addItem(self.box, 0, 1)
        grid.addItem(self.bottom, 1, 1)
        grid.setColumnStretchFactor(1, 1)
        grid.setRowStretchFactor(0, 1)
        frame.setLayout(grid)
        self._frame = frame
        self.setCentralItem(frame)
        self.left.linkToView(self.box)
        self.bottom.linkToView(self.box)

    def show_plot(self, plot: Plot, theme: Theme) -> None:
        """Show a plot; items are made anew only when the kinds of marks change."""
        changed_theme = theme is not self._theme
        axes_changed = changed_theme or self.plot is None or (plot.x, plot.y) != (self.plot.x, self.plot.y)
        self.plot, self._theme = plot, theme
        kinds = tuple(type(mark) for mark in plot.marks)
        if kinds != self._kinds:
            self._remake(plot, kinds)
        if axes_changed:
            self._dress(plot, theme)
            self._set_ranges(plot)
        place = Place(plot.x, plot.y, theme, self.devicePixelRatioF())
        for each, mark in zip(self._holders, plot.marks, strict=True):
            each.move(mark, place)
        if axes_changed or plot.heading != self._heading:
            self._heading = plot.heading
            self.viewport().update(self._heading_rect())

    def _remake(self, plot: Plot, kinds: tuple) -> None:
        # keep the items of the marks that stay: the walks' picture is dear
        kept = 0
        while kept < min(len(kinds), len(self._kinds)) and kinds[kept] is self._kinds[kept]:
            kept += 1
        for each in self._holders[kept:]:
            self.box.removeItem(each.item)
        self._holders = self._holders[:kept] + [holder(mark) for mark in plot.marks[kept:]]
        for depth, each in enumerate(self._holders):
            each.item.setZValue(depth)
            if depth >= kept:
                self.box.addItem(each.item, ignoreBounds=True)
        self._kinds = kinds

    def _dress(self, plot: Plot, theme: Theme) -> None:
        self.setBackground(theme.card)  # opaque: a transparent one would repaint the card under it
        self.left.dress(theme, "")
        self.bottom.dress(theme, plot.x.label)
        bare = plot.x.ticks == () and not plot.x.label
        self.bottom.setHeight(6 if bare else BOTTOM_PIXELS + (LABEL_PIXELS if plot.x.label else 0))
        self.bottom.setStyle(showValues=not bare)

    def _set_ranges(self, plot: Plot) -> None:
        ranges = (view_range(plot.x), view_range(plot.y))
        if ranges == self._ranges:
            self._place_ticks()
            return
        self._ranges, self.zoomed = ranges, False
        self.box.setRange(xRange=ranges[0], yRange=ranges[1], padding=0.0, disableAutoRange=True)
        self._place_ticks()

    def _place_ticks(self, *_ignored: object) -> None:
        if self.plot is None:
            return
        (left, right), (low, high) = self.box.viewRange()
        vertical = tick_places(self.plot.x, left, right, self.box.width())
        horizontal = tick_places(self.plot.y, low, high, self.box.height())
        self.bottom.place(vertical)
        self.left.place(horizontal)
        pen = QPen(self._theme.color("grid"), 0.0)
        # the frame's lowest line is the axis itself
        inner = [place for place, _text in horizontal if low + 1e-9 * (high - low) < place]
        self.grid.place(inner, [], QRectF(left, low, right - left, high - low), pen)

    @property
    def below(self) -> int:
        """The height of what stands under the plot's frame, in pixels."""
        return int(self.bottom.maximumHeight())

    def needed_left(self) -> float:
        """Return the width the left axis needs for its ticks."""
        return self.left.text_width() + 10.0 if self.left._shown else 6.0

    def set_left(self, width: float) -> None:
        """Give the left axis a width, so that plots above each other line up."""
        if self.left.width() != width:
            self.left.setWidth(width)

    def set_below(self, height: int) -> None:
        """Give the bottom axis a height, so that plots beside each other line up."""
        self.bottom.setHeight(height)

    def _mark_zoomed(self, *_ignored: object) -> None:
        self.zoomed = True

    def reset_zoom(self) -> None:
        """Go back to the figure's own ranges."""
        self.zoomed = False
        if self._ranges:
            self.box.setRange(xRange=self._ranges[0], yRange=self._ranges[1], padding=0.0)

    def _heading_rect(self) -> QRect:
        frame = self.box.sceneBoundingRect()
        return QRect(int(frame.left()), int(frame.top()), int(frame.width()) + 1, 24)

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        """Write the heading in the plot's upper corner, in screen pixels."""
        if not self._heading or self._theme is None:
            return
        painter.save()
        painter.resetTransform()
        bold, plain = font(HEADING_PIXELS, QFont.Weight.DemiBold), font(HEADING_PIXELS)
        runs = [(text, role, plain if role in ("ink", "muted") else bold) for text, role in self._heading]
        widths = [QFontMetricsF(face).horizontalAdvance(text) for text, _role, face in runs]
        gap = 7.0
        frame = self.box.sceneBoundingRect()
        right = self.plot.heading_side == "right"
        x = frame.right() - sum(widths) - gap * (len(widths) - 1) - 6 if right else frame.left() + 8
        for (text, role, face), width in zip(runs, widths, strict=True):
            painter.setFont(face)
            painter.setPen(self._theme.words(role))
            painter.drawText(QPointF(x, frame.top() + 16), text)
            x += width + gap
        painter.restore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a click began."""
        self._pressed = event.position()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell of a click, which is a press that did not move."""
        super().mouseReleaseEvent(event)
        moved = (event.position() - self._pressed).manhattanLength()
        if event.button() == Qt.MouseButton.LeftButton and moved <= CLICK_PIXELS:
            self.clicked.emit(self._view_position(event.position()), self)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Go back from a zoom."""
        if self.zoomed:
            self.reset_zoom()
        super().mouseDoubleClickEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell where the mouse is."""
        super().mouseMoveEvent(event)
        if event.buttons() == Qt.MouseButton.NoButton:
            self.hovered.emit(self._view_position(event.position()), self)

    def leaveEvent(self, event: QEvent) -> None:
        """Tell that the mouse is gone."""
        super().leaveEvent(event)
        self.hovered.emit(None, self)

    def _view_position(self, position: QPointF) -> QPointF | None:
        scene = self.mapToScene(position.toPoint())
        if not self.box.sceneBoundingRect().contains(scene):
            return None
        return self.box.mapSceneToView(scene)
