"""Where to look in a file of real vectors: layer, head, query row."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QSlider, QSpinBox, QVBoxLayout, QWidget

from attnsim.gui import tips
from attnsim.gui.session import Session
from attnsim.gui.theme import Theme, icon
from attnsim.vectors import Vectors
from attnsim.words import _, several


class VectorsPanel(QWidget):
    """Pickers of an open file; hidden while vectors are random."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._title = QLabel()
        self._title.setObjectName("cardTitle")
        self._title.setWordWrap(True)
        self._about = QLabel()
        self._about.setObjectName("quiet")
        self._about.setWordWrap(True)
        self.layer = QComboBox()
        self.head, self.row = QSpinBox(), QSpinBox()
        self.rows = QSlider(Qt.Orientation.Horizontal)
        self.token = QLabel()
        self.token.setObjectName("quiet")
        self.back = QPushButton(_("Back to random vectors"))
        self.back.setAccessibleName(_("Back to random vectors"))
        self._compose()
        self.layer.currentIndexChanged.connect(lambda place: self._go(layer=place))
        self.head.valueChanged.connect(lambda place: self._go(head=place))
        self.row.valueChanged.connect(lambda place: self._go(row=place))
        self.rows.valueChanged.connect(lambda place: self._go(row=place))
        self.back.clicked.connect(lambda: session.set_vectors(None))
        session.vectors_changed.connect(self.show_vectors)
        self.show_vectors(session.vectors)

    def _compose(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 4)
        layout.setSpacing(8)
        layout.addWidget(self._title)
        layout.addWidget(self._about)
        for name, control, tip in (
            (_("Layer"), self.layer, tips.LAYER),
            (_("Head"), self.head, tips.HEAD),
            (_("Query row"), self.row, tips.ROW),
        ):
            control.setAccessibleName(name)
            control.setToolTip(tips.wrapped(tip))
            label = QLabel(name)
            label.setBuddy(control)
            line = QHBoxLayout()
            line.addWidget(label)
            line.addStretch(1)
            line.addWidget(control)
            layout.addLayout(line)
        self.layer.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.layer.setMinimumContentsLength(12)
        for spin in (self.head, self.row):
            spin.setAlignment(Qt.AlignmentFlag.AlignRight)
            spin.setKeyboardTracking(False)
            spin.setFixedWidth(74)
        self.rows.setAccessibleName(_("Query row, slider"))
        self.rows.setToolTip(tips.wrapped(tips.ROW))
        self.back.setToolTip(tips.wrapped(tips.BACK))
        layout.addWidget(self.rows)
        layout.addWidget(self.token)
        layout.addWidget(self.back)

    def _go(self, **place: int) -> None:
        vectors = self.session.vectors
        if vectors is None:
            return
        try:
            moved = vectors.at(**place)
        except ValueError as error:
            self.session.refused.emit(str(error))
            return
        self.session.move_vectors(moved)

    def show_vectors(self, vectors: Vectors | None) -> None:
        """Show where in the file the session looks."""
        self.setVisible(vectors is not None)
        if vectors is None:
            return
        self._title.setText(vectors.title)
        self._about.setText(
            several("{keys} key, d = {dim}", "{keys} keys, d = {dim}", vectors.visible).format(
                keys=f"{vectors.visible:,}", dim=vectors.dim
            )
            + (" · " + _("causal: query i sees keys 0 to i") if vectors.current.causal else "")
            + (f" · {vectors.note}" if vectors.note else "")
        )
        controls = (self.layer, self.head, self.row, self.rows)
        blockers = [QSignalBlocker(control) for control in controls]
        names = [layer.name for layer in vectors.layers]
        if [self.layer.itemText(i) for i in range(self.layer.count())] != names:
            self.layer.clear()
            self.layer.addItems(names)
        self.layer.setCurrentIndex(vectors.layer)
        self.head.setRange(0, vectors.current.heads - 1)
        self.head.setValue(vectors.head)
        for control in (self.row, self.rows):
            control.setRange(0, vectors.current.queries - 1)
        self.row.setValue(vectors.row)
        if not self.rows.isSliderDown():
            self.rows.setValue(vectors.row)
        del blockers
        known = vectors.row < len(vectors.tokens)
        self.token.setVisible(known)
        if known:
            self.token.setText(_("Token “{token}”").format(token=vectors.tokens[vectors.row].strip() or "␣"))

    def dress(self, theme: Theme) -> None:
        """Take a theme's colours."""
        self.back.setIcon(icon("rewind", theme.muted))
