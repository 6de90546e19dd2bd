"""The main window: every panel shows the same frame; what the user does becomes a proposal."""

from __future__ import annotations

from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from attnsim.experiments.result import moment_index
from attnsim.figures import FIGURES
from attnsim.figures.clicks import CLICKS
from attnsim.figures.marks import Plot
from attnsim.figures.summaries import summary_of
from attnsim.gui import dialogs, export_dialog, file_menu, pointing, theme
from attnsim.gui.actions import build
from attnsim.gui.card_menu import pop_up
from attnsim.gui.commands import commands, offer
from attnsim.gui.controls import Sidebar
from attnsim.gui.documents import Documents
from attnsim.gui.exports import Exports
from attnsim.gui.header import Header
from attnsim.gui.key_keeper import KeyKeeper
from attnsim.gui.lab_button import LabMenu
from attnsim.gui.message_bar import MessageBar
from attnsim.gui.panel import FigurePanel
from attnsim.gui.pinned import Pinned
from attnsim.gui.readout_cards import ReadoutStrip
from attnsim.gui.screen import fit_screen
from attnsim.gui.session import Frame, Session, sentence
from attnsim.gui.stage import Stage
from attnsim.gui.transport import Transport
from attnsim.labs import LABS
from attnsim.labs.lab import Lab
from attnsim.view import View
from attnsim.words import _

if TYPE_CHECKING:
    from attnsim.files.lessons import Lesson
    from attnsim.gui.plot_view import PlotView

LEAST_SIZE = (960, 640)
DESCRIBE_MILLISECONDS = 1_000
READING_SECONDS = 0.1
PAINTED_MILLISECONDS = 4
OFFER_MILLISECONDS, OFFER_TRIES = 500, 240  # the first picture of a new machine waits for its compiler
PLACE_OF_LABS = 3  # in the menu bar, before Play


