"""Where lessons lie: those of the program, and those that a teacher has added."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from attnsim.files.lessons.reader import read_lesson
from attnsim.files.lessons.records import Lesson, Shelf
from attnsim.files.resources import resource

ENGLISH = "en"
SUFFIX = ".md"
NOT_LESSONS = ("readme", "paths")


def shelf(language: str = ENGLISH) -> Shelf:
    """Return all lessons, in a language where they have it and in English elsewhere.

    Parameters
    ----------
    language : str
        Such as "zh_CN"; what counts is the part before the first "_", "-" or ".".

    Notes
    -----
    A file in the user's folder takes the place of one of the program's with the same name. One that lies there without
    a folder for its language is offered in all of them.
    """
    chosen: dict[str, Lesson] = {}
    problems: list[str] = []
    for folder, tongue in _folders(_short(language)):
        for path in _files(folder):
            if path.stem in chosen:
                continue
            try:
                chosen[path.stem] = read_lesson(path, tongue)
            except ValueError as error:
                problems.append(str(error))
    ordered = sorted(chosen.values(), key=lambda lesson: (lesson.order, lesson.key))
    return Shelf(tuple(ordered), tuple(problems))


def user_folder() -> Path:
    """Return the folder into which a teacher puts lessons; it need not exist.

    Returns
    -------
    Path
        `attnsim/lessons` in the system's place for a user's data.
    """
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local) / "attnsim" / "lessons"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "attnsim" / "lessons"
    if (xdg := os.environ.get("XDG_DATA_HOME")) and Path(xdg).is_absolute():
        return Path(xdg) / "attnsim" / "lessons"
    return Path.home() / ".local" / "share" / "attnsim" / "lessons"


def _short(language: str) -> str:
    for sign in "_-.:":
        language = language.partition(sign)[0]
    return language.lower() or ENGLISH


def _folders(language: str) -> Iterator[tuple[Path, str]]:
    """Yield the folders from the one that counts most to the one that counts least."""
    own, packaged = user_folder(), resource("lessons")
    yield own / language, language
    yield own, ""
    yield packaged / language, language
    yield own / ENGLISH, ENGLISH
    yield packaged / ENGLISH, ENGLISH


def _files(folder: Path) -> list[Path]:
    try:
        found = sorted(folder.iterdir())
    except OSError:  # it need not be there
        return []
    return [path for path in found if path.suffix.lower() == SUFFIX and path.stem.lower() not in NOT_LESSONS]
