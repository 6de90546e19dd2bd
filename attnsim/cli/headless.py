"""What happens where no window can open: the picture, the numbers, and a word about it."""

import os
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attnsim import api
from attnsim.cli import simulate, table
from attnsim.cli.printing import say
from attnsim.figures.summaries import summary_of
from attnsim.files.script import to_command
from attnsim.files.state import State
from attnsim.vectors import Vectors
from attnsim.words import _


def show(path: Path | None, state: State | None, reason: str) -> int:
    """Write the picture that the window would have shown first, print its numbers and say why.

    Parameters
    ----------
    path : Path or None
        A file with queries and keys.
    state : State or None
        What is to be shown; the program's first picture when None.
    reason : str
        Why no window can open, in one sentence.
    """
    from attnsim.experiments.table import table as tabulate

    shown = State() if state is None else state
    vectors = vectors_of(path, shown)
    result = api.run(shown.scenario, vectors, shown.lab)
    place = free_place("attnsim.png")
    api.save(result, place, shown.view, lab=shown.lab)
    say(reason)
    say(_("So the picture is in a file: {file}").format(file=place))
    say(_("For another one: {command}").format(command=_command(path, state)))
    say()
    if shown.lab != "walk":
        say(". ".join(filter(None, summary_of(result).headline(result, shown.view))))
    elif vectors is None:
        table.show(result.scenario, tabulate(result.scenario, table.DIMS))
    else:
        simulate.show(result)
    return 0


def vectors_of(path: Path | None, state: State) -> Vectors | None:
    """Return the real vectors of a file, or those that travel with a state, or None.

    Raises
    ------
    ValueError
        If the state means vectors that are in neither.
    """
    wanted = state.vectors
    if path is not None:
        vectors = api.load_vectors(path)
        return vectors if wanted is None else wanted.found_in(vectors)
    if wanted is None:
        return None
    kept = wanted.vectors()
    if kept is None:
        raise ValueError(
            _("the vectors of {title} are too many to be in the file: say with --file where they are").format(
                title=wanted.title
            )
        )
    return kept


def _command(path: Path | None, state: State | None) -> str:
    # the start script of a clone names itself: there the program is not on the user's path
    program = os.environ.get("ATTNSIM_PROGRAM", "attnsim")
    if state is not None:
        return to_command(state).replace("attnsim", program, 1)
    source = "" if path is None else f"--file {shlex.quote(str(path))} "
    return f"{program} export {source}--out figure.png"


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
