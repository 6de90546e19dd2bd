"""Play, step and scrub the playhead over a frozen result: nothing is computed anew while it moves."""

from collections.abc import Callable
from time import perf_counter

import numpy as np
from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QPushButton, QSizePolicy, QSlider, QToolButton, QWidget

from attnsim.gui import tips
from attnsim.gui.short_label import ShortLabel
from attnsim.gui.theme import Theme, font, icon
from attnsim.gui.tips import wrapped
from attnsim.words import _

FULL_WALK_SECONDS = 8.0
TICK_MILLISECONDS = 16
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


class Transport(QFrame):
    """The bar under the panels. `moved` carries the playhead: a dimension, or None for the end."""

    moved = Signal(object)
    playing_changed = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("transport")
        self._steps = np.array([0, 1])
        self._position = 1.0
        self._before = 0.0
        self._widest = ""
        self._theme: Theme | None = None
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MILLISECONDS)
        self._timer.timeout.connect(self._tick)
        self._make()
        self.setEnabled(False)

    def _make(self) -> None:
        self.play = QPushButton()
        self.play.setObjectName("primary")
        self.play.setFixedSize(44, 34)
        self.play.clicked.connect(self.toggle)
        self.back = self._button(_("Step back"), _("Left"), self.step_back)
        self.forward = self._button(_("Step forward"), _("Right"), self.step_forward)
        self.rewind = self._button(_("Back to the start"), _("Home"), self.to_start)
        self.scrub = QSlider(Qt.Orientation.Horizontal)
        self.scrub.setAccessibleName(_("Moment shown"))
        self.scrub.setToolTip(wrapped(tips.SCRUB))
        self.scrub.valueChanged.connect(self._scrubbed)
        self.label = ShortLabel("step", Qt.AlignmentFlag.AlignRight)
        self.label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.speed = QComboBox()
        self.speed.setAccessibleName(_("Speed"))
        self.speed.setToolTip(wrapped(tips.SPEED))
        for factor in SPEEDS:
            self.speed.addItem(f"{factor:g}×", factor)
        self.speed.setCurrentIndex(SPEEDS.index(1.0))
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 7, 14, 7)
        row.setSpacing(6)
        for part in (self.play, self.back, self.forward, self.rewind):
            row.addWidget(part)
        row.addSpacing(8)
        row.addWidget(self.scrub, 1)
        row.addSpacing(8)
        row.addWidget(self.label)
        row.addSpacing(6)
        row.addWidget(self.speed)
        self._name_play()

    def _button(self, name: str, shortcut: str, action: object) -> QToolButton:
        button = QToolButton()
        button.setAccessibleName(name)
        button.setToolTip(f"{name} ({shortcut})")
        button.setIconSize(QSize(20, 20))
        button.clicked.connect(lambda _checked=False: action())
        return button

    @property
    def playing(self) -> bool:
        """Whether the playhead moves by itself."""
        return self._timer.isActive()

    @property
    def dim(self) -> int:
        """The last dimension."""
        return int(self._steps[-1])

    def show_steps(
        self, steps: np.ndarray, playhead: int | None, shown: int, words: Callable[[int], str] | None = None
    ) -> None:
        """Show a result's moments, where the playhead stands, and the moment that all panels show.

        Nothing moves where there are no moments: then the bar is hidden. `words` says what a moment is.

        Called with the panels' own refresh, so that all parts of the window speak of one moment.
        """
        if self.isHidden() != (steps.size < 2):
            self.setVisible(steps.size >= 2)
        if steps.size < 2:
            self.pause()
            self.setEnabled(False)
            return
        words = words or self._dimension
        if len(steps) != len(self._steps) or steps[-1] != self._steps[-1] or words(self.dim) != self._widest:
            share = self._position / self.dim
            self._steps = steps
            if self.playing:
                self._position = share * self.dim
            with QSignalBlocker(self.scrub):
                self.scrub.setRange(0, self.dim)
                self.scrub.setPageStep(max(1, self.dim // 10))
            self._widest = words(self.dim)
            self.label.setFixedWidth(QFontMetrics(font(13)).horizontalAdvance(self._widest) + 4)
        self.setEnabled(True)
        self._show_playhead(playhead, words(shown))

    def _dimension(self, step: int) -> str:
        return _("d = {step} of {dim}").format(step=f"{step:,}", dim=f"{self.dim:,}")

    def _show_playhead(self, playhead: int | None, words: str) -> None:
        step = self.dim if playhead is None else min(playhead, self.dim)
        if not self.playing:
            self._position = float(step)
        if self.scrub.value() != step:
            with QSignalBlocker(self.scrub):
                self.scrub.setValue(step)
        self.label.say(words)

    def toggle(self) -> None:
        """Play, from the start when it stands at the end; or pause."""
        if self.playing:
            self.pause()
        elif self.isEnabled():
            if self._position >= self.dim:
                self._go(0)
            self._before = perf_counter()
            self._timer.start()
            self._name_play()
            self.playing_changed.emit(True)

    def pause(self) -> None:
        """Stand still."""
        if self.playing:
            self._timer.stop()
            self._name_play()
            self.playing_changed.emit(False)

    def step_forward(self) -> None:
        """Go to the next checkpoint."""
        self.pause()
        later = self._steps[self._steps > self._position]
        self._go(int(later[0]) if len(later) else self.dim)

    def step_back(self) -> None:
        """Go to the checkpoint before."""
        self.pause()
        earlier = self._steps[self._steps < self._position]
        self._go(int(earlier[-1]) if len(earlier) else 0)

    def to_start(self) -> None:
        """Go to dimension 0; it plays on if it played."""
        self._go(0)

    def to_end(self) -> None:
        """Go to the last dimension."""
        self.pause()
        self._go(self.dim)

    def _scrubbed(self, step: int) -> None:
        self.pause()
        self._go(step)

    def _go(self, step: int) -> None:
        self._position = float(step)
        self.moved.emit(None if step >= self.dim else step)

    def _tick(self) -> None:
        now = perf_counter()
        self._position += (now - self._before) * self.dim / FULL_WALK_SECONDS * self.speed.currentData()
        self._before = now
        if self._position >= self.dim:
            self.pause()
            self._go(self.dim)
            return
        # the checkpoint at or below: between two of them nothing changes, so nothing is drawn
        place = int(np.searchsorted(self._steps, self._position, side="right")) - 1
        self.moved.emit(int(self._steps[max(place, 0)]))

    def _name_play(self) -> None:
        name = _("Pause") if self.playing else _("Play")
        self.play.setAccessibleName(name)
        self.play.setToolTip(_("{name} (Space)").format(name=name))
        if self._theme is not None:
            self.play.setIcon(icon("pause" if self.playing else "play", self._theme.on_accent))

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self._theme = theme
        self.back.setIcon(icon("back", theme.text))
        self.forward.setIcon(icon("forward", theme.text))
        self.rewind.setIcon(icon("rewind", theme.text))
        self._name_play()

    def controls(self) -> tuple[QWidget, ...]:
        """Return what Tab goes through, in order."""
        return self.play, self.back, self.forward, self.rewind, self.scrub, self.speed
