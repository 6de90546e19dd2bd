"""What each menu entry does, by its name in `actions`."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWhatsThis

from attnsim.choices.sections import section_of
from attnsim.gui import dialogs, export_dialog, file_menu, sharing, teaching
from attnsim.gui.field_words import TITLES
from attnsim.labs.lab import Lab
from attnsim.scenario import Scenario
from attnsim.words import _

if TYPE_CHECKING:
    from attnsim.gui.window import MainWindow


def commands(window: "MainWindow") -> dict[str, Callable]:
    """Return what each entry calls."""
    session, transport = window.session, window.transport
    return {
        "new": lambda: file_menu.may_leave(window) and window.documents.new(),
        "open": lambda: file_menu.ask_open(window),
        "open_link": lambda: file_menu.ask_link(window),
        "save": lambda: file_menu.save(window),
        "save_as": lambda: file_menu.ask_save(window),
        "keep_preset": lambda: file_menu.ask_preset(window),
        "teach": lambda: teaching.prepare(window),
        "copy_link": lambda: sharing.copy_link(window),
        "copy_picture": lambda: sharing.copy_picture(window),
        "copy_data": lambda: sharing.copy_data(window),
        "copy_python": lambda: sharing.copy_python(window),
        "copy_command": lambda: sharing.copy_command(window),
        "random": lambda: session.set_vectors(None),
        "export": lambda: export_dialog.ask_export(window),
        "quit": window.close,
        "undo": session.undo_stack.undo,
        "redo": session.undo_stack.redo,
        "seed": lambda: window.sidebar.seed.throw(),
        "defaults": lambda: first_settings(window),
        "pin": lambda on: pin(window, on),
        "unpin": lambda: session.look(marked=(), hovered=None),
        "dark": window.switch_theme,
        "why": window.show_why,
        "log_weights": lambda on: session.look(log_weights=on),
        "bits": lambda on: session.look(bits=on),
        "zoom": lambda: [view.reset_zoom() for panel in window.stage.everything for view in panel.views],
        "full_screen": lambda on: window.showFullScreen() if on else window.showNormal(),
        "play": transport.toggle,
        "forward": transport.step_forward,
        "back": transport.step_back,
        "start": transport.to_start,
        "end": transport.to_end,
        **_help(window),
    }


def _help(window: "MainWindow") -> dict[str, Callable]:
    """Return what the entries of the Help menu call."""
    return {
        "lessons": window.show_lessons,
        "lesson_next": lambda: window.lessons is not None and window.lessons.page.go_on(),
        "lesson_back": lambda: window.lessons is not None and window.lessons.player.backward(),
        "help": lambda: dialogs.show_help(window),
        "what": lambda: QWhatsThis.enterWhatsThisMode(),
        "about": lambda: dialogs.show_about(window),
    }


def first_settings(window: "MainWindow") -> None:
    """Go back to the first settings of the lab on screen, as one step for undo."""
    window.session.seal()
    first = Scenario(section=section_of(window.session.lab.key))
    window.session.propose(**{name: getattr(first, name) for name in Scenario.__slots__})


def pin(window: "MainWindow", on: bool) -> None:
    """Keep this scenario as A beside the one that is changed, B; or let it go."""
    window.pinned.pin(window.session.scenario if on else None)
    if on:
        window.messages.tell(_("A is kept as it is; what you change now is B (P lets A go)"))


def offer(window: "MainWindow", lab: Lab) -> None:
    """Offer what a lab is best seen with, where the scenario that came along still has its first values there."""
    session, first = window.session, Scenario()
    window.messages.pass_by()  # what the lab before was best seen with is nothing here
    if window.lessons is not None and window.lessons.player.lesson is not None:
        return  # a lesson brings its own settings
    if not lab.usual or any(getattr(session.scenario, name) != getattr(first, name) for name, _value in lab.usual):
        return
    words = ", ".join(
        f"{_(TITLES[name][1])} {value:g}"
        for name, value in lab.usual
        if name in TITLES and isinstance(value, int | float)
    )
    window.messages.ask(
        _("There is more to see here with other settings ({settings}).").format(settings=words),
        _("Take them"),
        lambda: session.propose(**dict(lab.usual)),
        passing=True,
    )
