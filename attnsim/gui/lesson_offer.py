"""The offer of a first start."""

from collections.abc import Callable

from PySide6.QtCore import QSettings

from attnsim.files.lessons import Lesson, shelf
from attnsim.gui.lesson_progress import OFFERED, chosen_language
from attnsim.gui.message_bar import MessageBar
from attnsim.words import _


def offer(messages: MessageBar, start: Callable[[Lesson], None]) -> None:
    """Offer the shortest lesson; never again once it was taken or put away."""
    if QSettings().value(OFFERED, False, type=bool):
        return
    lesson = shelf(chosen_language()).shortest
    if lesson is None:
        return

    def answer(taken: bool) -> None:
        QSettings().setValue(OFFERED, True)
        if taken:
            start(lesson)

    words = _("New here? A lesson of {minutes:g} minutes: {title}").format(minutes=lesson.minutes, title=lesson.title)
    messages.ask(words, _("Start"), lambda: answer(True), lambda: answer(False), passing=True)
