"""Reads one lesson: a markdown file with a front matter, a heading a step, and a block of settings under it.

The format is described for teachers in `resources/lessons/README.md`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attnsim.files.lessons.records import Choice, Lesson, Step
from attnsim.files.lessons.settings import Settings
from attnsim.files.lessons.yaml_block import mapping, number_in, text_in
from attnsim.words import _

MOST_BYTES = 1_000_000
FENCE = "---"
BLOCK = ("attnsim", "settings", "yaml")  # names under which a fenced block holds settings
MARKS = {"[ ] ": False, "[x] ": True, "[X] ": True}
KNOWN = ("title", "misconception", "minutes", "order")


class LessonError(ValueError):
    """What is wrong in a lesson's file, in a sentence that names file and line."""

    def __init__(self, path: Path, line: int, sentence: str) -> None:
        super().__init__(
            _("{file}, line {line}: {sentence}").format(file=path.name, line=line, sentence=" ".join(sentence.split()))
        )


@dataclass(slots=True)
class Part:
    """A stretch of the file under one heading, before its settings are understood."""

    title: str = ""
    line: int = 1
    text: list[str] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    answer: list[str] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    settings_line: int = 1

    def add(self, block: str) -> None:
        """Add a block of markdown: to the text, or to the answer once there are choices."""
        (self.answer if self.choices else self.text).append(block)


def read_lesson(path: Path, language: str = "") -> Lesson:
    """Read a lesson.

    Parameters
    ----------
    path : Path
    language : str
        Of the folder it lies in.

    Raises
    ------
    LessonError
        One sentence that names file and line.
    """
    lines = _lines(path)
    front, first = _front_matter(path, lines)
    try:
        head, parts, ending = _parts(path, lines[first:], first)
        minutes = number_in(front, "minutes", 5.0)
        order = number_in(front, "order", 1000.0)
    except ValueError as error:
        raise error if isinstance(error, LessonError) else LessonError(path, 1, str(error)) from None
    title = text_in(front, "title") or head.title or path.stem
    if not parts:
        raise LessonError(path, first + 1, _("a lesson needs a step: a heading that begins with ## "))
    return Lesson(
        key=path.stem,
        title=title,
        misconception=text_in(front, "misconception"),
        minutes=minutes,
        order=order,
        intro=_joined(head.text + head.answer),
        steps=tuple(_steps(path, parts)),
        ending=_joined(ending),
        language=language,
        path=path,
    )


def _lines(path: Path) -> list[str]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LessonError(path, 1, _("it cannot be read: {reason}").format(reason=error.strerror or error)) from None
    if len(data) > MOST_BYTES:
        raise LessonError(path, 1, _("a lesson has {most:,} bytes at most").format(most=MOST_BYTES))
    try:
        return data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise LessonError(path, line, _("it must be saved as UTF-8")) from None


def _front_matter(path: Path, lines: list[str]) -> tuple[dict[str, Any], int]:
    """Return what stands between two lines of --- at the file's start, and the number of lines it takes."""
    start = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if not lines or lines[start].strip() != FENCE:
        return {}, 0
    end = next((at for at in range(start + 1, len(lines)) if lines[at].strip() == FENCE), None)
    if end is None:
        raise LessonError(path, start + 1, _("the line --- that ends the front matter is missing"))
    try:
        found = mapping("\n".join(lines[start + 1 : end]), start + 2)
    except SyntaxError as error:
        raise LessonError(path, error.lineno or 1, error.msg) from None
    for name in found.keys() - set(KNOWN):
        raise LessonError(
            path, start + 1, _("{name} is unknown here; known are {known}").format(name=name, known=", ".join(KNOWN))
        )
    return found, end + 1


def _parts(path: Path, lines: list[str], first: int) -> tuple[Part, list[Part], list[str]]:
    """Return what stands before the steps, the steps, and what stands after the last line of ---."""
    head, parts, ending = Part(line=first + 1), list[Part](), list[str]()
    blocks = list(_blocks(lines))
    last_rule = max((at for at, (kind, *_rest) in enumerate(blocks) if kind == "rule"), default=len(blocks))
    for at, (kind, start, block, word) in enumerate(blocks):
        part = parts[-1] if parts else head
        if at > last_rule:
            ending.append(block)
        elif kind == "title" and not parts:
            head.title = word
        elif kind == "step":
            parts.append(Part(title=word, line=first + start + 1))
        elif kind == "settings":
            try:
                part.settings |= mapping(block, first + start + 2)
            except SyntaxError as error:
                raise LessonError(path, error.lineno or 1, error.msg) from None
            part.settings_line = first + start + 1
        elif kind == "choices":
            part.choices += _choices(block)
        elif kind != "rule":
            part.add(block)
    if head.settings:
        raise LessonError(path, head.settings_line, _("settings belong under the heading of a step"))
    return head, parts, ending


def _blocks(lines: list[str]) -> Iterator[tuple[str, int, str, str]]:
    """Yield the top blocks of the markdown: (kind, first line, source, words of a heading)."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").disable("lheading").parse("\n".join(lines))
    for at, token in enumerate(tokens):
        if token.level or token.map is None or token.nesting < 0:
            continue
        start, end = token.map
        block = "\n".join(lines[start:end]).rstrip()
        if token.type == "heading_open" and token.tag in ("h1", "h2"):
            yield ("title" if token.tag == "h1" else "step"), start, block, tokens[at + 1].content.strip()
        elif token.type == "fence" and token.info.strip().lower() in BLOCK:
            yield "settings", start, token.content, ""
        elif token.type in ("bullet_list_open", "ordered_list_open") and _choices(block):
            yield "choices", start, block, ""
        else:
            yield ("rule" if token.type == "hr" else "words"), start, block, ""


def _choices(block: str) -> list[Choice]:
    """Return the items of a task list; none where it is another list."""
    items: list[tuple[str, bool]] = []
    for line in block.splitlines():
        bare = line.lstrip().lstrip("-*+0123456789.)").lstrip()
        mark = next((mark for mark in MARKS if bare.startswith(mark)), None)
        if mark is not None:
            items.append((bare[len(mark) :].strip(), MARKS[mark]))
        elif not items:
            return []
        elif line.strip():
            items[-1] = (f"{items[-1][0]} {line.strip()}", items[-1][1])
    return [Choice(text=text, right=right) for text, right in items]


def _steps(path: Path, parts: list[Part]) -> Iterator[Step]:
    """Yield the steps, each with what the steps before have set."""
    so_far = Settings.first()
    for part in parts:
        try:
            so_far = so_far.changed(part.settings)
        except ValueError as error:
            raise LessonError(path, part.settings_line, str(error)) from None
        right = sum(choice.right for choice in part.choices)
        if part.choices and right != 1:
            raise LessonError(
                path, part.line, _("one choice, and one alone, must be marked [x], not {count}").format(count=right)
            )
        if len(part.choices) == 1:
            raise LessonError(path, part.line, _("a prediction needs two choices at least"))
        yield Step(
            title=part.title,
            text=_joined(part.text),
            choices=tuple(part.choices),
            answer=_joined(part.answer),
            lab=so_far.lab,
            scenario=so_far.scenario,
            view=so_far.view,
            play=so_far.play,
            claims=so_far.claims,
            line=part.line,
        )


def _joined(blocks: list[str]) -> str:
    return "\n\n".join(blocks).strip()
