"""What a command is made of."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from attnsim.files.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What the other face can do; handed in from above, since the command line sees no Qt.

    Attributes
    ----------
    missing : callable
        () -> why no window can open here, in one sentence; empty if one can.
    open : callable
        (file of vectors or None, state to restore or None) -> exit code, when the window is closed.
    measure : callable
        () -> numbers by name.
    measure_labs : callable
        () -> for each lab numbers by name, None where nothing moves.
    self_test : callable
        file to open or None -> iterator of (what was looked at, what was found); raises ValueError for what is wrong.
    """

    missing: Callable[[], str]
    open: Callable[[Path | None, State | None], int]
    measure: Callable[[], dict[str, float]]
    measure_labs: Callable[[], dict[str, dict[str, float | None]]]
    self_test: Callable[[Path | None], Iterator[tuple[str, str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command as the registry knows it.

    Attributes
    ----------
    key : str
        The word a user types.
    sentence : str
        What it does, marked for the catalogue.
    add_options : callable
        Adds its options to a parser.
    run : callable
        (options read, window) -> exit code.
    """

    key: str
    sentence: str
    add_options: Callable[[ArgumentParser], None]
    run: Callable[[Namespace, Window], int]
