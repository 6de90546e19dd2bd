"""A slider and a field for one number, linear or logarithmic, and the row for the seed."""

import math
import random

from PySide6.QtCore import QLocale, QRegularExpression, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from attnsim.gui import tips
from attnsim.gui.limit_slider import LimitSlider
from attnsim.gui.theme import Theme, icon
from attnsim.scenario import Knob
from attnsim.words import _

POSITIONS = 1000
FIELD_PIXELS, NARROW_PIXELS = 74, 60


DECIMALS = 9


class ShortSpin(QDoubleSpinBox):
    """A field that shows the digits a number has, two decimals at least and six digits at most."""

    def textFromValue(self, value: float) -> str:
        """Write a number for the field."""
        short = f"{value:.6g}"
        return f"{value:.2f}" if "e" not in short and len(short.partition(".")[2]) < 2 else short


class KnobRow(QWidget):
    """One numeric field of the scenario.

    Parameters
    ----------
    field : str
        Name in `Scenario`.
    title : str
        Rich text for the label; `name` is the same in plain words.
    knob : Knob
        Limits of the field.
    reach : tuple of float or None
        A narrower range for the slider alone, where most of the field's range is seldom wanted.
    narrow : bool
        Whether two such rows stand side by side.
    tip : str
        What the field does; that of the Scenario's field when left out.
    """

    changed = Signal(object)  # the proposed value
    sealed = Signal()

    def __init__(
        self,
        field: str,
        title: str,
        name: str,
        knob: Knob,
        reach: tuple[float, float] | None = None,
        narrow: bool = False,
        tip: str = "",
    ) -> None:
        super().__init__()
        self.field, self.knob = field, knob
        self._low, self._high = reach or (knob.low, knob.high)
        self._limits = (knob.low, knob.high)
        self._shown = knob.low
        self._tip = tip or tips.field(field)
        self.setToolTip(tips.wrapped(self._tip))
        self.slider = LimitSlider()
        self.slider.setRange(0, POSITIONS)
        self.slider.setPageStep(POSITIONS // 20)
        self.slider.setSingleStep(4)
        self.slider.setAccessibleName(name)
        self.spin = self._make_spin()
        self.spin.setFixedWidth(NARROW_PIXELS if narrow else FIELD_PIXELS)
        self.spin.setAccessibleName(_("{name}, exact value").format(name=name))
        self._compose(title)
        self.slider.valueChanged.connect(self._slid)
        self.slider.sliderReleased.connect(self.sealed)
        self.spin.valueChanged.connect(self._typed)
        self.spin.editingFinished.connect(self.sealed)

    def _make_spin(self) -> QSpinBox | QDoubleSpinBox:
        spin = QSpinBox() if self.knob.whole else ShortSpin()
        if not self.knob.whole:
            spin.setDecimals(DECIMALS)
            spin.setSingleStep(0.05)
            if self.knob.logarithmic:
                spin.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        # the field takes more than the scenario may allow, so that what is refused is said, not silently bent
        spin.setLocale(QLocale.c())
        spin.setRange(int(self.knob.low) if self.knob.whole else self.knob.low, min(self.knob.high, 2**31 - 1))
        spin.setKeyboardTracking(False)
        spin.setAlignment(Qt.AlignmentFlag.AlignRight)
        return spin

    def _compose(self, title: str) -> None:
        self.label = QLabel(title)
        self.label.setBuddy(self.spin)
        top = QHBoxLayout()
        top.addWidget(self.label)
        top.addStretch(1)
        top.addWidget(self.spin)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(top)
        layout.addWidget(self.slider)

    def show_value(self, value: float, limits: tuple[float, float] | None = None) -> None:
        """Show the scenario's value without proposing it."""
        if limits is not None and limits != self._limits:
            self._show_limits(limits)
        self._shown = value
        with QSignalBlocker(self.spin):
            self.spin.setValue(int(value) if self.knob.whole else value)
        # never written back while it is dragged: several positions mean the same small number
        if not self.slider.isSliderDown() and self.value_at(self.slider.value()) != value:
            with QSignalBlocker(self.slider):
                self.slider.setValue(self.position_of(value))

    def _show_limits(self, limits: tuple[float, float]) -> None:
        """Mark what the other fields leave; the range stays, so that the handle moves with its own value alone."""
        self._limits = limits
        self.slider.show_limits(*map(self.position_of, limits))
        narrower = limits != (self.knob.low, self.knob.high)
        more = tips.limited(*limits) if narrower and limits[0] < limits[1] else ""
        self.setToolTip(tips.wrapped(self._tip, more))

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self.slider.dress(theme)

    def value_at(self, position: int) -> float:
        """Return the number a slider position means."""
        share = position / POSITIONS
        if self.knob.logarithmic:
            value = self._low * (self._high / self._low) ** share
        else:
            value = self._low + (self._high - self._low) * share
        if self.knob.whole:
            return round(value)
        return round(value, 2 if not self.knob.logarithmic else max(2, 2 - math.floor(math.log10(value))))

    def position_of(self, value: float) -> int:
        """Return the slider position nearest to a number."""
        value = min(max(value, self._low), self._high)
        if self._high <= self._low:
            return 0
        if self.knob.logarithmic:
            return round(POSITIONS * math.log(value / self._low) / math.log(self._high / self._low))
        return round(POSITIONS * (value - self._low) / (self._high - self._low))

    def _slid(self, position: int) -> None:
        value = self._allowed(self.value_at(position))
        if value != self.value_at(position):
            with QSignalBlocker(self.slider):
                self.slider.setValue(self.position_of(value))  # the handle stops where the track ends
        if not self.slider.isSliderDown():
            self.sealed.emit()
        with QSignalBlocker(self.spin):
            self.spin.setValue(int(value) if self.knob.whole else value)
        self.changed.emit(value)

    def _allowed(self, value: float) -> float:
        """Return the nearest value the scenario takes now, of as many decimals as the slider gives."""
        low, high = self._limits
        if low <= value <= high:
            return value
        return math.ceil(100.0 * low) / 100.0 if value < low else math.floor(100.0 * high) / 100.0

    def _typed(self, value: float) -> None:
        if self.spin.textFromValue(value) == self.spin.textFromValue(self._shown):
            return  # Enter in a field that nobody touched must not round what runs to what it shows
        self.sealed.emit()
        self.changed.emit(value)


class SeedRow(QWidget):
    """The seed, up to 2^63 - 1, which no spin box holds, with a button that throws a new one."""

    changed = Signal(object)

    def __init__(self, knob: Knob) -> None:
        super().__init__()
        self.edit = QLineEdit()
        self.edit.setValidator(QRegularExpressionValidator(QRegularExpression(r"\d{1,19}")))
        self.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.edit.setAccessibleName(_("Seed"))
        self.edit.setFixedWidth(FIELD_PIXELS + 22)
        self.dice = QToolButton()
        self.dice.setAccessibleName(_("New seed"))
        self.dice.setToolTip(tips.wrapped(tips.NEW_SEED))
        self.setToolTip(tips.wrapped(tips.field("seed")))
        label = QLabel(_("Seed"))
        label.setBuddy(self.edit)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(label)
        layout.addStretch(1)
        layout.addWidget(self.dice)
        layout.addWidget(self.edit)
        self.edit.editingFinished.connect(self._typed)
        self.dice.clicked.connect(self.throw)

    def show_value(self, value: int) -> None:
        """Show the scenario's seed without proposing it."""
        if self.edit.text() != str(value):
            self.edit.setText(str(value))

    def throw(self) -> None:
        """Propose another seed, short enough to be told to somebody."""
        self.changed.emit(random.randrange(10_000))

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self.dice.setIcon(icon("dice", theme.muted))

    def _typed(self) -> None:
        if self.edit.text():
            self.changed.emit(int(self.edit.text()))
