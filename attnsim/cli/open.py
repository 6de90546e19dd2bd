"""`attnsim open PATH`, and `attnsim` alone: the window, or a picture where no window can open."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from attnsim.cli import headless
from attnsim.cli.command import Command, Window
from attnsim.words import _, mark


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    # optional, since a desktop starts a program with the file that was clicked, or with none
    parser.add_argument("path", metavar="PATH", nargs="?", help=_("a file with queries and keys"))


def run(given: Namespace, window: Window) -> int:
    """Open the window with a file, or without one when `given` has no path.

    Raises
    ------
    ValueError
        If there is no such file.
    """
    path = Path(given.path) if getattr(given, "path", None) else None
    if path is not None and not path.exists():
        raise ValueError(_("{file}: there is no such file").format(file=path))
    if reason := window.missing():
        return headless.show(path, reason)
    return window.open(path)


COMMAND = Command(
    key="open",
    sentence=mark("Open the window with the queries and keys of a file."),
    add_options=add_options,
    run=run,
)
