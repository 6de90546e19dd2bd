"""Words beside marks, in screen pixels: kept inside the frame and off each other."""

import math
from collections.abc import Callable
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from attnsim.figures.marks import Text
from attnsim.gui.theme import Theme, font

PIXELS = 12
AROUND, ABOVE = 4.0, 3.0  # free pixels beside and above the words
OUTSIDE = 1.0  # a point so far outside the frame has no words: it was zoomed away


def face(bold: bool) -> QFont:
    """Return the font of the words."""
    return font(PIXELS, QFont.Weight.DemiBold if bold else QFont.Weight.Normal)


@lru_cache(maxsize=512)
def size(text: str, bold: bool) -> tuple[float, float]:
    """Return width and height of some words with the room around them, in pixels."""
    metrics = QFontMetricsF(face(bold))
    return metrics.horizontalAdvance(text) + 2 * AROUND, metrics.height() + 2 * ABOVE


def place(
    texts: tuple[Text, ...], frame: QRectF, spot: Callable[[Text], QPointF], taken: list[QRectF]
) -> list[tuple[Text, QRectF, bool]]:
    """Return where each text stands, and whether it had to move from where the figure wants it.

    Parameters
    ----------
    texts : tuple of Text
    frame : QRectF
        What the words must not leave.
    spot : callable
        Text -> its point, in pixels.
    taken : list of QRectF
        Where other words stand already.
    """
    placed, used = [], list(taken)
    for text in texts:
        at = spot(text)
        near = frame.adjusted(-OUTSIDE, -OUTSIDE, OUTSIDE, OUTSIDE)
        if not text.text or not (math.isfinite(at.x()) and math.isfinite(at.y())) or not near.contains(at):
            continue
        wide, high = size(text.text, text.bold)
        wanted = QRectF(at.x() - text.anchor[0] * wide, at.y() - text.anchor[1] * high, wide, high)
        box = _free(_inside(wanted, frame), used, frame)
        used.append(_ink(box))
        placed.append((text, box, box.topLeft() != wanted.topLeft()))
    return placed


def _inside(box: QRectF, frame: QRectF) -> QRectF:
    left = max(frame.left(), min(box.left(), frame.right() - box.width()))
    top = max(frame.top(), min(box.top(), frame.bottom() - box.height()))
    return QRectF(left, top, box.width(), box.height())


def _ink(box: QRectF) -> QRectF:
    return box.adjusted(AROUND, ABOVE + 1.0, -AROUND, -ABOVE - 1.0)


def _free(box: QRectF, used: list[QRectF], frame: QRectF) -> QRectF:
    """Return the box, moved up or down by as little as takes it off other words."""
    ink = _ink(box)
    moves = [0.0]
    for other in used:
        moves += [other.bottom() - ink.top(), other.top() - ink.bottom()]
    for move in sorted(moves, key=abs):
        moved = ink.translated(0.0, move)
        fits = frame.top() <= moved.top() and moved.bottom() <= frame.bottom()
        if fits and not any(_overlap(moved, other) for other in used):
            return box.translated(0.0, move)
    return box


def _overlap(one: QRectF, other: QRectF) -> bool:
    shared = one.intersected(other)
    return shared.width() > 0.01 and shared.height() > 0.01


def paint(painter: QPainter, placed: list[tuple[Text, QRectF, bool]], theme: Theme) -> None:
    """Write the words; those on bars and walks get the card's colour behind them."""
    backdrop = QColor(theme.card)
    backdrop.setAlphaF(0.8)
    for text, box, moved in placed:
        if moved or text.role.startswith("marked"):
            painter.fillRect(box.adjusted(1.0, 2.0, -1.0, -2.0), backdrop)
    for text, box, _moved in placed:
        painter.setFont(face(text.bold))
        painter.setPen(theme.words(text.role))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text.text)
