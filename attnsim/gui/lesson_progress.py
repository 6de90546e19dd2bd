"""How far a reader has come in each lesson: kept between starts of the program."""

import json
from dataclasses import dataclass, field

from PySide6.QtCore import QSettings

from attnsim.files.lessons import Lesson, user_folder
from attnsim.files.resources import resource
from attnsim.words import language

PLACES, LANGUAGE, BEFORE, OFFERED, LAST = (
    f"lessons/{name}" for name in ("places", "language", "before", "offered", "last")
)


@dataclass(slots=True)
class Place:
    """Where a reader stands in a lesson.

    Attributes
    ----------
    step : int
        From 0; the number of steps stands for the lesson's end.
    predicted : dict of int to int
        Step to the choice that was predicted; -1 where the guess was skipped.
    done : bool
        Whether the end has been reached once.
    """

    step: int = 0
    predicted: dict[int, int] = field(default_factory=dict)
    done: bool = False


def name_of(lesson: Lesson) -> str:
    """Return the name under which progress is kept: a file that was opened may be called like another lesson."""
    folders = (user_folder(), resource("lessons"))
    own = any(folder in lesson.path.absolute().parents for folder in folders)
    return lesson.key if own else str(lesson.path.absolute())


def place_in(lesson: Lesson) -> Place:
    """Return where the reader stands; the beginning where nothing sensible is kept."""
    kept = _all().get(name_of(lesson))
    try:
        step, predicted = int(kept["step"]), {int(at): int(choice) for at, choice in kept["predicted"].items()}
        place = Place(step, predicted, bool(kept["done"]))
    except (TypeError, KeyError, ValueError, AttributeError):
        return Place()
    fits = 0 <= step <= len(lesson.steps)
    fits &= all(
        0 <= at < len(lesson.steps) and -1 <= choice < len(lesson.steps[at].choices) for at, choice in predicted.items()
    )
    return place if fits else Place(done=place.done)  # the lesson has become another one


def keep(lesson: Lesson, place: Place) -> None:
    """Keep where the reader stands."""
    record = {"step": place.step, "predicted": place.predicted, "done": place.done}
    QSettings().setValue(PLACES, json.dumps(_all() | {name_of(lesson): record}))
    QSettings().setValue(LAST, name_of(lesson))


def last() -> str:
    """Return the name of the lesson read last; empty if there is none."""
    return QSettings().value(LAST, "", type=str)


def chosen_language() -> str:
    """Return the language of lessons: the one the reader chose, or else the interface's."""
    return QSettings().value(LANGUAGE, "", type=str) or language()


def languages() -> list[str]:
    """Return the languages in which there are lessons."""
    folders = (each for root in (resource("lessons"), user_folder()) if root.is_dir() for each in root.iterdir())
    return sorted({folder.name for folder in folders if folder.is_dir()})


def _all() -> dict[str, dict[str, object]]:
    try:
        kept = json.loads(QSettings().value(PLACES, "{}", type=str))
    except ValueError:
        return {}
    return kept if isinstance(kept, dict) else {}
