"""Scale rules as checkable chips in their colours: the legend of all panels is where they are chosen."""

from PySide6.QtCore import QLocale, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from attnsim.choices.scalings import SCALINGS, Formula, Parameter, parse
from attnsim.figures.formula import from_mathtext, plain
from attnsim.figures.moment import rule_roles
from attnsim.gui.theme import Theme, icon
from attnsim.scenario import Scenario
from attnsim.words import _

SWATCH = 14
ALWAYS = ("none", "inverse_sqrt", "inverse_d")  # chips from the start; the others are added from the list
FIELD_PIXELS, CHIP_PIXELS = 60, 80  # the second is for a chip's words, the longest of which are cut


def swatch(color: QColor, filled: bool) -> QIcon:
    """Return a rounded square: full for a rule that is shown, a rim for one that is not."""
    pixmap = QPixmap(QSize(SWATCH * 2, SWATCH * 2))
    pixmap.setDevicePixelRatio(2.0)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, 1.5))
    painter.setBrush(color if filled else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(1, 1, SWATCH - 2, SWATCH - 2, 3.5, 3.5)
    painter.end()
    return QIcon(pixmap)


def _tip(name: str) -> str:
    """Return a rule's whole name, what it is in two sentences, and its source."""
    rule = parse(name)
    scaling = rule.scaling
    formula = plain(from_mathtext(scaling.formula))
    return "\n".join((rule.title, formula, *(_(sentence) for sentence in scaling.sentences), scaling.source))


class RulesBox(QWidget):
    """Chips of the rules in use, a line to add any other one, and the rule of the lower score plot."""

    changed = Signal(object)  # the proposed tuple of names
    compared = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._known = list(ALWAYS)
        self._shown: tuple[str, ...] = ()
        self._theme: Theme | None = None
        self.chips: dict[str, QPushButton] = {}
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(4)
        self._grid.setVerticalSpacing(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(self._grid)
        layout.addLayout(self._adder())
        layout.addLayout(self._comparison())

    def _adder(self) -> QHBoxLayout:
        self.kind = QComboBox()
        for key, scaling in SCALINGS.items():
            if key not in ALWAYS:
                self.kind.addItem(_(scaling.label if scaling.label else scaling.title), key)
                words = " ".join(_(sentence) for sentence in scaling.sentences)
                self.kind.setItemData(self.kind.count() - 1, words, Qt.ItemDataRole.ToolTipRole)
        self.kind.setAccessibleName(_("Rule to add"))
        self.kind.setMinimumContentsLength(8)
        self.kind.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.number = QDoubleSpinBox()
        self.number.setLocale(QLocale.c())
        self.number.setDecimals(2)
        self.number.setAccessibleName(_("Number of the rule to add"))
        self.number.setFixedWidth(FIELD_PIXELS)
        self.formula = QLineEdit()
        self.formula.setAccessibleName(_("Formula of the rule to add"))
        self.formula.setMinimumWidth(FIELD_PIXELS)
        self.formula.returnPressed.connect(self._add)
        self.add = QToolButton()
        self.add.setAccessibleName(_("Add this rule"))
        self.add.setToolTip(_("Add this rule"))
        self.kind.currentIndexChanged.connect(self._offer)
        self.add.clicked.connect(self._add)
        self._offer()
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.kind, 1)
        row.addWidget(self.number)
        row.addWidget(self.formula, 1)
        row.addWidget(self.add)
        return row

    def _comparison(self) -> QHBoxLayout:
        self.rule = QComboBox()
        self.rule.setAccessibleName(_("Rule looked at"))
        self.rule.setMinimumContentsLength(6)
        self.rule.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.rule.currentIndexChanged.connect(lambda _index: self.compared.emit(self.rule.currentData() or ""))
        label = QLabel(_("Rule looked at"))
        label.setBuddy(self.rule)
        row = QHBoxLayout()
        row.addWidget(label, 1)
        row.addWidget(self.rule)
        return row

    def _offer(self, *_ignored: object) -> None:
        scaling = SCALINGS[self.kind.currentData()]
        parameter = scaling.parameter
        self.kind.setToolTip(" ".join(_(sentence) for sentence in scaling.sentences))
        self.number.setVisible(isinstance(parameter, Parameter))
        self.formula.setVisible(isinstance(parameter, Formula))
        if isinstance(parameter, Formula):
            self.formula.setText(parameter.default)
        if not isinstance(parameter, Parameter):
            return
        self.number.setToolTip(parameter.name)
        self.number.setDecimals(3 if parameter.default < 1.0 else 2)
        self.number.setRange(max(parameter.low, -1e6), min(parameter.high, 1e6))
        self.number.setSingleStep(1.0 if parameter.default >= 1.0 else 0.05)
        self.number.setValue(parameter.default)

    def _add(self) -> None:
        key = self.kind.currentData()
        parameter = SCALINGS[key].parameter
        text = self.formula.text() if isinstance(parameter, Formula) else f"{self.number.value():g}"
        name = key if parameter is None else f"{key}:{text.strip()}"
        if name not in self._shown:
            self.changed.emit((*self._shown, name))

    def _toggle(self, name: str, on: bool) -> None:
        chosen = [other for other in self._known if (on if other == name else other in self._shown)]
        self.changed.emit(tuple(chosen))

    def show_scenario(self, scenario: Scenario, rule: str) -> None:
        """Show which rules run and which is compared, without proposing anything."""
        fresh = [name for name in scenario.scalings if name not in self._known]
        self._known += fresh
        if fresh or not self.chips:
            self._lay_out()
        if scenario.scalings != self._shown:
            self._shown = scenario.scalings
            with QSignalBlocker(self.rule):
                self.rule.clear()
                for each in scenario.rules:
                    self.rule.addItem(each.title, each.name)
        for name, chip in self.chips.items():
            with QSignalBlocker(chip):
                chip.setChecked(name in self._shown)
        self._paint()
        self.show_compared(rule)

    def show_compared(self, rule: str) -> None:
        """Show which rule the lower score plot has."""
        if self.rule.currentData() != rule:
            with QSignalBlocker(self.rule):
                self.rule.setCurrentIndex(max(0, self.rule.findData(rule)))

    def _lay_out(self) -> None:
        for name in self._known:
            if name not in self.chips:
                chip = QPushButton()
                title = parse(name).title
                chip.setText(chip.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, CHIP_PIXELS))
                chip.setObjectName("chip")
                chip.setCheckable(True)
                chip.setToolTip(_tip(name))
                chip.setAccessibleName(_("Scale rule {rule}").format(rule=parse(name).title))
                chip.toggled.connect(lambda on, name=name: self._toggle(name, on))
                self.chips[name] = chip
        for place, name in enumerate(self._known):
            self._grid.addWidget(self.chips[name], place // 2, place % 2)

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self._theme = theme
        self.add.setIcon(icon("plus", theme.text))
        self._paint()

    def _paint(self) -> None:
        if self._theme is None:
            return
        shown = [parse(name) for name in self._shown]
        roles = dict(zip(self._shown, rule_roles(tuple(shown)), strict=True))
        for name, chip in self.chips.items():
            role = roles.get(name, parse(name).scaling.color)
            state = (self._theme.name, chip.isChecked(), role)
            if chip.property("painted") != str(state):
                chip.setProperty("painted", str(state))
                chip.setIcon(swatch(self._theme.color(role), chip.isChecked()))
