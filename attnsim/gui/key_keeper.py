"""Who gets a key: the control that has the focus, or a shortcut of the window."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QSlider, QWidget

SLIDING = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)
UNDOING = (Qt.Key.Key_Z, Qt.Key.Key_Y)
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class KeyKeeper(QObject):
    """Lets a focused control keep the keys it needs, and fields hand the focus back when they are done.

    It watches the controls alone: as a filter of the application it would be asked of every event of every frame.

    Parameters
    ----------
    actions : iterable of QAction
        The window's shortcuts; those that cannot be part of a number work in its fields too.
    home : QWidget
        Takes the focus after Enter or Esc in a field.
    """

    def __init__(self, actions: Iterable[QAction], home: QWidget) -> None:
        super().__init__()
        self._shortcuts = [action.shortcut() for action in actions if not action.shortcut().isEmpty()]
        self._home = home
        self._before: dict[QWidget, str] = {}

    def watch(self, window: QWidget) -> None:
        """Watch all controls of a window."""
        for kind in (QSlider, QAbstractSpinBox, QLineEdit, QComboBox, QAbstractButton):
            for control in window.findChildren(kind):
                control.removeEventFilter(self)
                control.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Share out keys; only fields have a use for anything but the override of shortcuts."""
        kind = event.type()
        if kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            return self._override(watched, event)
        if isinstance(watched, QAbstractSpinBox) or (isinstance(watched, QLineEdit) and not _part_of_spin(watched)):
            if kind == QEvent.Type.FocusIn:
                self._before[watched] = _line(watched).text()
            elif kind == QEvent.Type.FocusOut and not _line(watched).text().strip():
                self._restore(watched)
            elif kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                return self._press(watched, event)
        return False

    def _override(self, watched: QObject, event: QKeyEvent) -> bool:
        field = isinstance(watched, QAbstractSpinBox | QLineEdit)
        if field and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        if (field or isinstance(watched, QSlider | QComboBox)) and event.key() in SLIDING:
            event.accept()
            return True
        if isinstance(watched, QAbstractButton | QComboBox) and event.key() == Qt.Key.Key_Space:
            if not event.modifiers():
                event.accept()
                return True
        elif field and self._is_shortcut(event):
            # a field would take Ctrl+Z for its own text, and a space for a digit
            if event.modifiers() and event.key() in UNDOING:
                self._restore(watched)
            event.ignore()
            return True
        return False

    def _is_shortcut(self, event: QKeyEvent) -> bool:
        pressed = QKeySequence(event.keyCombination())
        return any(pressed.matches(each) == QKeySequence.SequenceMatch.ExactMatch for each in self._shortcuts)

    def _press(self, field: QWidget, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            self._restore(field)
        elif event.key() not in ENTER:
            return False
        self._home.setFocus()  # a field that loses the focus commits what stands in it
        return True

    def _restore(self, field: QWidget) -> None:
        if isinstance(field, QAbstractSpinBox):
            _line(field).setText(field.textFromValue(field.value()))
        elif field in self._before and not _part_of_spin(field):
            field.setText(self._before[field])


def _part_of_spin(line: QLineEdit) -> bool:
    return isinstance(line.parentWidget(), QAbstractSpinBox)


def _line(field: QWidget) -> QLineEdit:
    return field.lineEdit() if isinstance(field, QAbstractSpinBox) else field
