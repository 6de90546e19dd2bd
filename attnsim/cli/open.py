"""`attnsim open FILE|LINK`, and `attnsim` alone: the window, or a picture where no window can open."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from attnsim.cli import headless
from attnsim.cli.command import Command, Window
from attnsim.files import presets
from attnsim.files.opening import state_in
from attnsim.files.state import State
from attnsim.words import _, mark

PICTURES = (".png", ".svg", ".pdf", ".webp", ".gif", ".mp4", ".webm")  # which never hold vectors alone


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument(
        "source",
        nargs="?",
        metavar="FILE|LINK",
        help=_("a session, a file that attnsim wrote, a link (attnsim:1?...), or a file with queries and keys"),
    )
    parser.add_argument("--preset", metavar="NAME", help=_("a question to begin with, as `attnsim presets` lists them"))
    parser.add_argument("--file", metavar="PATH", help=_("the file with the queries and keys that FILE was made from"))


def run(given: Namespace, window: Window) -> int:
    """Open the window, on what a file, a link or a preset holds.

    Raises
    ------
    ValueError
        If there is no such file or preset, or it holds nothing to show.
    """
    path, state = _asked(given)
    if reason := window.missing():
        return headless.show(path, state, reason)
    return window.open(path, state)


def _asked(given: Namespace) -> tuple[Path | None, State | None]:
    """Return the file of vectors and the state that are asked for."""
    source, preset = getattr(given, "source", None), getattr(given, "preset", None)
    vectors = Path(given.file) if getattr(given, "file", None) else None
    if source and preset:
        raise ValueError(_("name a file or link, or a preset, not both"))
    if vectors is not None and not vectors.exists():
        raise ValueError(_("{file}: there is no such file").format(file=vectors))
    if preset:
        return vectors, presets.named(preset).state
    found = state_of(source) if source else None
    if source and found is None and Path(source).suffix.lower() in PICTURES:
        raise ValueError(_("{file} does not say where it comes from").format(file=Path(source).name))
    if source and found is None and vectors is None:
        return Path(source), None
    return vectors, found


def state_of(source: str) -> State | None:
    """Return the state in a file or link, and say on standard error what of it could not be restored."""
    if not source.lower().startswith("attnsim:") and not Path(source).exists():
        raise ValueError(_("{file}: there is no such file").format(file=source))
    found = state_in(source)
    if found is None:
        return None
    for sentence in found[1]:
        sys.stderr.write(sentence + "\n")
    return found[0]


COMMAND = Command(
    key="open",
    sentence=mark("Open the window on a session, an exported file, a link, or a file with queries and keys."),
    add_options=add_options,
    run=run,
)
