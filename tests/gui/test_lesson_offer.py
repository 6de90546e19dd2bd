"""The offer of a first start."""

from PySide6.QtCore import QSettings

from attnsim.gui import lesson_progress
from attnsim.gui.lesson_offer import offer


def test_a_first_start_offers_the_shortest_lesson_once(fresh_window):
    messages, taken = fresh_window.messages, []
    offer(messages, taken.append)
    assert "2 minutes: Why √d?" in messages.label.text()
    messages.tell("something else")
    offer(messages, taken.append)
    assert messages.action.isVisible(), "an offer that was pushed aside has not been answered"
    messages.close_button.click()
    offer(messages, taken.append)
    assert not messages.isVisible()
    QSettings().remove(lesson_progress.OFFERED)
    offer(messages, taken.append)
    messages.action.click()
    assert [lesson.key for lesson in taken] == ["why-sqrt-d"]
    offer(messages, taken.append)
    assert not messages.isVisible()
