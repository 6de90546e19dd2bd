"""What stands in the File menu beside single commands: recent files, presets, and the dialogs of sessions."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMenu, QMessageBox

from attnsim.gui.documents import LESSON
from attnsim.words import _

if TYPE_CHECKING:
    from attnsim.gui.window import MainWindow

SESSION = ".attnsim"


def folder() -> str:
    """Return where files were opened or saved last."""
    return QSettings().value("folder", str(Path.home()), type=str)


def ask_open(window: "MainWindow") -> None:
    """Let the user choose a session, a picture or data file of attnsim, or a file of vectors."""
    from attnsim.files.readers import READERS  # like the other rooms here: the window's start does not wait for them
    from attnsim.files.writers import WRITERS

    vectors = " ".join(f"*{ending}" for ending in READERS)
    pictures = " ".join(f"*{ending}" for ending in WRITERS)
    everything = _("All that attnsim opens ({endings})").format(endings=f"*{SESSION} {vectors} {pictures} *{LESSON}")
    kinds = (
        everything,
        _("Sessions ({endings})").format(endings=f"*{SESSION}"),
        _("Lessons ({endings})").format(endings=f"*{LESSON}"),
        _("Queries and keys ({endings})").format(endings=vectors),
        _("Exported figures ({endings})").format(endings=pictures),
    )
    paths, _filter = QFileDialog.getOpenFileNames(window, _("Open"), folder(), ";;".join(kinds))
    if paths:
        QSettings().setValue("folder", str(Path(paths[0]).parent))
        open_paths(window, paths)


def open_paths(window: "MainWindow", paths: list[str]) -> None:
    """Open one file of any kind, or the two files of queries and of keys."""
    if len(paths) == 1:
        # a lesson gives back what was there before it, so that nothing is lost
        if paths[0].lower().endswith(LESSON) or may_leave(window):
            window.documents.open(paths[0])
    else:
        window.session.open(*paths)


def ask_link(window: "MainWindow") -> None:
    """Let the user paste a link."""
    text, taken = QInputDialog.getText(window, _("Open a link"), _("Link text (attnsim:1?…)"))
    if taken and text.strip() and may_leave(window):
        window.documents.open(text.strip())


def save(window: "MainWindow") -> bool:
    """Write the session to its file, or ask for one."""
    return window.documents.save() if window.documents.path is not None else ask_save(window)


def ask_save(window: "MainWindow") -> bool:
    """Let the user choose where the session is written."""
    start = window.documents.path or Path(folder()) / f"{window.documents.opened.title or 'attnsim'}{SESSION}"
    words = _("Sessions ({endings})").format(endings=f"*{SESSION}")
    path, _filter = QFileDialog.getSaveFileName(window, _("Save session"), str(start), words)
    if not path:
        return False
    QSettings().setValue("folder", str(Path(path).parent))
    return window.documents.save(path)


def may_leave(window: "MainWindow") -> bool:
    """Ask what becomes of a session that has changed since it was saved."""
    if not window.documents.unsaved:
        return True
    box = QMessageBox(window)
    box.setWindowTitle("attnsim")
    box.setText(_("{name} has changed since it was saved.").format(name=window.documents.path.name))
    keep = box.addButton(_("Save"), QMessageBox.ButtonRole.AcceptRole)
    drop = box.addButton(_("Do not save"), QMessageBox.ButtonRole.DestructiveRole)
    box.addButton(_("Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    box.exec()
    if box.clickedButton() is keep:
        return save(window)
    return box.clickedButton() is drop


def ask_preset(window: "MainWindow") -> None:
    """Keep what is on screen as a preset of the user's own."""
    from dataclasses import replace

    from attnsim.files import presets

    title, taken = QInputDialog.getText(window, _("Save as a preset"), _("Title"))
    if not taken or not title.strip():
        return
    notes, taken = QInputDialog.getMultiLineText(window, _("Save as a preset"), _("Two sentences: what to look at"))
    if taken:
        try:
            presets.keep(replace(window.documents.state(), title=title.strip(), notes=notes.strip()))
        except ValueError as error:
            window.messages.warn(str(error))
            return
        window.messages.tell(_("“{title}” is among the presets now").format(title=title.strip()))


class RecentMenu(QMenu):
    """Files opened or saved last."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(_("Recent"), window)
        self._window = window
        self.aboutToShow.connect(self._fill)

    def _fill(self) -> None:
        self.clear()
        for path in self._window.documents.recent():
            self.addAction(path.name, lambda path=path: open_paths(self._window, [str(path)])).setToolTip(str(path))
        if self.isEmpty():
            self.addAction(_("nothing yet")).setEnabled(False)


class PresetMenu(QMenu):
    """Questions to begin with, built in and the user's own."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(_("Presets"), window)
        self._window = window
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        """List the presets as they are now: the user may have dropped one in."""
        from attnsim.files.presets import all_presets

        self.clear()
        found, said = all_presets()
        own = False
        for preset in found:
            if preset.own and not own:
                self.addSeparator()
                own = True
            words = (preset.state.title, preset.state.notes)
            title, notes = words if preset.own else map(_, words)
            action = self.addAction(title, lambda preset=preset: self.take(preset))
            action.setToolTip(notes)
        for sentence in said:
            self._window.messages.warn(sentence)

    def take(self, preset: object) -> None:
        """Show a preset."""
        if not may_leave(self._window):
            return
        state = preset.state
        self._window.documents.path = None
        self._window.documents.restore(state)
        notes = state.notes if preset.own else _(state.notes)
        if notes:
            self._window.messages.tell(notes, long=True)


def fill(window: "MainWindow", menu: QMenu) -> None:
    """Put recent files and presets into the File menu."""
    recent, presets = RecentMenu(window), PresetMenu(window)
    before = window.actions_["random"]
    menu.insertMenu(before, recent)
    menu.insertMenu(before, presets)
    window.recent_menu, window.preset_menu = recent, presets
