"""Keeps the window and its frame within the screen."""

from PySide6.QtCore import QMargins
from PySide6.QtWidgets import QWidget

# what a window manager's frame may take, where it has not been put on yet
USUAL_FRAME = QMargins(4, 36, 4, 4)


def frame_margins(window: QWidget) -> QMargins:
    """Return what the frame takes around the window, in pixels: known only once it is on screen."""
    handle = window.windowHandle()
    known = handle.frameMargins() if handle is not None else QMargins()
    return USUAL_FRAME if known.isNull() and not window.isVisible() else known


def fit_screen(window: QWidget) -> None:
    """Make the window so small that it fits its screen with its frame, and move it there."""
    if window.isMaximized() or window.isFullScreen():
        return
    free = window.screen().availableGeometry().marginsRemoved(frame_margins(window))
    if window.width() > free.width() or window.height() > free.height():
        window.resize(window.size().boundedTo(free.size()).expandedTo(window.minimumSize()))
    if not window.isVisible():
        return
    place = window.geometry()
    left = max(free.left(), min(place.left(), free.right() + 1 - place.width()))
    top = max(free.top(), min(place.top(), free.bottom() + 1 - place.height()))
    if (left, top) != (place.left(), place.top()):
        margins = frame_margins(window)
        window.move(left - margins.left(), top - margins.top())
