"""One lesson on its page: words, prediction, answer, live numbers, and what to try next."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from attnsim.files.lessons import Lesson, Step
from attnsim.gui.lesson_player import LessonPlayer
from attnsim.gui.lesson_words import buttons, plain, rich, without_buttons
from attnsim.gui.prediction import Prediction
from attnsim.gui.step_dots import StepDots
from attnsim.gui.theme import LIGHT, Theme, icon
from attnsim.words import _

READING_MILLISECONDS = 150  # between two looks at the live numbers


class LessonPage(QWidget):
    """Shows where the player stands, and asks it to go on."""

    left = Signal()
    followed = Signal(str)  # the target of a link
    remade = Signal()  # there are buttons that were not there before

    def __init__(self, player: LessonPlayer) -> None:
        super().__init__()
        self.player = player
        self.setObjectName("lessonPage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = LIGHT
        self._at: tuple[object, int, bool] | None = None
        self.prediction: Prediction | None = None
        self.lesson: Lesson | None = None  # the one that is read, or was when the panel was closed
        self.targets: list[tuple[str, str]] = []
        self.tries: list[QPushButton] = []
        self._make()
        self._compose()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(READING_MILLISECONDS)
        self._timer.timeout.connect(self.show_numbers)
        session = player.session
        for signal in (session.frame_arrived, session.view_changed, player.transport.playing_changed):
            signal.connect(self._note)

    def _make(self) -> None:
        self.all = QToolButton()
        self.all.setText(_("All lessons"))
        self.all.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.all.clicked.connect(self.left)
        self.again = QToolButton()
        self.again.setText(_("From the start"))
        self.again.clicked.connect(self.player.again)
        self.title, self.place = self._words("cardTitle"), QLabel()
        self.place.setObjectName("quiet")
        self.dots = StepDots()
        self.text, self.answer, self.numbers = self._words(), self._words(), self._words("lessonNumbers")
        self.back, self.skip, self.next = QPushButton(_("Back")), QPushButton(_("Skip the guess")), QPushButton()
        self.back.setToolTip(_("The step before (Alt+Left)"))
        self.back.clicked.connect(self.player.backward)
        self.skip.clicked.connect(lambda: self.player.predict(None))
        self.next.setObjectName("go")
        self.next.clicked.connect(self.go_on)
        for button in (self.back, self.skip, self.next):
            button.setAutoDefault(True)  # Enter presses it, as Space does
        for button in (self.all, self.again):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def _words(self, name: str = "") -> QLabel:
        label = QLabel()
        label.setObjectName(name)
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.RichText)
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.LinksAccessibleByMouse
        )
        label.linkActivated.connect(self.followed)
        return label

    def _compose(self) -> None:
        top, place, foot = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        top.addWidget(self.all)
        top.addStretch(1)
        top.addWidget(self.again)
        place.addWidget(self.dots)
        place.addSpacing(6)
        place.addWidget(self.place, 1)
        foot.addWidget(self.back)
        foot.addStretch(1)
        foot.addWidget(self.skip)
        foot.addWidget(self.next)
        self.body = QScrollArea()
        self.body.setWidgetResizable(True)
        self.body.setFrameShape(QFrame.Shape.NoFrame)
        self.body.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.body.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        inner = QWidget()
        inner.setObjectName("lessonBody")
        self._inner = QVBoxLayout(inner)
        self._inner.setContentsMargins(4, 8, 8, 8)
        self._inner.setSpacing(4)
        for part in (self.text, self.answer, self.numbers):
            self._inner.addWidget(part)
        self._inner.addStretch(1)
        self.body.setWidget(inner)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 2, 12, 12)
        column.setSpacing(6)
        column.addLayout(top)
        column.addWidget(self.title)
        column.addLayout(place)
        column.addWidget(self.body, 1)
        column.addLayout(foot)
        column.itemAt(1).widget().setContentsMargins(4, 0, 4, 0)

    # ------------------------------------------------------------------------------------------------ showing

    def show_place(self) -> None:
        """Show where the player stands."""
        player = self.player
        if player.lesson is None:
            self._at = None
            return
        at = (player.lesson, player.place.step, player.asks)
        fresh = at[:2] != (self._at or (None, None))[:2]
        self._at = at
        count, step = len(player.lesson.steps), player.place.step
        self.title.setText(player.lesson.title)
        self.dots.show_place(count, step)
        where = _("The end") if player.at_end else _("Step {step} of {count}").format(step=step + 1, count=count)
        self.place.setText(where)
        if fresh:
            self._set_prediction(player.step)
            self.body.verticalScrollBar().setValue(0)
        self.lesson = player.lesson
        self.targets = buttons(player.lesson.ending) if player.at_end else []
        self._set_tries(self.targets)
        self._render()
        self._set_buttons()
        self.show_numbers()
        self.remade.emit()
        self._announce(where)
        if not fresh and player.step is not None:
            self.layout().activate()
            QTimer.singleShot(0, self, lambda: self.body.ensureWidgetVisible(self.answer))

    def _set_prediction(self, step: Step | None) -> None:
        if self.prediction is not None:
            self.prediction.setParent(None)
            self.prediction.deleteLater()
            self.prediction = None
        if step is not None and step.choices:
            self.prediction = Prediction(step.choices)
            self.prediction.picked.connect(self._set_buttons)
            self._inner.insertWidget(1, self.prediction)

    def _set_tries(self, found: list[tuple[str, str]]) -> None:
        for button in self.tries:
            button.setParent(None)
            button.deleteLater()
        self.tries = [self._try(words, target) for words, target in found]

    def _try(self, words: str, target: str) -> QPushButton:
        """Return a button that opens a scenario or a lesson."""
        button = QPushButton(words)
        button.setObjectName("try")
        button.setAutoDefault(True)
        button.setAccessibleName(words)
        button.clicked.connect(lambda: self.followed.emit(target))
        self._inner.insertWidget(self._inner.count() - 1, button)
        return button

    def add_try(self, words: str, target: str) -> None:
        """Offer one thing more at the end of a lesson."""
        self.tries.append(self._try(words, target))
        self.remade.emit()

    def _render(self) -> None:
        """Write the words in the theme's colours."""
        player, step = self.player, self.player.step
        if player.lesson is None:
            return
        text = without_buttons(player.lesson.ending) if step is None else _words_of(player, step)
        self.text.setText(rich(text or _("That was the lesson."), self._theme))
        answered = step is not None and bool(step.choices) and not player.asks
        self.answer.setVisible(answered and bool(step.answer))
        if answered:
            self.answer.setText(rich(step.answer, self._theme))
        if self.prediction is not None:
            self.prediction.show_answer(player.asks, player.predicted, self._theme)

    def _set_buttons(self) -> None:
        """Name the buttons for what they do here."""
        player = self.player
        last = player.step is not None and player.place.step == len(player.lesson.steps) - 1
        words = _("Check") if player.asks else _("Finish") if last else _("Next")
        if player.at_end:
            words = _("All lessons")
        self.next.setText(words)
        self.next.setAccessibleName(words)
        self.next.setToolTip("" if player.at_end or player.asks else _("The next step (Alt+Right)"))
        self.next.setEnabled(not player.asks or (self.prediction is not None and self.prediction.choice is not None))
        self.skip.setVisible(player.asks)
        self.back.setEnabled(player.place.step > 0)

    def go_on(self) -> None:
        """Check the prediction, go to the next step, or end."""
        player = self.player
        if player.at_end:
            self.left.emit()
        elif player.asks:
            if self.prediction is not None and self.prediction.choice is not None:
                player.predict(self.prediction.choice)
        else:
            player.forward()

    def take_focus(self) -> None:
        """Put the focus where the reader goes on: on the first choice, or on the button."""
        if self.player.asks and self.prediction is not None:
            self.prediction.group.button(0).setFocus()
        else:
            self.next.setFocus()

    def _announce(self, where: str) -> None:
        """Tell screen readers what the page says."""
        player, step = self.player, self.player.step
        words = player.lesson.ending if step is None else step.text
        said = plain(step.answer if step is not None and step.choices and not player.asks else words)
        title = player.lesson.title if step is None else step.title
        self.body.setAccessibleName(f"{where}: {title}")
        self.body.setAccessibleDescription(said)
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.body, f"{where}: {title}. {said}"))

    # ------------------------------------------------------------------------------------------- live numbers

    def _note(self, *_ignored: object) -> None:
        """Look at the numbers soon; while the playhead runs by itself nothing is done."""
        wanted = self.isVisible() and self._at is not None and not self.player.transport.playing
        if wanted and not self._timer.isActive():
            self._timer.start()

    def show_numbers(self) -> None:
        """Show the numbers that the step speaks of, as they are on the screen now."""
        if self.player.transport.playing:
            return
        cards, theme = self.player.numbers(), self._theme
        rows = "".join(
            f"<tr><td style='color:{theme.muted}; padding-right:12px'>{card.title}</td>"
            f"<td align='right' style='font-weight:600; padding-right:12px'>{card.value_text}</td>"
            f"<td style='color:{theme.muted}'>{card.theory_text}</td></tr>"
            for card in cards
        )
        self.numbers.setVisible(bool(cards))
        words = f"<table style='font-size:12px; color:{theme.text}'>{rows}</table>" if cards else ""
        if words != self.numbers.text():
            self.numbers.setText(words)

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self._theme = theme
        self.all.setIcon(icon("left", theme.muted, 16))
        self.dots.dress(theme)
        self._render()
        self.show_numbers()


def _words_of(player: LessonPlayer, step: Step) -> str:
    """Return a step's markdown; the first one begins with what the lesson is about."""
    parts = [f"**{step.title}**" if step.title else "", step.text]
    if player.place.step == 0:
        lesson = player.lesson
        parts = [f"*“{lesson.misconception}”*" if lesson.misconception else "", lesson.intro, *parts]
    return "\n\n".join(part for part in parts if part)
