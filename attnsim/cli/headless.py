"""What happens where no window can open: the picture, the numbers, and a word about it."""

import os
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attnsim import api
from attnsim.cli import simulate, table
from attnsim.cli.printing import say
from attnsim.scenario import Scenario
from attnsim.words import _


def show(path: Path | None, reason: str) -> int:
    """Write the picture that the window would have shown first, print its numbers and say why.

    Parameters
    ----------
    path : Path or None
        A file with queries and keys.
    reason : str
        Why no window can open, in one sentence.
    """
    from attnsim.experiments.table import table as tabulate

    scenario = Scenario()
    result = api.run(scenario, None if path is None else api.load_vectors(path))
    place = free_place("attnsim.png")
    api.save(result, place)
    say(reason)
    say(_("So the picture is in a file: {file}").format(file=place))
    source = "" if path is None else f"--file {shlex.quote(str(path))} "
    # the start script of a clone names itself: there the program is not on the user's path
    program = os.environ.get("ATTNSIM_PROGRAM", "attnsim")
    say(_("For another one: {command}").format(command=f"{program} export {source}--out figure.png"))
    say()
    if path is None:
        table.show(scenario, tabulate(scenario, table.DIMS))
    else:
        simulate.show(result)
    return 0


def free_place(name: str) -> Path:
    """Return a path for a new file: in the current folder, or in another one if nothing can be written there.

    Raises
    ------
    ValueError
        If no folder can be written to.
    """
    for folder in _folders():
        if os.access(folder, os.W_OK | os.X_OK):
            return next(path for path in _numbered(folder, name) if not path.exists())
    raise ValueError(
        _("{name} cannot be written: neither here, nor at home, nor in a temporary folder").format(name=name)
    )


def _folders() -> Iterator[Path]:
    for place in (Path.cwd, Path.home, lambda: Path(tempfile.gettempdir())):
        try:
            yield place()
        except (OSError, RuntimeError):  # a folder that was deleted; a user without a home
            continue


def _numbered(folder: Path, name: str) -> Iterator[Path]:
    yield folder / name
    stem, dot, suffix = name.partition(".")
    number = 2
    while True:
        yield folder / f"{stem}-{number}{dot}{suffix}"
        number += 1
