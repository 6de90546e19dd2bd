"""Options that say what is written, where and how: a page, the numbers behind it, or a film."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attnsim import api
from attnsim.files.animation import animate
from attnsim.files.page_sizes import SIZES
from attnsim.files.pictures import save_each
from attnsim.files.typed_text import number
from attnsim.labs.lab import Lab
from attnsim.view import View
from attnsim.words import _

ONLY_OF_PAGES = ("width_mm", "height_mm", "dpi")


def add(parser: ArgumentParser, lab: Lab) -> None:
    """Add what is written, where and how."""
    known = ", ".join(lab.figures)
    parser.add_argument("--figures", metavar="KEY,...", help=_("figures: {known}").format(known=known))
    films = parser.add_argument_group(_("film"))
    films.add_argument(
        "--animate", metavar="FILE", help=_("a film of the playhead beside the page: webp, gif, mp4 or webm")
    )
    films.add_argument("--fps", metavar="X", help=_("pictures a second; default 25"))
    films.add_argument("--seconds", metavar="X", help=_("how long the playhead goes; default 8"))
    parser.add_argument(
        "--out",
        metavar="FILE",
        help=_("the file; its suffix decides the format, and whether it is a page, numbers or a film"),
    )
    parser.add_argument("--theme", metavar="THEME", help=_("print, light or dark; default print"))
    sizes = ", ".join(SIZES)
    parser.add_argument(
        "--size", metavar="SIZE", help=_("{known}, or pixels such as 1280x720; default double").format(known=sizes)
    )
    parser.add_argument("--width-mm", metavar="X", help=_("width of the page in millimetres"))
    parser.add_argument("--height-mm", metavar="X", help=_("its height; follows from its content when left out"))
    parser.add_argument("--bare", action="store_true", help=_("the figures alone, without words and numbers around"))
    parser.add_argument("--each", action="store_true", help=_("each figure in a file of its own"))
    parser.add_argument("--dpi", metavar="X", help=_("dots per inch of a picture made of dots"))


def read(given: Namespace) -> dict[str, Any]:
    """Return what `api.save` takes of the options given."""
    options: dict[str, Any] = {} if given.theme is None else {"theme": given.theme}
    options |= {"bare": given.bare} | ({} if given.size is None else {"size": given.size})
    for name in ("width_mm", "height_mm", "dpi"):
        if (text := getattr(given, name)) is not None:
            options[name] = _number(name, text)
    return options


def write(result: Any, view: View, given: Namespace, lab: str, options: dict[str, Any]) -> list[Path]:
    """Write the page, the numbers or the film that the options ask for, and return the files."""
    options = options | {"lab": lab, "say": lambda sentence: sys.stderr.write(sentence + "\n")}
    films = [path for path in (given.animate, given.out if _is_film(given.out) else None) if path is not None]
    files = [_film(result, path, view, given, options) for path in films]
    if given.out is None or given.out in films:
        return files
    if given.each:
        return files + save_each(result, given.out, view, **options)
    return [*files, api.save(result, given.out, view, **options)]


def _is_film(path: str | None) -> bool:
    """Return whether the suffix of `--out` asks for something that moves."""
    from attnsim.files.writers import WRITERS

    known = None if path is None else WRITERS.get(Path(path).suffix.lower())
    return known is not None and known.kind == "film"


def _film(result: Any, path: str, view: View, given: Namespace, options: dict[str, Any]) -> Path:
    chosen = {name: value for name, value in options.items() if name not in ONLY_OF_PAGES}
    for name in ("fps", "seconds"):
        if (text := getattr(given, name)) is not None:
            chosen[name] = _number(name, text)
    written = animate(result, path, view, progress=_progress(), **chosen)
    assert written is not None  # nobody cancels here but by Ctrl-C
    return written


def _progress() -> Callable[[float], object]:
    """Return what shows on a terminal how far the film is; elsewhere nothing is shown."""
    if not sys.stderr.isatty():
        return float

    def show(share: float) -> None:
        sys.stderr.write(f"\r{share:4.0%}" if share < 1.0 else "\r    \r")
        sys.stderr.flush()

    return show


def _number(name: str, text: str) -> float:
    value = number(text)
    if isinstance(value, str):
        raise ValueError(_("{name} must be a number, not {value}").format(name=name, value=repr(text)))
    return float(value)
