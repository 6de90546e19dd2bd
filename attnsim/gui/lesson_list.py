"""The list of all lessons: title, minutes, the sentence each starts from, and how far the reader has come."""

from PySide6.QtCore import QEvent, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QListView, QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from attnsim.files.lessons import Lesson
from attnsim.gui import lesson_progress
from attnsim.gui.theme import LIGHT, Theme, font
from attnsim.words import _, several

LESSON = Qt.ItemDataRole.UserRole
EDGE, GAP = 10, 3
TITLE, SMALL = 14, 12  # pixels
OPENING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
WRAPPED = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)


class LessonList(QListWidget):
    """One entry a lesson; Enter, Space or a click opens it."""

    wanted = Signal(object)  # a Lesson

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lessons")
        self.setAccessibleName(_("Lessons"))
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self._cards = Card(self)
        self.setItemDelegate(self._cards)
        self.itemClicked.connect(lambda item: self.wanted.emit(item.data(LESSON)))

    def show_lessons(self, lessons: tuple[Lesson, ...], selected: str) -> None:
        """List lessons; the one with the name of `selected` is marked."""
        self.clear()
        for lesson in lessons:
            item = QListWidgetItem(lesson.title)
            item.setData(LESSON, lesson)
            mark, done = progress(lesson)
            said = ", ".join(part for part in (lesson.title, minutes(lesson), mark) if part)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, said)
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, lesson.misconception)
            item.setData(LESSON + 1, (mark, done))
            self.addItem(item)
            if lesson_progress.name_of(lesson) == selected:
                self.setCurrentItem(item)
        if self.currentItem() is None and self.count():
            self.setCurrentRow(0)

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self._cards.theme = theme
        self.viewport().update()

    def event(self, event: QEvent) -> bool:
        """Keep the keys that move in the list or open a lesson: Space would play, Home go to the start."""
        if event.type() == QEvent.Type.ShortcutOverride and event.key() in (*OPENING, Qt.Key.Key_Home, Qt.Key.Key_End):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the lesson under the cursor."""
        if event.key() in OPENING and self.currentItem() is not None:
            self.wanted.emit(self.currentItem().data(LESSON))
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines anew."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()


def minutes(lesson: Lesson) -> str:
    """Return how long a lesson takes."""
    count = max(1, round(lesson.minutes))
    return several("{count} minute", "{count} minutes", count).format(count=count)


def progress(lesson: Lesson) -> tuple[str, bool]:
    """Return how far the reader has come, in words (none for a lesson not yet opened), and whether it is done."""
    place = lesson_progress.place_in(lesson)
    count = len(lesson.steps)
    if place.step >= count or (place.done and place.step == 0 and not place.predicted):
        return _("done"), True
    if place.step or place.predicted:
        return _("step {step} of {count}").format(step=place.step + 1, count=count), False
    return "", False


class Card(QStyledItemDelegate):
    """Draws an entry."""

    theme: Theme = LIGHT

    def _parts(self, lesson: Lesson, width: int) -> tuple[QRect, QRect]:
        """Return the places of title and sentence, from the entry's corner."""
        title = QFontMetrics(font(TITLE, QFont.Weight.DemiBold))
        room = width - 2 * EDGE
        head = title.boundingRect(QRect(EDGE, EDGE, room - 96, 400), WRAPPED, lesson.title)
        below = QRect(EDGE, head.bottom() + GAP, room, 0)
        if lesson.misconception:
            small = QFontMetrics(font(SMALL))
            below = small.boundingRect(QRect(EDGE, below.top(), room, 400), WRAPPED, f"“{lesson.misconception}”")
        return head, below

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        """Return the height that the words need at the list's width."""
        width = self.parent().viewport().width()
        return QSize(width, self._parts(index.data(LESSON), width)[1].bottom() + EDGE + 1)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Draw title, minutes, sentence and progress."""
        theme, lesson, (mark, done) = self.theme, index.data(LESSON), index.data(LESSON + 1)
        state, whole = option.state, option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        over = bool(state & (QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_Selected))
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        painter.setPen(QPen(QColor(theme.accent)) if focused else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.hover) if over else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(whole.adjusted(1, 1, -2, -2), 6, 6)
        head, below = (part.translated(whole.topLeft()) for part in self._parts(lesson, whole.width()))
        painter.setPen(QColor(theme.text))
        painter.setFont(font(TITLE, QFont.Weight.DemiBold))
        painter.drawText(head, WRAPPED, lesson.title)
        painter.setFont(font(SMALL))
        painter.setPen(QColor(theme.muted))
        if lesson.misconception:
            painter.drawText(below, WRAPPED, f"“{lesson.misconception}”")
        right = QRect(whole.right() - EDGE - 94, head.top(), 94, head.height())
        if mark:
            painter.setPen(QColor(theme.good if done else theme.accent))
        words = f"✓ {mark}" if done else mark or minutes(lesson)
        painter.drawText(right, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop), words)
        painter.restore()
