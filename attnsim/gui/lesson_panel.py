"""The panel "Lessons": a list, and the lesson that is read."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QSettings, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from attnsim.files.lessons import Lesson, Shelf, shelf
from attnsim.gui import lesson_progress
from attnsim.gui.lesson_list import LessonList
from attnsim.gui.lesson_page import LessonPage
from attnsim.gui.lesson_player import LessonPlayer
from attnsim.gui.side_dock import SideDock
from attnsim.gui.theme import Theme
from attnsim.words import _, mark

if TYPE_CHECKING:
    from attnsim.gui.window import MainWindow

TONGUES = {"en": "English", "zh": "中文"}
BACK = mark("Back to what I had")


class LessonPanel(SideDock):
    """Lists lessons, plays one, and offers on leaving what was on the screen before."""

    remade = Signal()

    def __init__(self, window: "MainWindow") -> None:
        super().__init__("lessons", _("Lessons"), (_("Close the lessons"), _("Close (F2)")), window)
        self._window = window
        self.player = LessonPlayer(window.session, window.transport, window.documents, self)
        self.shelf = Shelf((), ())
        self.list, self.page = LessonList(), LessonPage(self.player)
        self.language = QComboBox()
        self.language.setAccessibleName(_("Language of the lessons"))
        self.problems = QLabel()
        self.problems.setObjectName("problem")
        self.problems.setWordWrap(True)
        self.problems.setTextFormat(Qt.TextFormat.PlainText)
        self.give_back = QPushButton(_(BACK))
        self.give_back.setAutoDefault(True)
        self.give_back.setToolTip(_("What was on the screen before the first lesson"))
        self._stack = QStackedWidget()
        self._stack.setMinimumWidth(300)
        self._stack.addWidget(self._first())
        self._stack.addWidget(self.page)
        self.setWidget(self._stack)
        self._fill_languages()
        self.fill()
        self._connect()

    def _first(self) -> QWidget:
        """Return the page with the list."""
        first, foot, top = QWidget(), QHBoxLayout(), QHBoxLayout()
        first.setObjectName("lessonPage")
        first.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        note = QLabel(_("Predict, then see. What you had on the screen comes back."))
        note.setObjectName("quiet")
        note.setWordWrap(True)
        top.addWidget(note, 1)
        top.addWidget(self.language)
        top.setContentsMargins(6, 0, 4, 0)
        foot.addWidget(self.give_back)
        foot.addStretch(1)
        column = QVBoxLayout(first)
        column.setContentsMargins(10, 2, 10, 12)
        column.addLayout(top)
        column.addWidget(self.list, 1)
        column.addWidget(self.problems)
        column.addLayout(foot)
        return first

    def _connect(self) -> None:
        self.list.wanted.connect(self.play)
        self.language.activated.connect(self._take_language)
        self.give_back.clicked.connect(self._give_back)
        self.page.left.connect(self.show_list)
        self.page.followed.connect(self.follow)
        self.page.remade.connect(self.remade)
        self.player.changed.connect(self._note_player)
        self._note_player()

    def _fill_languages(self) -> None:
        found, chosen = lesson_progress.languages(), lesson_progress.chosen_language()
        for each in found:
            self.language.addItem(TONGUES.get(each) or QLocale(each).nativeLanguageName() or each, each)
        self.language.setCurrentIndex(max(0, self.language.findData(chosen.partition("_")[0].partition("-")[0])))
        self.language.setVisible(len(found) > 1)

    def _take_language(self) -> None:
        QSettings().setValue(lesson_progress.LANGUAGE, self.language.currentData())
        self.fill()

    def fill(self) -> None:
        """Read the lessons anew: a teacher may have dropped one in."""
        self.shelf = shelf(self.language.currentData() or lesson_progress.chosen_language())
        self.list.show_lessons(self.shelf.lessons, lesson_progress.last())
        self.problems.setText("\n".join(self.shelf.problems))
        self.problems.setVisible(bool(self.shelf.problems))

    def _note_player(self) -> None:
        player = self.player
        for name, able in (
            ("lesson_next", not player.at_end and not player.asks),
            ("lesson_back", player.place.step > 0),
        ):
            self._window.actions_[name].setEnabled(player.lesson is not None and able)
        self.give_back.setVisible(player.before is not None)
        self.page.show_place()
        if player.at_end:
            self._add_tries()
        if player.lesson is not None and self._stack.currentWidget() is self.page and self.isVisible():
            self.page.take_focus()

    def _add_tries(self) -> None:
        """At a lesson's end offer the lesson after it, and what was there before."""
        lesson, lessons = self.player.lesson, self.shelf.lessons
        named = {_lesson_key(target) for _words, target in self.page.targets}
        later = next((each for each in lessons if each.order > lesson.order and each.key != lesson.key), None)
        if later is not None and not named & {each.key for each in lessons}:
            self.page.add_try(_("Next lesson: {title}").format(title=later.title), f"{later.key}.md")
        if self.player.before is not None:
            self.page.add_try(_(BACK), "back:")

    # ------------------------------------------------------------------------------------------ what one does

    def play(self, lesson: Lesson) -> None:
        """Read a lesson from where it was left."""
        self._stack.setCurrentWidget(self.page)
        self.player.enter(lesson)

    def show_list(self) -> None:
        """Leave the lesson for the list."""
        was = self.player.lesson is not None
        self.player.leave()
        self.fill()
        self._stack.setCurrentIndex(0)
        self.list.setFocus()
        if was:
            self._offer_back()

    def _offer_back(self) -> None:
        """Offer what was on the screen before, unless it is there."""
        player = self.player
        if player.before is None:
            return
        if (player.before.lab, player.before.scenario) == (player.session.lab.key, player.session.scenario):
            return
        self._window.messages.ask(_("This is still the lesson's scenario."), _(BACK), self._give_back)

    def _give_back(self) -> None:
        self.player.give_back()
        if self._stack.currentIndex() != 0:
            self.show_list()

    def follow(self, target: str) -> None:
        """Open the scenario, the lesson or the page of a link."""
        if target == "back:":
            self._give_back()
        elif target.lower().startswith("attnsim:"):
            self._show_link(target)
        elif QUrl(target).scheme() in ("http", "https"):
            QDesktopServices.openUrl(QUrl(target))
        else:
            found = next((each for each in self.shelf.lessons if each.key == _lesson_key(target)), None)
            if found is None:
                self._window.messages.warn(_("There is no lesson {name}").format(name=_lesson_key(target)))
            else:
                self.play(found)

    def _show_link(self, target: str) -> None:
        from attnsim.files.link import from_link

        try:
            state, said = from_link(target)
        except ValueError as error:
            self._window.messages.warn(str(error))
            return
        self.player.show_page(state.lab, state.scenario, state.view)
        if said:
            self._window.messages.warn(" ".join(said))

    # ------------------------------------------------------------------------------------------ open and close

    def open_beside(self, width: int) -> None:
        """Show the panel: the lesson that was read when it was closed, or the list."""
        super().open_beside(width)
        if self._stack.currentWidget() is self.page and self.page.lesson is not None:
            self.player.enter(self.page.lesson)
        else:
            self.list.setFocus()

    def hideEvent(self, event: object) -> None:
        """Put the lesson away when the panel is closed, and offer what was there before."""
        super().hideEvent(event)
        if self.isHidden() and self.player.lesson is not None:
            self.player.leave()
            self._offer_back()

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        super().dress(theme)
        self.list.dress(theme)
        self.page.dress(theme)


def _lesson_key(target: str) -> str:
    """Return the id of the lesson that a link names: its file, as other markdown readers follow it."""
    return target.removeprefix("lesson:").rpartition("/")[2].removesuffix(".md")
