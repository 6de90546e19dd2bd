"""One plot on screen: axes, faint grid, marks, and a heading, in a view of its own."""

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QGraphicsScene, QGraphicsView, QWidget

from attnsim.figures.marks import Plot, Text
from attnsim.gui import labels
from attnsim.gui.axes import RIGHT_ROOM, AxesFrame, thinned, tick_places, to_view, view_range
from attnsim.gui.color_bar import ColorBar
from attnsim.gui.items import Holder, Place, holder
from attnsim.gui.theme import Theme, font

TOP_PIXELS = 7  # room for half of the highest tick
BOTTOM_PIXELS, SLIM_PIXELS = 24, 8
LABEL_PIXELS = 20
HEADING_PIXELS, HEADING_GAP = 12, 7.0
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
        self._runs: list = []
        self._texts: tuple[Text, ...] = ()
        self._ranges: tuple = ()
        self._pressed = QPointF()
        self.zoomed = False
        self.box = pg.ViewBox(enableMenu=False, defaultPadding=0.0)
        self.box.setMouseEnabled(True, True)
        self.scene().addItem(self.box)
        self.axes = AxesFrame()
        self.color_bar = ColorBar()
        self._left, self._right, self.below = 6.0, RIGHT_ROOM, SLIM_PIXELS
        self._settle()
        self.box.sigRangeChangedManually.connect(self._mark_zoomed)
        self.box.sigRangeChanged.connect(self._place_ticks)
        self.box.sigResized.connect(self._resized)

    def _settle(self) -> None:
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        # A scene that updates its view has the whole window painted at once: eight plots, eight times a frame.
        # So views are told to update here, where their marks are moved, and the window is painted once.
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.NoViewportUpdate)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCacheMode(QGraphicsView.CacheModeFlag.CacheBackground)
        self.scene().setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)  # a dozen items need no tree
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Give the view's frame what the axes leave."""
        super().resizeEvent(event)
        self._place_frame()

    def _place_frame(self) -> None:
        if hasattr(self, "below"):  # Qt resizes a view before it is made
            width, height = self.viewport().width(), self.viewport().height()
            self.box.setGeometry(
                QRectF(
                    self._left,
                    TOP_PIXELS,
                    max(width - self._left - self._right, 1),
                    max(height - self.around, 1),
                )
            )

    @property
    def around(self) -> int:
        """Height of what stands above and below the frame, in pixels."""
        return self.below + TOP_PIXELS

    def _resized(self, *_ignored: object) -> None:
        self._place_ticks()
        if self.plot is not None:
            self._lay_out_heading()
        self.resetCachedContent()
        self.viewport().update()

    def show_plot(self, plot: Plot, theme: Theme) -> None:
        """Show a plot; items are made anew only when the kinds of marks change."""
        changed_theme = theme is not self._theme
        axes_changed = changed_theme or self.plot is None or (plot.x, plot.y) != (self.plot.x, self.plot.y)
        self.plot, self._theme = plot, theme
        marks = tuple(mark for mark in plot.marks if not isinstance(mark, Text))
        kinds = tuple(type(mark) for mark in marks)
        if kinds != self._kinds:
            self._remake(marks, kinds)
            self.viewport().update()
        if self.color_bar.take(plot):
            self.resetCachedContent()
            self.viewport().update()
        if axes_changed:
            self._dress(plot)
            self._set_ranges(plot)
        place = Place(plot.x, plot.y, theme, self.devicePixelRatioF())
        moved = [each.move(mark, place) for each, mark in zip(self._holders, marks, strict=True)]
        if axes_changed or plot.heading != self._heading:
            self._heading = plot.heading
            self._lay_out_heading()
            moved.append(True)
        texts = tuple(mark for mark in plot.marks if isinstance(mark, Text))
        if texts != self._texts:
            self._texts = texts
            moved.append(True)
        if any(moved):
            self.viewport().update()

    def _remake(self, marks: tuple, kinds: tuple) -> None:
        # items of a kind that stays go to the next mark of that kind: a new one costs milliseconds
        free: dict[type, list[Holder]] = {}
        for kind, each in zip(self._kinds, self._holders, strict=True):
            free.setdefault(kind, []).append(each)
        self._holders = []
        for depth, mark in enumerate(marks):
            kept = free.get(type(mark))
            each = kept.pop(0) if kept else holder(mark)
            each.item.setZValue(depth)
            if each.item.parentItem() is None:
                self.box.addItem(each.item, ignoreBounds=True)
            self._holders.append(each)
        for each in (each for rest in free.values() for each in rest):
            self.box.removeItem(each.item)
        self._kinds = kinds

    def _dress(self, plot: Plot) -> None:
        bare = plot.x.ticks == () and not plot.x.label
        self.set_below(SLIM_PIXELS if bare else BOTTOM_PIXELS + (LABEL_PIXELS if plot.x.label else 0))
        self.resetCachedContent()

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
        width, height = self.box.width(), self.box.height()
        x_ticks = thinned(tick_places(self.plot.x, left, right, width), width / (right - left), across=True)
        y_ticks = tick_places(self.plot.y, low, high, height)
        shown = thinned(y_ticks, height / (high - low), across=False)
        if self.axes.set_places(x_ticks, shown, self.plot.x.label, self.plot.y.label):
            self.resetCachedContent()
        self.axes.measure_left(y_ticks)
        self.viewport().update()

    def needed_left(self) -> float:
        """Return the width the left axis needs for its ticks."""
        return self.axes.left

    def set_left(self, width: float) -> None:
        """Give the left axis a width, so that plots above each other line up."""
        if self._left != width:
            self._left = width
            self._place_frame()

    def needed_right(self) -> float:
        """Return the width that half of the last tick, or the colour bar, needs."""
        return RIGHT_ROOM + self.color_bar.room()

    def set_right(self, width: float) -> None:
        """Leave room at the right, so that plots above each other line up."""
        if self._right != width:
            self._right = width
            self._place_frame()

    def set_below(self, height: int) -> None:
        """Give the bottom axis a height, so that plots beside each other line up."""
        if self.below != height:
            self.below = height
            self._place_frame()

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        """Paint card and axes; Qt keeps the picture until it is told to forget it."""
        if self._theme is None:
            return
        painter.fillRect(rect, QColor(self._theme.card))  # opaque: else the card would be painted for every frame
        self.axes.paint(painter, self.box.sceneBoundingRect(), self.box, self._theme)
        self.color_bar.paint(painter, self.box.sceneBoundingRect(), self._theme)

    def close(self) -> bool:
        """Close as any widget does: pyqtgraph's way frees the scene under items that still live, and crashes."""
        return QWidget.close(self)

    def _mark_zoomed(self, *_ignored: object) -> None:
        self.zoomed = True

    def reset_zoom(self) -> None:
        """Go back to the figure's own ranges."""
        self.zoomed = False
        if self._ranges:
            self.box.setRange(xRange=self._ranges[0], yRange=self._ranges[1], padding=0.0)

    def _lay_out_heading(self) -> None:
        """Find where each run of the heading stands; it is drawn more often than it changes."""
        bold, plain = font(HEADING_PIXELS, QFont.Weight.DemiBold), font(HEADING_PIXELS)
        runs = [(text, role, plain if role in ("ink", "muted") else bold) for text, role in self._heading]
        widths = [QFontMetricsF(face).horizontalAdvance(text) for text, _role, face in runs]
        frame = self.box.sceneBoundingRect()
        # where it is narrow the last numbers go: the cards say them too, and the rule's name is the legend
        while len(runs) > 1 and sum(widths) + HEADING_GAP * (len(widths) - 1) + 14 > frame.width():
            runs.pop()
            widths.pop()
        right = self.plot.heading_side == "right"
        x = frame.right() - sum(widths) - HEADING_GAP * (len(widths) - 1) - 6 if right else frame.left() + 8
        self._runs = []
        for (text, role, face), width in zip(runs, widths, strict=True):
            self._runs.append((face, self._theme.words(role), QPointF(x, frame.top() + 16), text))
            x += width + HEADING_GAP

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        """Write the heading in the plot's upper corner and the words beside marks, in screen pixels."""
        if self._theme is None or not (self._runs or self._texts):
            return
        painter.save()
        painter.resetTransform()
        backdrop = QColor(self._theme.card)
        backdrop.setAlphaF(0.6)  # where it is narrow a curve may reach up to the words
        for face, color, place, text in self._runs:
            painter.fillRect(QFontMetricsF(face).tightBoundingRect(text).translated(place), backdrop)
            painter.setFont(face)
            painter.setPen(color)
            painter.drawText(place, text)
        labels.paint(painter, self.placed_texts(), self._theme)
        painter.restore()

    def placed_texts(self) -> list[tuple[Text, QRectF, bool]]:
        """Return the words beside marks and where they stand, in pixels of this view."""
        if not self._texts:
            return []
        frame, (left, right), (low, high) = self.box.sceneBoundingRect(), *self.box.viewRange()

        def spot(text: Text) -> QPointF:
            x, y = float(to_view(self.plot.x, text.x)), float(to_view(self.plot.y, text.y))
            across, up = (x - left) / (right - left), (y - low) / (high - low)
            return QPointF(frame.left() + across * frame.width(), frame.bottom() - up * frame.height())

        taken = [QFontMetricsF(face).boundingRect(text).translated(at) for face, _color, at, text in self._runs]
        return labels.place(self._texts, frame, spot, taken)

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
