"""The sidebar: one control for each field of the scenario, in the lab's groups."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QScrollArea, QToolButton, QVBoxLayout, QWidget

from attnsim.choices.formats import FORMATS
from attnsim.choices.laws import LAWS
from attnsim.choices.laws.initialised import INITIALISATIONS
from attnsim.choices.masks import MASKS
from attnsim.choices.scalings import Expression
from attnsim.figures.formula import from_mathtext, plain
from attnsim.gui import tips
from attnsim.gui.knob import KnobRow, SeedRow
from attnsim.gui.rules import RulesBox
from attnsim.gui.session import Session
from attnsim.gui.theme import Theme, icon
from attnsim.gui.vectors_panel import VectorsPanel
from attnsim.labs.lab import Lab
from attnsim.scenario import Scenario, knobs, options
from attnsim.view import View
from attnsim.words import _, mark

WIDTH = 272

# (rich text, plain words) of each numeric field
TITLES = {
    "dim": (mark("Dimension <i>d</i>"), mark("Dimension")),
    "keys": (mark("Keys <i>n</i>"), mark("Keys")),
    "nu": (mark("Degrees of freedom <i>ν</i>"), mark("Degrees of freedom")),
    "shape": (mark("<i>σ</i> of the logarithm"), mark("Spread of the logarithm")),
    "nonzero": (mark("Share that is not 0, <i>p</i>"), mark("Share that is not 0")),
    "phi_q": (mark("<i>φ</i> in <i>q</i>"), mark("Correlation of neighbours in q")),
    "phi_k": (mark("<i>φ</i> in <i>k</i>"), mark("Correlation of neighbours in k")),
    "rank": (mark("Rank <i>r</i>"), mark("Rank")),
    "d_model": (mark("Width <i>D</i> of the model"), mark("Width of the model")),
    "sigma_q": (mark("<i>σ</i> of <i>q</i>"), mark("Spread of q")),
    "sigma_k": (mark("<i>σ</i> of <i>k</i>"), mark("Spread of k")),
    "mean_q": (mark("<i>μ</i> of <i>q</i>"), mark("Mean of q")),
    "mean_k": (mark("<i>μ</i> of <i>k</i>"), mark("Mean of k")),
    "rho": (mark("Correlation <i>ρ</i> of <i>q</i> and <i>k</i>"), mark("Correlation of q and k")),
    "r_q": (mark("<i>r</i> in <i>q</i>"), mark("Correlation within q")),
    "r_k": (mark("<i>r</i> in <i>k</i>"), mark("Correlation within k")),
    "rows": (mark("Rows drawn"), mark("Rows drawn")),
    "mask_size": (mark("Keys of the mask"), mark("Keys of the mask")),
    "layer_number": (mark("Layer"), mark("Number of the layer")),
}
CHOICE_TITLES = {
    "law": mark("Law"),
    "aligned": mark("Correlated keys"),
    "projections": mark("Matrices"),
    "initialisation": mark("Initialisation"),
    "mask": mark("Mask"),
    "format": mark("Format"),
}
DESCRIBED = {"law": LAWS, "mask": MASKS, "format": FORMATS}  # fields whose words are entries of a registry
REAL_TOO = {"mask", "format"}  # what means something to real vectors as well
CHOICE_WORDS = {
    "all": mark("every key"),
    "one": mark("key 0 alone"),
    "independent": mark("independent"),
    "tied": mark("tied"),
}
OF_LAWS = {name for law in LAWS.values() for name in law.reads}  # shown for the laws that read them alone

# fields that stand side by side
PAIRS = {"sigma_q": "sigma_k", "mean_q": "mean_k", "r_q": "r_k", "phi_q": "phi_k"}

# the sliders keep to where most is to be seen; the field beside them takes the whole range
REACH = {
    "mean_q": (-2.0, 2.0),
    "mean_k": (-2.0, 2.0),
    "sigma_q": (0.1, 10.0),
    "sigma_k": (0.1, 10.0),
    "nu": (1.0, 100.0),
    "rows": (10, 100_000),
}


class Group(QWidget):
    """A heading that folds what is under it."""

    def __init__(self, title: str, folded: bool = False) -> None:
        super().__init__()
        self.head = QToolButton()
        self.head.setObjectName("group")
        self.head.setText(title)
        self.head.setCheckable(True)
        self.head.setChecked(not folded)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setAccessibleName(_("Group {title}").format(title=title))
        self.head.setToolTip(_("Fold or unfold {title}").format(title=title))
        self.body = QWidget()
        self.rows = QVBoxLayout(self.body)
        self.rows.setContentsMargins(0, 2, 0, 4)
        self.rows.setSpacing(6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.body)
        self.body.setVisible(not folded)
        self.head.toggled.connect(self._fold)
        self._theme: Theme | None = None

    def _fold(self, open_: bool) -> None:
        self.body.setVisible(open_)
        if self._theme is not None:
            self.dress(self._theme)

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self._theme = theme
        self.head.setIcon(icon("down" if self.head.isChecked() else "right", theme.muted))


class Sidebar(QFrame):
    """Proposes changes to the session, and shows what the session took."""

    seed_wanted = Signal()

    def __init__(self, session: Session, lab: Lab) -> None:
        super().__init__()
        self.setObjectName("sidebar")
        self.setFixedWidth(WIDTH)
        self.session = session
        self.knobs: dict[str, KnobRow] = {}
        self.choices: dict[str, QComboBox] = {}
        self._choice_rows: dict[str, QWidget] = {}
        self.groups: list[Group] = []
        self.seed = SeedRow(knobs()["seed"])
        self.rules = RulesBox()
        self.vectors = VectorsPanel(session)
        self._changed_law = self._quiet(_("Correlation changes this law: the components no longer follow it exactly."))
        self._compose(lab)
        self.seed.changed.connect(lambda value: self._propose(seed=value))
        self.rules.changed.connect(lambda names: self._propose(scalings=names))
        self.rules.compared.connect(lambda name: name and session.look(rule=name))
        session.scenario_changed.connect(self.show_scenario)
        session.vectors_changed.connect(self.show_vectors)
        session.view_changed.connect(self.show_view)
        self.show_scenario(session.scenario)
        self.show_vectors(session.vectors)

    def _compose(self, lab: Lab) -> None:
        body = QWidget()
        body.setObjectName("sideBody")
        column = QVBoxLayout(body)
        column.setContentsMargins(18, 2, 16, 12)
        column.setSpacing(6)
        column.addWidget(self.vectors)
        for number, (title, fields) in enumerate(lab.knobs):
            column.addWidget(self._group(_(title), fields))
            if number == 0:
                rules = Group(_("Scale rules"))
                rules.rows.addWidget(self.rules)
                self.groups.append(rules)
                column.addWidget(rules)
        column.addStretch(1)
        self.lesson = self._quiet(_(lab.lesson))
        column.addWidget(self.lesson)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(body)
        brand = QLabel("attnsim")
        brand.setObjectName("brand")
        brand.setContentsMargins(18, 11, 0, 4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 1, 0)
        layout.setSpacing(0)
        layout.addWidget(brand)
        layout.addWidget(scroll, 1)

    def _group(self, title: str, fields: tuple[str, ...]) -> Group:
        group = Group(title)
        for field in fields:
            if field == "seed":
                group.rows.addWidget(self.seed)
            elif field in options():
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
        title, name = TITLES[field]
        row = KnobRow(field, _(title), _(name), knobs()[field], REACH.get(field), narrow)
        row.changed.connect(lambda value: self._propose(**{field: value}))
        row.sealed.connect(self.session.seal)
        self.knobs[field] = row
        return row

    def _choice(self, field: str) -> QWidget:
        combo = QComboBox()
        for option in options()[field]:
            words, tip = self._words(field, option)
            combo.addItem(words, option)
            combo.setItemData(combo.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        name = _(CHOICE_TITLES[field])
        combo.setAccessibleName(name)
        combo.setToolTip(tips.wrapped(tips.field(field)))
        combo.currentIndexChanged.connect(lambda _index: self._propose(**{field: combo.currentData()}))
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        label = QLabel(name)
        label.setBuddy(combo)
        row.addWidget(label)
        row.addWidget(combo, 1)
        self.choices[field] = combo
        self._choice_rows[field] = holder
        return holder

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
        for field, row in self.knobs.items():
            limits = scenario.limits(field) if field in ("rho", "r_q", "r_k") else None
            row.show_value(getattr(scenario, field), limits)
        for field, combo in self.choices.items():
            with QSignalBlocker(combo):
                combo.setCurrentIndex(combo.findData(getattr(scenario, field)))
                combo.setToolTip(tips.wrapped(tips.field(field), combo.currentData(Qt.ItemDataRole.ToolTipRole)))
        self.seed.show_value(scenario.seed)
        self.rules.show_scenario(scenario, self.session.view.rule)
        law = LAWS[scenario.law]
        for field in OF_LAWS:
            self._control(field).setVisible(field in law.reads)
        formulas = [rule.value for rule in scenario.rules if isinstance(rule.value, Expression)]
        self.knobs["layer_number"].setVisible(any("layer" in formula.names for formula in formulas))
        size_title = MASKS[scenario.mask].size_title
        self.knobs["mask_size"].setVisible(bool(size_title))
        if size_title:
            self.knobs["mask_size"].label.setText(_(size_title))
        self._choice_rows["aligned"].setEnabled(scenario.rho != 0.0 or scenario.aligned != "all")
        for field in ("rho", "r_q", "r_k"):
            refused = field in law.refuses
            self.knobs[field].setEnabled(not refused)
            if refused:
                self.knobs[field].setToolTip(_("0 for this law, {reason}").format(reason=_(law.reason)))
        self._changed_law.setVisible(scenario.marginal_changed)

    def _control(self, field: str) -> QWidget:
        return self.knobs[field] if field in self.knobs else self._choice_rows[field]

    def show_view(self, view: View) -> None:
        """Show which rule the lower score plot has."""
        self.rules.show_compared(view.rule)  # and nothing else: it is called for every frame that plays

    def show_vectors(self, vectors: object) -> None:
        """Leave only what means something while real vectors are shown: the scale rules."""
        random = vectors is None
        for group in self.groups:
            kept = (self.rules, *(self.choices[name] for name in self.choices if name in REAL_TOO))
            group.setVisible(random or any(group.body.isAncestorOf(each) for each in kept))

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self.seed.dress(theme)
        self.rules.dress(theme)
        self.vectors.dress(theme)
        for part in (*self.groups, *self.knobs.values()):
            part.dress(theme)
