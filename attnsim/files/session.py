"""Sessions: a state in a file of its own, `.attnsim`; what is in it, `files.state` says."""

import os
from pathlib import Path

from attnsim.files.atomic import put
from attnsim.files.state import State, from_json, to_json
from attnsim.words import _

SUFFIX = ".attnsim"
LARGEST = 4 * 2**20  # bytes that are read


def write(path: str | os.PathLike[str], state: State) -> Path:
    """Write a session, in one step.

    Parameters
    ----------
    path : path-like
        `.attnsim` is added where it has no suffix.
    state : State

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ValueError
        If it cannot be written; an old file of that name is then as it was.
    """
    target = Path(path)
    target = target if target.suffix else target.with_name(target.name + SUFFIX)
    put(target, (to_json(state, indent=2) + "\n").encode())
    return target


def read(path: str | os.PathLike[str]) -> tuple[State, tuple[str, ...]]:
    """Read a session, as much of it as can be read.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    State
    tuple of str
        A sentence for each thing that could not be restored.

    Raises
    ------
    ValueError
        If there is no such file, or nothing in it is a state.
    """
    return from_json(text_of(Path(path)))


def text_of(path: Path) -> str:
    """Return what a text file holds, at most `LARGEST` bytes of it; what is no UTF-8 is replaced."""
    try:
        if path.exists() and not path.is_file():
            raise ValueError(_("{file} is no regular file").format(file=path.name))
        with path.open("rb") as stream:
            return stream.read(LARGEST).decode("utf-8-sig", errors="replace")
    except OSError as error:
        raise ValueError(
            _("{file} cannot be opened: {reason}").format(file=path.name, reason=error.strerror or str(error))
        ) from error
