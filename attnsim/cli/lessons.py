"""`attnsim lessons`: the guided lessons, and a check of a teacher's own."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from attnsim.cli.command import Command, Window
from attnsim.cli.printing import print_columns, print_json, say
from attnsim.files.lessons import read_lesson, shelf, user_folder
from attnsim.files.lessons.records import Lesson
from attnsim.words import _, mark

FINDINGS = 1


def add_options(parser: ArgumentParser) -> None:
    """Add the command's options."""
    parser.add_argument("--json", action="store_true", help=_("print JSON"))
    parser.add_argument("--language", metavar="WORD", default="en", help=_("en or zh; default en"))
    actions = parser.add_subparsers(dest="action", metavar=_("ACTION"))
    check = actions.add_parser("check", help=_("read a lesson's file and run its steps"), allow_abbrev=False)
    check.add_argument("file", metavar=_("FILE"))


def run(given: Namespace, window: Window) -> int:
    """List the lessons, or check a file."""
    if given.action == "check":
        return check(Path(given.file), given.json)
    found = shelf(given.language)
    if given.json:
        print_json({"lessons": [record(lesson) for lesson in found.lessons], "problems": list(found.problems)})
        return FINDINGS if found.problems else 0
    heads = (_("lesson"), _("title"), _("minutes"), _("steps"))
    rows = [(lesson.key, lesson.title, f"{lesson.minutes:g}", str(len(lesson.steps))) for lesson in found.lessons]
    print_columns(heads, rows, words=2)
    say()
    say(_("Your own lessons go here: {folder}").format(folder=user_folder()))
    for problem in found.problems:
        say(problem)
    return FINDINGS if found.problems else 0


def record(lesson: Lesson) -> dict[str, object]:
    """Return what `--json` prints of a lesson."""
    return {
        "key": lesson.key,
        "title": lesson.title,
        "misconception": lesson.misconception,
        "minutes": lesson.minutes,
        "language": lesson.language,
        "file": str(lesson.path),
        "steps": [
            {"title": step.title, "lab": step.lab, "predict": len(step.choices), "play": step.play}
            for step in lesson.steps
        ],
    }


def check(path: Path, as_json: bool) -> int:
    """Read a file and run its steps; 1 when a number is not as it says.

    Raises
    ------
    ValueError
        If it cannot be read: names file and line.
    """
    from attnsim.files.lessons.verify import doubts

    lesson = read_lesson(path)
    found = doubts(lesson)
    if as_json:
        print_json(record(lesson) | {"findings": list(found)})
        return FINDINGS if found else 0
    claims = sum(len(step.claims) for step in lesson.steps)
    say(
        _("{title}: {steps} steps, {claims} numbers checked.").format(
            title=lesson.title, steps=len(lesson.steps), claims=claims
        )
    )
    for sentence in found:
        say(f"- {sentence}")
    return FINDINGS if found else 0


COMMAND = Command(
    key="lessons",
    sentence=mark("List the lessons, or check one of your own."),
    add_options=add_options,
    run=run,
)
