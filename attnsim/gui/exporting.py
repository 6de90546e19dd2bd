"""From a request to a file: in a thread of its own, with how far it is and a way to break it off."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QSettings, QStandardPaths

from attnsim.figures.moment import moment
from attnsim.words import _

if TYPE_CHECKING:
    from attnsim.gui.window import MainWindow


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is to be written.

    Attributes
    ----------
    ending, kind : str
        Suffix, and what the registry of writers says it is.
    figures : tuple of str
        Those of the view when empty.
    each : bool
        Whether each figure gets a file of its own.
    size, theme, dpi, bare
        As `api.save` takes them.
    seconds, rate
        Length of a film, and its frames per second.
    """

    ending: str = ".png"
    kind: Literal["page", "data", "film"] = "page"
    figures: tuple[str, ...] = ()
    each: bool = False
    size: str = "double"
    theme: str = "print"
    dpi: float | None = None
    bare: bool = False
    seconds: float = 8.0
    rate: int = 25


def export_folder() -> Path:
    """Return the folder of the last export, or the user's documents or home; always one that can be written to."""
    places = (
        QSettings().value("export_folder", "", type=str),
        QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation),
    )
    for place in places:
        if place and Path(place).is_dir() and os.access(place, os.W_OK):
            return Path(place)
    return Path.home()


def suggested_name(window: MainWindow) -> str:
    """Return a file name that says what is shown."""
    result, lab = window.session.frame.result, window.session.lab
    if result.experiment != "walk":
        return f"attnsim-{lab.key}-seed{result.scenario.seed}.png"
    step = moment(result, window.session.view).step
    if result.vectors is None:
        return f"attnsim-d{step}-seed{result.scenario.seed}.png"
    at = result.vectors
    parts = (at.title, at.current.name, f"head{at.head}", f"row{at.row}", f"d{step}")
    words = (re.sub(r"[^\w.]+", "-", part).strip("-.")[:60] for part in parts)
    return "-".join(word for word in words if word) + ".png"


def export(window: MainWindow, path: str, request: Request | None = None) -> None:
    """Write what is on screen; what changes meanwhile does not change the file."""
    request = request or Request(ending=Path(path).suffix.lower())
    name, folder = Path(path).name, Path(path).absolute().parent
    if not folder.is_dir():
        window.messages.warn(
            _("{name} cannot be written: the folder {folder} does not exist").format(name=name, folder=folder)
        )
        return
    QSettings().setValue("export_folder", str(folder))
    if request.kind == "film":
        _film(window, path, request)
    else:
        _still(window, path, request)


def _still(window: MainWindow, path: str, request: Request) -> None:
    from attnsim.files import pictures

    result, view, lab = window.session.frame.result, window.session.view, window.session.lab.key
    options: dict[str, Any] = {"lab": lab, "figures": request.figures}
    if request.kind == "page":
        options |= {"theme": request.theme, "size": request.size, "dpi": request.dpi, "bare": request.bare}
    said: list[str] = []
    write = pictures.save_each if request.each else pictures.save
    name = Path(path).name
    window.messages.tell(_("Writing {name}…").format(name=name))

    def done(_written: object) -> None:
        window.messages.tell(" ".join((_("{name} is written").format(name=name), *said)))

    window.exports.run(lambda: write(result, path, view, say=said.append, **options), done)


def _film(window: MainWindow, path: str, request: Request) -> None:
    from attnsim.files import animation

    result, view, lab = window.session.frame.result, window.session.view, window.session.lab.key
    name, exports = Path(path).name, window.exports
    window.messages.ask(_("Writing {name}…").format(name=name), _("Cancel"), exports.cancel)
    told = exports.progressed.connect(
        lambda share: window.messages.label.setText(
            _("Writing {name}… {share}").format(name=name, share=f"{100.0 * share:.0f} %")
        )
    )

    def job() -> Path | None:
        return animation.animate(
            result,
            path,
            view,
            lab=lab,
            figures=request.figures,
            size=request.size,
            theme=request.theme,
            seconds=request.seconds,
            fps=float(request.rate),
            bare=request.bare,
            progress=exports.progressed.emit,
            cancel=lambda: exports.cancelled,
        )

    def done(written: Path | None) -> None:
        exports.progressed.disconnect(told)
        words = _("{name} is written") if written is not None else _("{name} was broken off; nothing was written")
        window.messages.tell(words.format(name=name))

    exports.run(job, done)
