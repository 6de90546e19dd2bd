"""What a lesson is made of, once its file is read."""

from dataclasses import dataclass
from pathlib import Path

from attnsim.scenario import Scenario
from attnsim.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer that the reader may predict.

    Attributes
    ----------
    text : str
        Markdown.
    right : bool
    """

    text: str
    right: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """A number that a step speaks of, which a test looks up.

    Attributes
    ----------
    key : str
        Path in what `attnsim run LAB --json` prints under `numbers`, parts divided by "/".
    low, high : float
        Between which it must lie.
    """

    key: str
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a lesson: words, and what the program is set to meanwhile.

    Attributes
    ----------
    title : str
    text : str
        Markdown; shown at once.
    choices : tuple of Choice
        Predictions to choose from; empty for a step that only shows. Settings of a step with choices are taken
        once one of them is chosen, and `answer` is shown then.
    answer : str
        Markdown.
    lab : str
    scenario : Scenario
        Complete, with the lab's section: what earlier steps set is in it.
    view : View
        Figures, picks, playhead, marked keys.
    play : bool
        Whether the playhead runs from the start (or from the view's playhead) once the step's result is there.
    claims : tuple of Claim
    line : int
        Of its heading in the file, from 1.
    """

    title: str
    text: str
    choices: tuple[Choice, ...] = ()
    answer: str = ""
    lab: str
    scenario: Scenario
    view: View
    play: bool = False
    claims: tuple[Claim, ...] = ()
    line: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson.

    Attributes
    ----------
    key : str
        Its id: the file's name without suffix; the same in every language, and what progress is kept under.
    title : str
    misconception : str
        The sentence it starts from; may be empty.
    minutes : float
        How long it takes.
    order : float
        Place in the list.
    intro : str
        Markdown before the first step; may be empty.
    steps : tuple of Step
    ending : str
        Markdown: what to try next; may be empty.
    language : str
        Name of the folder it lies in, such as "en"; empty where it lies beside these folders.
    path : Path
    """

    key: str
    title: str
    misconception: str
    minutes: float
    order: float
    intro: str
    steps: tuple[Step, ...]
    ending: str
    language: str
    path: Path


@dataclass(frozen=True, slots=True)
class Shelf:
    """All lessons that can be read, in their order, and a sentence for each file that cannot."""

    lessons: tuple[Lesson, ...]
    problems: tuple[str, ...]

    @property
    def shortest(self) -> Lesson | None:
        """The lesson for a first start; None where there is none."""
        return min(self.lessons, key=lambda lesson: (lesson.minutes, lesson.order), default=None)
