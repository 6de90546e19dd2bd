"""Hundreds of walks as one picture that grows: only new segments are drawn while it plays."""

from itertools import pairwise

import numpy as np
import pyqtgraph as pg
from pyqtgraph.Qt import internals
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from attnsim.figures.marks import Paths

SEGMENTS_AT_ONCE = 50_000


class WalkCanvas(pg.GraphicsObject):
    """Draws a `Paths` mark into an image of its own, in device pixels.

    Width 1 with antialiasing is nearly free in Qt's raster engine; wider lines cost ten times more.
    """

    def __init__(self) -> None:
        super().__init__()
        self._paths: Paths | None = None
        self._color = QColor()
        self._image: QImage | None = None
        self._place: tuple = ()
        self._drawn = 0
        self._bounds = QRectF()
        self._lines = internals.PrimitiveArray(QLineF, 4)
        self.segments_drawn = 0

    def set_paths(self, paths: Paths, color: QColor) -> None:
        """Show paths up to their `shown` point."""
        before = self._paths
        color = QColor(color)
        color.setAlphaF(paths.opacity)
        same = before is not None and before.ys is paths.ys and before.x is paths.x and color == self._color
        if not same and before is not None and color == self._color:
            same = np.array_equal(before.x, paths.x) and np.array_equal(before.ys, paths.ys)
        self._paths, self._color = paths, color
        if not same:
            self._image = None
            self._set_bounds(paths)
        if not same or before.shown != paths.shown:
            self.update()

    def _set_bounds(self, paths: Paths) -> None:
        self.prepareGeometryChange()
        finite = paths.ys[np.isfinite(paths.ys)] if paths.ys.size else np.zeros(1)
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        left, right = (float(paths.x[0]), float(paths.x[-1])) if len(paths.x) else (0.0, 1.0)
        self._bounds = QRectF(QPointF(left, low), QSizeF(max(right - left, 1e-9), max(high - low, 1e-9)))

    def boundingRect(self) -> QRectF:
        """Return the reach of all paths, in data units."""
        return self._bounds

    def paint(self, painter: QPainter, option: object, widget: object = None) -> None:
        """Draw what is missing into the image, and the image onto the screen."""
        view = self.getViewWidget()
        if self._paths is None or view is None or not self._paths.ys.size:
            return
        # not painter.deviceTransform(): inside paint it also holds the window's offset
        to_view = self.sceneTransform() * view.viewportTransform()
        frame = view.viewportTransform().mapRect(self.getViewBox().sceneBoundingRect())
        self._keep_image(to_view, frame, view.devicePixelRatioF())
        self._draw_to(min(self._paths.shown, len(self._paths.x)), to_view, frame)
        painter.save()
        painter.resetTransform()
        painter.drawImage(frame.topLeft(), self._image)
        painter.restore()

    def _keep_image(self, to_view: object, frame: QRectF, ratio: float) -> None:
        place = (to_view.m11(), to_view.m22(), to_view.dx(), to_view.dy(), frame.getRect(), ratio)
        if self._image is not None and place == self._place and self._paths.shown >= self._drawn:
            return
        size = (frame.size() * ratio).toSize().expandedTo(QSizeF(1, 1).toSize())
        self._image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
        self._image.setDevicePixelRatio(ratio)
        self._image.fill(Qt.GlobalColor.transparent)
        self._place, self._drawn = place, 1

    def _draw_to(self, shown: int, to_view: object, frame: QRectF) -> None:
        if shown <= self._drawn:
            return
        first = max(self._drawn - 1, 0)
        x = self._paths.x[first:shown] * to_view.m11() + (to_view.dx() - frame.x())
        y = self._paths.ys[first:shown] * to_view.m22() + (to_view.dy() - frame.y())
        painter = QPainter(self._image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(self._color, 0.0)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        rows = max(1, SEGMENTS_AT_ONCE // max(y.shape[1], 1))
        edges = [*range(0, len(x) - 1, rows), len(x) - 1]
        for start, stop in pairwise(edges):
            self._draw_block(painter, x[start : stop + 1], y[start : stop + 1])
        painter.end()
        self._drawn = shown

    def _draw_block(self, painter: QPainter, x: np.ndarray, y: np.ndarray) -> None:
        steps, curves = y.shape[0] - 1, y.shape[1]
        self._lines.resize(steps * curves)
        into = self._lines.ndarray().reshape(steps, curves, 4)
        into[:, :, 0] = x[:-1, None]
        into[:, :, 1] = y[:-1]
        into[:, :, 2] = x[1:, None]
        into[:, :, 3] = y[1:]
        if not np.isfinite(into).all():
            np.nan_to_num(into, copy=False, nan=-1e5, posinf=1e5, neginf=-1e5)
        painter.drawLines(*self._lines.drawargs())
        self.segments_drawn += steps * curves