class MainWindow(QMainWindow):
    """Sidebar, header, three cards, transport, read-outs."""

    failed = Signal(object)  # an exception of any thread, shown as one sentence

    def __init__(self, lab: str = "walk") -> None:
        super().__init__()
        self.setWindowTitle("attnsim")
        self.setAcceptDrops(True)
        self.setMinimumSize(*LEAST_SIZE)
        self.session = Session(LABS[lab], parent=self)
        self.theme = theme.chosen(QApplication.instance())
        self.pinned, self.documents = Pinned(self.session), Documents(self.session)
        self.exports = Exports(self)
        self.stage = Stage(self._take_card)
        self.header, self.transport, self.readouts = Header(), Transport(), ReadoutStrip()
        self.sidebar = Sidebar(self.session, LABS[lab])
        self._compose()
        self.messages = MessageBar(self._content, self.transport, self.readouts)
        column = self._content.layout()
        column.insertWidget(column.indexOf(self.transport), self.messages.room)
        self.actions_ = build(self, commands(self))
        file_menu.fill(self, self.menuBar().actions()[0].menu())
        self._keeper = KeyKeeper(self.actions_.values(), self._content)
        self._keeper.watch(self)
        self.sidebar.remade.connect(lambda: self._keeper.watch(self))
        self._refresh_timer = QTimer(self)
        self._refresh_timer.setSingleShot(True)
        self._refresh_timer.timeout.connect(self.refresh)
        self._describe_timer = QTimer(self)
        self._describe_timer.setInterval(DESCRIBE_MILLISECONDS)
        self._describe_timer.timeout.connect(self._describe)
        self._describe_timer.start()
        self._connect()
        self.shown_generation, self.shown_at, self._numbers_at = 0, 0.0, 0.0
        self._figures: tuple[str, ...] = ()
        self._interactive = False  # only a window of a person asks and keeps; those of tests and scripts do not
        self.why, self.lessons = None, None
        self._prepare()
        self._content.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._content.setFocus()
        self.set_theme(self.theme, remembered=False)

    def _compose(self) -> None:
        self._content = QWidget()
        self._content.setObjectName("content")
        column = QVBoxLayout(self._content)
        column.setContentsMargins(16, 10, 16, 14)
        column.setSpacing(12)
        column.addWidget(self.header)
        column.addWidget(self.stage, 1)
        column.addWidget(self.transport)
        column.addWidget(self.readouts)
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.sidebar)
        row.addWidget(self._content, 1)
        self.setCentralWidget(whole)
        self._arrange()

    @property
    def panels(self) -> list[FigurePanel]:
        """The cards of the scenario that is changed."""
        return self.stage.panels

    def _take_card(self, panel: FigurePanel) -> None:
        """Connect a card that was made."""
        panel.hovered.connect(self._hover)
        panel.clicked.connect(lambda plot, position, view: self._click(panel, plot, position, view))
        panel.menu_wanted.connect(lambda place: pop_up(self, panel, place))

    def _arrange(self) -> bool:
        """Stand the cards of the view side by side."""
        lab, view = self.session.lab, self.session.view
        shown = lab.visible(view.figures)
        shares = lab.shares if shown == lab.first else ()
        return self.stage.arrange(shown, shares, self.pinned.scenario is not None)

    def _take_lab(self, lab: Lab) -> None:
        """Show the cards of another lab, which wait for their first result."""
        self.transport.pause()
        self._arrange()
        frame = self.session.frame
        if frame is not None and frame.experiment != lab.experiment:
            for panel in self.stage.everything:
                if panel.figure is None:
                    panel.wait(_("preparing…"))
        for name in ("why", "log_weights", "bits"):
            self.actions_[name].setEnabled(lab.experiment == "walk")
        self.header.why.setEnabled(lab.experiment == "walk")
        if self._interactive:
            offer(self, lab)
        self._ask_refresh()

    def _connect(self) -> None:
        session = self.session
        session.frame_arrived.connect(self._take_frame)
        session.lab_changed.connect(self._take_lab)
        self.pinned.changed.connect(self._take_pin)
        self.documents.changed.connect(self._name_window)
        self.documents.announced.connect(self.messages.tell)
        self.documents.failed.connect(self.messages.warn)
        self.exports.failed.connect(self.messages.warn)
        self.documents.lesson_found.connect(lambda lesson: self.show_lessons(True, lesson))
        self.documents.held.connect(lambda state: self.sidebar.hold(state.hidden, state.locked))
        session.view_changed.connect(self._take_view)
        session.refused.connect(self.messages.warn)
        session.announced.connect(self.messages.tell)
        session.vectors_changed.connect(lambda vectors: self.actions_["random"].setEnabled(vectors is not None))
        session.undo_stack.canUndoChanged.connect(self.actions_["undo"].setEnabled)
        session.undo_stack.canRedoChanged.connect(self.actions_["redo"].setEnabled)
        for name in ("random", "undo", "redo", "lesson_next", "lesson_back"):
            self.actions_[name].setEnabled(False)
        self.transport.playing_changed.connect(lambda _on: self._ask_refresh())
        self.transport.moved.connect(lambda playhead: session.look(playhead=playhead))
        self.failed.connect(lambda error: self.messages.warn(sentence(error)))
        self.header.open.clicked.connect(lambda: file_menu.ask_open(self))
        self.header.export.clicked.connect(lambda: export_dialog.ask_export(self))
        self.header.help.clicked.connect(lambda: dialogs.show_help(self))
        self.header.theme.clicked.connect(self.switch_theme)
        self.header.why.clicked.connect(self.actions_["why"].trigger)
        self.header.lessons.clicked.connect(self.actions_["lessons"].trigger)
        self.menuBar().insertMenu(self.menuBar().actions()[PLACE_OF_LABS], LabMenu(session, self, shortcuts=True))

    def _take_pin(self) -> None:
        self.actions_["pin"].setChecked(self.pinned.scenario is not None)
        self._ask_refresh()

    def _prepare(self) -> None:
        """Say that the first draw is on its way: the loops are loaded, or compiled once on a new machine."""
        self.header.say(_("Preparing the first draw…"), "")
        self.header.progress.show_share(0.0)
        for panel in self.panels:
            panel.wait(_("preparing…"))

    def welcome(self, source: object = None) -> None:
        """Be a person's window: keep what is on screen, restore what a crash left, open what was asked for."""
        self._interactive = True
        left = self.documents.left_behind()
        if source is not None:
            self.documents.open(source) if not hasattr(source, "lab") else self.documents.restore(source)
        elif left is not None:
            self.messages.ask(
                _("The last session ended without being closed."),
                _("Restore it"),
                lambda: self.documents.take_back(left),
            )
        else:
            self._offer_lesson()

    def _offer_lesson(self, tries: int = OFFER_TRIES) -> None:
        """Offer the shortest lesson on a first start, once the first picture is there."""
        frame = self.session.frame
        if frame is not None and frame.result.fraction >= 1.0:
            from attnsim.gui.lesson_offer import offer

            offer(self.messages, lambda lesson: self.show_lessons(True, lesson))
        elif tries:
            QTimer.singleShot(OFFER_MILLISECONDS, self, lambda: self._offer_lesson(tries - 1))

    def _name_window(self) -> None:
        path = self.documents.path
        name = self.documents.opened.title or (path.name if path is not None else "")
        self.setWindowTitle(f"{name}[*] – attnsim" if name else "attnsim[*]")
        self.setWindowModified(self.documents.unsaved)

    def _take_frame(self, frame: Frame) -> None:
        self.header.progress.show_share(frame.result.fraction)
        self._ask_refresh()

    def _take_view(self, view: View) -> None:
        self.actions_["log_weights"].setChecked(view.log_weights)
        self.actions_["bits"].setChecked(view.bits)
        if view.figures != self._figures:
            self._figures = view.figures
            self._arrange()
        self._ask_refresh()

    def _ask_refresh(self) -> None:
        if not self._refresh_timer.isActive():
            self._refresh_timer.start(0)  # several changes of one moment make one picture

    def begin(self, tries: int = 100) -> None:
        """Ask for the first picture once the window is painted: loading the loops would hold up that paint.

        A window that starts minimised is not painted, and does not wait for ever.
        """
        if self.painted_all or not tries:
            fit_screen(self)
            # first, and alone: beside the worker, which loads the compiler, it would hold the window up twice as long
            import_module("attnsim.gui.plot_view")
            self.session.start()
        else:
            QTimer.singleShot(PAINTED_MILLISECONDS, self, lambda: self.begin(tries - 1))

    @property
    def painted_all(self) -> bool:
        """Whether every panel has been painted once."""
        return all(panel.was_painted for panel in self.panels)

    def refresh(self) -> None:
        """Draw the latest frame as the view has it."""
        frame, view = self.session.frame, self.session.view
        if frame is None or frame.experiment != self.session.lab.experiment:
            return
        self._arrange()
        result = frame.result
        self.stage.show_figures([FIGURES[panel.key](result, view) for panel in self.panels], self.theme)
        kept = self.pinned.frame
        if kept is not None and self.stage.pinned:
            figures = [FIGURES[panel.key](kept.result, view) for panel in self.stage.pinned]
            self.stage.show_figures(figures, self.theme, pinned=True)
        summary, moments = summary_of(result), result.moments
        shown = int(moments[moment_index(result, view.playhead)]) if moments.size else 0
        self.transport.show_steps(moments, view.playhead, shown, lambda at: summary.moment_text(result, at))
        self.shown_generation, self.shown_at = frame.generation, perf_counter()
        self.header.say(*summary.headline(result, view))
        # nobody reads numbers that change sixty times a second: while it plays the cards take a slower pace
        if not self.transport.playing or self.shown_at - self._numbers_at >= READING_SECONDS:
            self._numbers_at = self.shown_at
            self.readouts.show_result(result, view, self.theme)

    def _describe(self) -> None:
        if not self.transport.playing:
            for panel in (*self.stage.everything, self.readouts):
                panel.describe()

    def _hover(self, plot: Plot | None, position: QPointF | None, view: PlotView) -> None:
        pinned = any(view in panel.views for panel in self.stage.pinned)
        frame, at = self.pinned.frame if pinned else self.session.frame, self.session.view
        if frame is None or frame.experiment != self.session.lab.experiment:
            return
        key, text = pointing.at(frame.result, at, plot, position, view)
        self.session.look(hovered=key)
        for panel in self.stage.everything:
            own = view in panel.views
            panel.show_bubble(text if own else "", view, position if position is not None else QPointF())

    def _click(self, panel: FigurePanel, plot: Plot, position: QPointF, view: PlotView) -> None:
        frame, at = self.session.frame, self.session.view
        if frame is None or frame.experiment != self.session.lab.experiment or panel in self.stage.pinned:
            return
        if panel.key in CLICKS:
            x, y = pointing.values(plot, position)
            scenario = CLICKS[panel.key](frame.result, at, plot.key, x, y)
            if scenario is not None:
                self.session.go_to("walk", scenario)
            return
        key, _text = pointing.at(frame.result, at, plot, position, view)
        if key is not None:
            self.session.pin(key)

    def switch_theme(self, *_ignored: object) -> None:
        """Change between light and dark, and remember it."""
        self.set_theme(theme.LIGHT if self.theme.dark else theme.DARK, remembered=True)

    def set_theme(self, chosen: theme.Theme, remembered: bool) -> None:
        """Dress everything in a theme."""
        self.theme = chosen
        if remembered:
            theme.remember(chosen)
        theme.apply(QApplication.instance(), chosen)
        self.actions_["dark"].setChecked(chosen.dark)
        for part in (self.sidebar, self.header, self.transport, self.messages):
            part.dress(chosen)
        for dock in (self.why, self.lessons):
            if dock is not None:
                dock.dress(chosen)
        self.refresh()

    def show_why(self, shown: bool) -> None:
        """Show or hide the derivation; it is made when it is first asked for."""
        if self.why is None:
            from attnsim.gui.why_panel import WhyPanel

            self.why = WhyPanel(self.session, self.transport, self)
            self.why.dress(self.theme)
            self.why.stand_in(self, self.actions_["why"], self.header.why)
        self.why.turn(shown, self.width())

    def show_lessons(self, shown: bool, lesson: Lesson | None = None) -> None:
        """Show or hide the lessons, and read one of them; the panel is made when it is first asked for."""
        if self.lessons is None:
            from attnsim.gui.lesson_panel import LessonPanel

            self.lessons = LessonPanel(self)
            self.lessons.dress(self.theme)
            self.lessons.stand_in(self, self.actions_["lessons"], self.header.lessons)
            self.lessons.remade.connect(lambda: self._keeper.watch(self.lessons))
            self._keeper.watch(self.lessons)
        self.messages.pass_by()
        self.lessons.turn(shown, self.width())
        if lesson is not None:
            self.lessons.play(lesson)

    def follow_system(self, *_ignored: object) -> None:
        """Take the system's theme, unless the user has chosen one."""
        if theme.follows_system():
            self.set_theme(theme.chosen(QApplication.instance()), remembered=False)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open a dropped file."""
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            file_menu.open_paths(self, paths)

    def changeEvent(self, event: QEvent) -> None:
        """Keep the menu in step with the window's state."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange and hasattr(self, "actions_"):
            self.actions_["full_screen"].setChecked(self.isFullScreen())

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop everything that could still speak to a window that is gone; unsaved work is asked for first."""
        if self._interactive and self.lessons is not None and self.lessons.player.holds:
            self.lessons.player.give_back()  # what is kept and saved is the user's own
        if self._interactive and not file_menu.may_leave(self):
            event.ignore()
            return
        self.transport.pause()
        self._describe_timer.stop()
        if self._interactive:
            self.documents.let_go()
        self.hide()  # nobody looks at a window that only waits for the file it still writes
        self.exports.stop()
        self.session.stop()
        super().closeEvent(event)
