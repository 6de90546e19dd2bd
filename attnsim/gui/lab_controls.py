"""The controls of one lab: one for each field of the scenario and of the lab's section, in the lab's groups."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from attnsim.choices.declared import knobs_of, options_of
from attnsim.choices.laws import LAWS
from attnsim.choices.laws.initialised import INITIALISATIONS
from attnsim.choices.masks import MASKS
from attnsim.choices.scalings import Expression
from attnsim.choices.sections import section_of
from attnsim.figures.formula import from_mathtext, plain
from attnsim.gui import tips
from attnsim.gui.field_words import CHOICE_TITLES, CHOICE_WORDS, DESCRIBED, OF_LAWS, PAIRS, REACH, REAL_TOO, TITLES
from attnsim.gui.group import Group
from attnsim.gui.knob import KnobRow, SeedRow
from attnsim.gui.rules import RulesBox
from attnsim.gui.session import Session
from attnsim.gui.theme import Theme
from attnsim.gui.vectors_panel import VectorsPanel
from attnsim.labs.lab import Lab
from attnsim.scenario import Scenario, knobs, options
from attnsim.view import View
from attnsim.words import _


class LabControls(QScrollArea):
    """Proposes changes to the session, and shows what the session took."""

    def __init__(self, session: Session, lab: Lab) -> None:
        super().__init__()
        self.session, self.lab = session, lab
        section = section_of(lab.key)
        self._numbers = knobs() | ({} if section is None else knobs_of(section))
        self._options = options() | ({} if section is None else options_of(section))
        self._own = dict(lab.controls)
        self.knobs: dict[str, KnobRow] = {}
        self.choices: dict[str, QComboBox] = {}
        self.picks: dict[str, QComboBox] = {}
        self._choice_rows: dict[str, QWidget] = {}
        self.groups: list[Group] = []
        self._hidden: tuple[str, ...] = ()
        self._locked: tuple[str, ...] = ()
        self._held: set[str] = set()
        self.seed = SeedRow(knobs()["seed"])
        self.rules = RulesBox()
        self.vectors = VectorsPanel(session) if lab.real else None
        self._changed_law = self._quiet(_("Correlation changes this law: the components no longer follow it exactly."))
        self._compose()
        self.seed.changed.connect(lambda value: self._propose(seed=value))
        self.rules.changed.connect(lambda names: self._propose(scalings=names))
        self.rules.compared.connect(lambda name: name and session.look(rule=name))
        self.show_scenario(session.scenario)
        self.show_view(session.view)
        self.show_vectors(session.vectors)

    def _compose(self) -> None:
        body = QWidget()
        body.setObjectName("sideBody")
        column = QVBoxLayout(body)
        column.setContentsMargins(18, 2, 16, 12)
        column.setSpacing(6)
        if self.vectors is not None:
            column.addWidget(self.vectors)
        if self.lab.picks:
            column.addWidget(self._picks())
        rules = Group(_("Scale rules"))
        rules.rows.addWidget(self.rules)
        self.groups.append(rules)
        for number, (title, fields) in enumerate(self.lab.knobs):
            column.addWidget(self._group(_(title), fields))
            if number == 0 and self.lab.rules:
                column.addWidget(rules)
        column.addStretch(1)
        self.lesson = self._quiet(_(self.lab.lesson))
        column.addWidget(self.lesson)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(body)
        if not self.lab.rules:
            rules.setParent(body)
            rules.hide()
            self.groups.remove(rules)

    def _picks(self) -> Group:
        group = Group(_("Show"))
        for pick in self.lab.picks:
            combo = QComboBox()
            for word, title in pick.options:
                combo.addItem(_(title), word)
            combo.setAccessibleName(_(pick.title))
            combo.currentIndexChanged.connect(
                lambda _index, pick=pick, combo=combo: self.session.look(
                    picks=self.session.view.picking(pick.name, combo.currentData()).picks
                )
            )
            group.rows.addWidget(self._labelled(_(pick.title), combo))
            self.picks[pick.name] = combo
        self.groups.append(group)
        return group

    @staticmethod
    def _labelled(name: str, combo: QComboBox) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        label = QLabel(name)
        label.setBuddy(combo)
        combo.setMinimumContentsLength(6)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        row.addWidget(label)
        row.addWidget(combo, 1)
        return holder

    def _group(self, title: str, fields: tuple[str, ...]) -> Group:
        group = Group(title)
        for field in fields:
            if field == "seed":
                group.rows.addWidget(self.seed)
            elif field in self._options:
                group.rows.addWidget(self._choice(field))
                if field == "law":
                    group.rows.addWidget(self._changed_law)
            elif field in PAIRS:
                pair = QHBoxLayout()
                pair.setSpacing(14)
                for each in (field, PAIRS[field]):
                    pair.addWidget(self._knob(each, narrow=True), 1)
                group.rows.addLayout(pair)
            elif field not in PAIRS.values():
                group.rows.addWidget(self._knob(field))
        self.groups.append(group)
        return group

    def _knob(self, field: str, narrow: bool = False) -> KnobRow:
        own = self._own.get(field)
        title, name = TITLES[field] if own is None else (own.title, own.name)
        limits, tip = self._numbers[field], tips.field(field) if own is None else _(own.meaning)
        row = KnobRow(field, _(title), _(name), limits, REACH.get(field), narrow, tip)
        row.changed.connect(lambda value: self._propose(**{field: value}))
        row.sealed.connect(self.session.seal)
        self.knobs[field] = row
        return row

    def _choice(self, field: str) -> QWidget:
        combo, own = QComboBox(), self._own.get(field)
        for option in self._options[field]:
            words, tip = self._words(field, option) if own is None else (_(dict(own.options)[option]), "")
            combo.addItem(words, option)
            combo.setItemData(combo.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        title, name = (CHOICE_TITLES[field],) * 2 if own is None else (own.title, own.name)
        combo.setAccessibleName(_(name))
        combo.setToolTip(tips.wrapped(self._meaning(field)))
        combo.currentIndexChanged.connect(lambda _index: self._propose(**{field: combo.currentData()}))
        holder = self._labelled(_(title), combo)
        self.choices[field] = combo
        self._choice_rows[field] = holder
        return holder

    def _meaning(self, field: str) -> str:
        return _(self._own[field].meaning) if field in self._own else tips.field(field)

    @staticmethod
    def _words(field: str, option: str) -> tuple[str, str]:
        """Return what a choice is called, and what is said of it."""
        if field in DESCRIBED:
            entry = DESCRIBED[field][option]
            formula = plain(from_mathtext(entry.formula))
            return _(entry.title), "\n".join((formula, *map(_, entry.sentences), entry.source))
        if field == "initialisation":
            return _(INITIALISATIONS[option].title), INITIALISATIONS[option].source
        return _(CHOICE_WORDS[option]), ""

    @staticmethod
    def _quiet(text: str) -> QLabel:
        label = QLabel(text)
        label.setObjectName("quiet")
        label.setWordWrap(True)
        return label

    def _propose(self, **changes: object) -> None:
        if set(changes) - set(self.knobs):
            self.session.seal()  # one click is one step for undo; a knob seals at the end of its drag
        self.session.propose(**changes)

    def show_scenario(self, scenario: Scenario) -> None:
        """Show the running scenario in every control."""
        if type(scenario.section) is not type(section_of(self.lab.key)):
            return  # of another lab
        for field, row in self.knobs.items():
            limits = scenario.limits(field) if field in ("rho", "r_q", "r_k") else None
            row.show_value(self._value(scenario, field), limits)
        for field, combo in self.choices.items():
            with QSignalBlocker(combo):
                combo.setCurrentIndex(combo.findData(self._value(scenario, field)))
                about = combo.currentData(Qt.ItemDataRole.ToolTipRole)
                combo.setToolTip(tips.wrapped(self._meaning(field), about))
        self.seed.show_value(scenario.seed)
        self.rules.show_scenario(scenario, self.session.view.rule)
        self._show_law(scenario)
        if self._hidden or self._locked:
            self._hold()

    def _value(self, scenario: Scenario, field: str) -> object:
        return getattr(scenario.section if field in self._own else scenario, field)

    def _show_law(self, scenario: Scenario) -> None:
        """Show the controls that mean something under this law, mask and rules."""
        law = LAWS[scenario.law]
        ruled = OF_LAWS if "law" in self.choices else set()  # a lab that draws by no law reads what it offers
        for field in ruled & (self.knobs.keys() | self.choices.keys()):
            self._control(field).setVisible(field in law.reads)
        if "layer_number" in self.knobs:
            formulas = [rule.value for rule in scenario.rules if isinstance(rule.value, Expression)]
            self.knobs["layer_number"].setVisible(any("layer" in formula.names for formula in formulas))
        size_title = MASKS[scenario.mask].size_title
        if "mask_size" in self.knobs and "mask" in self.choices:
            self.knobs["mask_size"].setVisible(bool(size_title))
            if size_title:
                self.knobs["mask_size"].label.setText(_(size_title))
        if "aligned" in self._choice_rows:
            self._choice_rows["aligned"].setEnabled(scenario.rho != 0.0 or scenario.aligned != "all")
        for field in {"rho", "r_q", "r_k"} & self.knobs.keys():
            refused = field in law.refuses
            self.knobs[field].setEnabled(not refused)
            if refused:
                self.knobs[field].setToolTip(_("0 for this law, {reason}").format(reason=_(law.reason)))
        self._changed_law.setVisible("law" in self.choices and scenario.marginal_changed)

    def hold(self, hidden: tuple[str, ...], locked: tuple[str, ...]) -> None:
        """Follow a teacher: hide some controls and hold others fast."""
        self._hidden, self._locked = hidden, locked
        self.show_scenario(self.session.scenario)
        self._hold()

    def _hold(self) -> None:
        parts = {"seed": self.seed, "scalings": self.rules} | self.knobs | self._choice_rows
        for name in {*self._hidden, *self._locked, *self._held} & parts.keys():
            part = parts[name]
            if name in self._held and name not in self._hidden:
                part.setVisible(True)
            if name in self._hidden:
                part.setVisible(False)
            part.setEnabled(name not in self._locked)
            if name in self._locked:
                part.setToolTip(_("Held fast in this session"))
        self._held = {*self._hidden, *self._locked}

    def _control(self, field: str) -> QWidget:
        return self.knobs[field] if field in self.knobs else self._choice_rows[field]

    def show_view(self, view: View) -> None:
        """Show which rule the lower score plot has, and what is picked; it is called for every frame that plays."""
        self.rules.show_compared(view.rule)
        for pick in self.lab.picks:
            combo, word = self.picks[pick.name], view.pick(pick.name, pick.options[0][0])
            if combo.currentData() != word:
                with QSignalBlocker(combo):
                    combo.setCurrentIndex(max(0, combo.findData(word)))

    def show_vectors(self, vectors: object) -> None:
        """Leave only what means something while real vectors are shown: the scale rules."""
        random = vectors is None or not self.lab.real
        for group in self.groups:
            kept = (self.rules, *(self.choices[name] for name in self.choices if name in REAL_TOO))
            group.setVisible(random or any(group.body.isAncestorOf(each) for each in kept))

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self.seed.dress(theme)
        self.rules.dress(theme)
        if self.vectors is not None:
            self.vectors.dress(theme)
        for part in (*self.groups, *self.knobs.values()):
            part.dress(theme)
