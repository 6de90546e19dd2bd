"""Presets: questions to begin with, built in and the user's own. Each is a state with a title and two sentences.

A file is what `files.state` describes, `NAME.json`; the user's lie in `own_folder()`.
"""

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from attnsim.files.atomic import put
from attnsim.files.resources import folder
from attnsim.files.session import text_of
from attnsim.files.state import State, from_json, to_json
from attnsim.words import _

SUFFIX = ".json"
LONGEST_NAME = 60
ORDER = re.compile(r"^\d\d-")  # before the name of a file, so that they stand in the order of the questions


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A question to begin with.

    Attributes
    ----------
    name : str
        The file's, without its suffix and a number before it.
    state : State
        With `title`, and two sentences in `notes`; those of built-in ones pass through the catalogue when shown.
    own : bool
        Whether it is the user's.
    """

    name: str
    state: State
    own: bool = False


def all_presets() -> tuple[tuple[Preset, ...], tuple[str, ...]]:
    """Return the built-in presets and the user's behind them.

    Returns
    -------
    tuple of Preset
        By name; what could not be read is skipped.
    tuple of str
        A sentence for each file that could not be read, or not wholly.
    """
    found: dict[tuple[bool, str], Preset] = {}
    said: list[str] = []
    for place, own in ((folder() / "presets", False), (own_folder(), True)):
        for path in _files(place):
            try:
                state, sentences = from_json(text_of(path))
            except ValueError as error:
                said.append(_("{file} is skipped: {reason}.").format(file=path.name, reason=error))
                continue
            said += [f"{path.name}: {sentence}" for sentence in sentences]
            name = ORDER.sub("", path.stem)
            state = state if state.title else replace(state, title=name)
            found[own, name] = Preset(name=name, state=state, own=own)
    return tuple(found.values()), tuple(said)


def named(name: str) -> Preset:
    """Return a preset by its name; the user's before a built-in one.

    Raises
    ------
    ValueError
        If there is none.
    """
    found = {preset.name: preset for preset in all_presets()[0]}
    if name not in found:
        raise ValueError(
            _("preset must be one of {known}, not {value}").format(known=", ".join(found), value=repr(name))
        )
    return found[name]


def keep(state: State) -> Preset:
    """Write a preset of the user's own, under a name made of its title; one of that name is replaced.

    Raises
    ------
    ValueError
        If it has no title, or cannot be written.
    """
    name = re.sub(r"[^\w.-]+", "-", state.title.strip().lower()).strip("-.")[:LONGEST_NAME]
    if not name:
        raise ValueError(_("a preset needs a title"))
    place = own_folder()
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(
            _("{name} cannot be written: {reason}").format(name=name + SUFFIX, reason=error.strerror or str(error))
        ) from error
    put(place / (name + SUFFIX), (to_json(state, indent=2) + "\n").encode())
    return Preset(name=name, state=state, own=True)


def own_folder() -> Path:
    """Return where the user's presets lie; it need not exist."""
    if sys.platform == "win32":
        base = os.environ.get("APPDATA") or str(Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "attnsim" / "presets"


def _files(place: Path) -> Iterator[Path]:
    try:
        yield from sorted(place.glob("*" + SUFFIX))
    except OSError:  # a folder that may not be read
        return
