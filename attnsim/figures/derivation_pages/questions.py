"""The three questions one is left with, as a page."""

from collections.abc import Iterator
from functools import lru_cache

from attnsim.experiments.records import Walk
from attnsim.figures.marks import Figure, Paragraph, Table
from attnsim.figures.questions import QUESTIONS, Question, question, titles
from attnsim.view import View
from attnsim.words import _


def build(result: Walk, view: View) -> Figure:
    """Return the questions with their answers, and the table of initialisations."""
    asked = _all(tuple(titles().values()))
    rows = [row for each in asked for row in each.rows]
    return Figure(
        key="derivation_questions",
        title=_("Three questions"),
        subtitle=_("Means, initialisation, sparse attention"),
        note="",
        plots=(),
        summary=" ".join(each.title for each in asked),
        table=Table(
            heads=(_("initialisation"), _("spread after ÷ √d"), _("best factor")),
            rows=tuple(rows),
        ),
        page=tuple(line for each in asked for line in _paragraphs(each)),
    )


@lru_cache(maxsize=2)
def _all(_titles: tuple[str, ...]) -> tuple[Question, ...]:
    """Return the answers, kept for the language that the titles are in: each costs a quadrature or two."""
    return tuple(question(number) for number in QUESTIONS)


def _paragraphs(each: Question) -> Iterator[Paragraph]:
    yield Paragraph(f"{each.number}. {each.title}", "heading")
    for paragraph in each.answer:
        yield Paragraph(paragraph)
    yield Paragraph(_("To see it: attnsim explain --question {number}").format(number=each.number), "numbers")
