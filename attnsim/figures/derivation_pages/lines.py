"""Steps of the derivation as paragraphs of a page, and the rows they are checked against."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from attnsim.experiments.derivation import Derivation
from attnsim.experiments.evidence import Evidence
from attnsim.experiments.records import Walk
from attnsim.figures.derivation_sum import sum_steps, whole_steps
from attnsim.figures.derivation_weights import real_steps, weight_steps
from attnsim.figures.formula import plain
from attnsim.figures.marks import Figure, Paragraph
from attnsim.figures.numbers import signed
from attnsim.figures.step import Step, measured_words
from attnsim.words import _


@lru_cache(maxsize=2)
def sum_lines(result: Walk) -> tuple[Step, ...]:
    """Return the lines about terms and the whole score; for real vectors all there are."""
    if result.vectors is not None:
        return tuple(real_steps(result))
    return (*sum_steps(result.scenario, _found(result)), *whole_steps(result))


@lru_cache(maxsize=2)
def weight_lines(result: Walk) -> tuple[Step, ...]:
    """Return the lines about scaled scores and weights; none for real vectors."""
    return () if result.vectors is not None else tuple(weight_steps(result, _found(result)))


def _found(result: Walk) -> Evidence | None:
    """Return the rows to check the lines against, where there are some."""
    return result.evidence if isinstance(result, Derivation) else None


def page_of(key: str, title: str, steps: Sequence[Step], first: int) -> Figure:
    """Return a figure of words alone.

    Parameters
    ----------
    key, title : str
    steps : sequence of Step
    first : int
        Number of the first of them in the whole derivation.
    """
    checked = [step.checked.deviation for step in steps if step.checked is not None]
    known = [abs(z) for z in checked if z is not None]
    farthest = _("{count} lines checked, the farthest {deviation} standard errors off").format(
        count=len(known), deviation=f"{max(known, default=0.0):.1f}"
    )
    return Figure(
        key=key,
        title=title,
        subtitle=farthest if known else _("with the numbers of this scenario"),
        note="",
        plots=(),
        summary="; ".join(step.title for step in steps) + ".",
        page=tuple(line for place, step in enumerate(steps, first) for line in _paragraphs(place, step)),
    )


def _paragraphs(place: int, step: Step) -> Iterator[Paragraph]:
    yield Paragraph(f"{place}. {step.title}", "heading")
    if step.formula:
        yield Paragraph(plain(step.formula), "formula")
    if step.filled:
        yield Paragraph(plain(step.filled), "formula")
    if step.text:
        yield Paragraph(step.text)
    if step.checked is not None:
        z = step.checked.deviation
        end = "" if z is None else " · " + _("{deviation} SE").format(deviation=signed(z))
        yield Paragraph(measured_words(step.checked) + end, "numbers")
