"""What is exported, as what, how large and how it looks: one dialog for pages, numbers and films."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
)

from attnsim.gui import exporting
from attnsim.words import _, mark

if TYPE_CHECKING:
    from attnsim.gui.window import MainWindow

SIZES = (
    ("double", mark("two columns, 180 mm")),
    ("single", mark("one column, 85 mm")),
    ("slide", mark("slide, 16:9")),
    ("poster", mark("poster, A1")),
    ("1280x720", mark("1280 × 720 pixels")),
    ("1920x1080", mark("1920 × 1080 pixels")),
)
THEMES = (("print", mark("for print")), ("light", mark("light")), ("dark", mark("dark")))
KINDS = {"page": mark("picture"), "data": mark("numbers"), "film": mark("film")}
PAGE, EACH = "page", "each"


class ExportDialog(QDialog):
    """Proposes what was chosen last."""

    def __init__(self, window: MainWindow, figure: str | None = None) -> None:
        from attnsim.files.writers import WRITERS

        super().__init__(window)
        self.setWindowTitle(_("Export"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.window_, self._formats = window, WRITERS
        moves = window.session.frame.result.moments.size > 1
        self.what = self._combo(_("What"), self._contents(figure))
        self.format = self._combo(
            _("Format"),
            [
                (ending, f"{ending[1:].upper()} · {_(KINDS[known.kind])}")
                for ending, known in WRITERS.items()
                if (known.kind != "film" or moves) and not known.missing()
            ],
        )
        self.size = self._combo(_("Size"), [(key, _(words)) for key, words in SIZES])
        self.theme = self._combo(_("Colours"), [(key, _(words)) for key, words in THEMES])
        self.dpi = self._number(QSpinBox(), _("Dots per inch"), 30, 1200, 300)
        self.bare = QCheckBox(_("figures alone, without headline and cards"))
        self.seconds = self._number(QDoubleSpinBox(), _("Seconds"), 0.5, 120.0, 8.0)
        self.rate = self._number(QSpinBox(), _("Frames per second"), 1, 60, 25)
        self._lay_out()
        self._recall()
        if figure is not None:
            self.what.setCurrentIndex(self.what.findData(figure))
        self.format.currentIndexChanged.connect(self._show_fields)
        self._show_fields()

    def _contents(self, figure: str | None) -> list[tuple[str, str]]:
        lab = self.window_.session.lab
        titles = dict(lab.figure_titles)
        shown = [panel.key for panel in self.window_.panels]
        keys = dict.fromkeys((*shown, *([figure] if figure else [])))
        return [
            (PAGE, _("the page as it is on screen")),
            (EACH, _("each figure in a file of its own")),
            *((key, _("{figure} alone").format(figure=_(titles[key]))) for key in keys),
        ]

    @staticmethod
    def _combo(name: str, entries: list[tuple[str, str]]) -> QComboBox:
        combo = QComboBox()
        combo.setAccessibleName(name)
        for key, words in entries:
            combo.addItem(words, key)
        return combo

    @staticmethod
    def _number(spin: QSpinBox | QDoubleSpinBox, name: str, low: float, high: float, usual: float) -> object:
        spin.setRange(low, high)
        spin.setValue(usual)
        spin.setAccessibleName(name)
        return spin

    def _lay_out(self) -> None:
        self._form = QFormLayout()
        self._form.setSpacing(8)
        for part in (self.what, self.format, self.size, self.theme, self.dpi, self.seconds, self.rate):
            self._form.addRow(part.accessibleName(), part)
        self._form.addRow("", self.bare)
        self.about = QLabel(
            _("Every file carries the scenario, the view and the version: attnsim opens it again just as it is now.")
        )
        self.about.setObjectName("quiet")
        self.about.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = buttons.addButton(_("Save as…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setDefault(True)
        buttons.accepted.connect(self._ask_path)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(14)
        layout.addLayout(self._form)
        layout.addWidget(self.about)
        layout.addWidget(buttons)
        self.setMinimumWidth(420)

    def _recall(self) -> None:
        for name in ("format", "size", "theme"):
            combo = getattr(self, name)
            place = combo.findData(QSettings().value(f"export_{name}", "", type=str))
            combo.setCurrentIndex(max(place, 0))

    def _show_fields(self) -> None:
        kind = self._formats[self.format.currentData()].kind
        film, data = kind == "film", kind == "data"
        raster = self.format.currentData() == ".png"
        for part, wanted in (
            (self.size, not data),
            (self.theme, not data),
            (self.dpi, raster),
            (self.seconds, film),
            (self.rate, film),
            (self.bare, not data),
        ):
            self._form.setRowVisible(part, wanted)
        self.adjustSize()

    def request(self) -> exporting.Request:
        """Return what is chosen."""
        ending, what = self.format.currentData(), self.what.currentData()
        pixels = "x" in self.size.currentData()
        return exporting.Request(
            ending=ending,
            kind=self._formats[ending].kind,
            figures=() if what in (PAGE, EACH) else (what,),
            each=what == EACH,
            size=self.size.currentData(),
            theme=self.theme.currentData(),
            dpi=float(self.dpi.value()) if ending == ".png" and not pixels else None,
            bare=self.bare.isChecked(),
            seconds=float(self.seconds.value()),
            rate=self.rate.value(),
        )

    def _ask_path(self) -> None:
        request = self.request()
        start = exporting.export_folder() / Path(exporting.suggested_name(self.window_)).with_suffix(request.ending)
        words = f"{request.ending[1:].upper()} (*{request.ending})"
        path, _filter = QFileDialog.getSaveFileName(self, _("Export"), str(start), words)
        if path:
            self.take(path)

    def take(self, path: str) -> None:
        """Remember what was chosen, write the file and close."""
        request = self.request()
        for name in ("format", "size", "theme"):
            QSettings().setValue(f"export_{name}", getattr(self, name).currentData())
        exporting.export(self.window_, path if Path(path).suffix else path + request.ending, request)
        self.accept()


def ask_export(window: MainWindow, figure: str | None = None) -> ExportDialog | None:
    """Let the user choose what is written, and where."""
    frame = window.session.frame
    if frame is None or frame.experiment != window.session.lab.experiment:
        window.messages.tell(_("There is nothing to export yet: the first draw is still on its way."))
        return None
    dialog = ExportDialog(window, figure)
    dialog.open()
    return dialog
