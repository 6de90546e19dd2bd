"""The answer, once it may be seen: which line is behind which letter."""

import math

from attnsim.choices.sections.which_d import VARIANTS
from attnsim.experiments.which_d.records import Symptoms
from attnsim.figures.marks import Figure, Paragraph, Table
from attnsim.figures.numbers import number
from attnsim.figures.which_d.code import verdict
from attnsim.figures.which_d.lines import LINES, revealed, title_of
from attnsim.view import View
from attnsim.words import _


def build(result: Symptoms, view: View) -> Figure:
    """Return the table of letters and names; a hint where to click while it is hidden."""
    letter = result.letter(result.mystery)
    if not revealed(view):
        return Figure(
            key="which_d_answer",
            title=_("Answer"),
            subtitle=_("hidden"),
            note="",
            plots=(),
            summary=_("The answer is hidden."),
            page=(Paragraph(_("Guess first. Then set “Answer” to “shown”.")), Paragraph(verdict(result))),
        )
    solved = _("{letter} is “{name}”").format(letter=letter, name=title_of(result.mystery))
    return Figure(
        key="which_d_answer",
        title=_("Answer"),
        subtitle=solved,
        note="",
        plots=(),
        summary=solved + ".",
        table=_table(result),
        page=(
            Paragraph(solved, "heading"),
            Paragraph(LINES[result.mystery].code, "formula"),
            Paragraph(_("What one sees: {symptom}.").format(symptom=_(LINES[result.mystery].seen))),
            Paragraph(verdict(result)),
        ),
    )


def _table(result: Symptoms) -> Table:
    spread = result.theory["spread"]
    rows, values, roles = [], [], []
    for name in result.letters:
        at = VARIANTS.index(name)
        left = float(spread[at]) if math.isfinite(spread[at]) else float(result.spread.value[at])
        rows.append((result.letter(name), title_of(name), number(1.0 / result.factor(name)), number(left)))
        values.append((result.letter(name), title_of(name), 1.0 / result.factor(name), left))
        roles.append(LINES[name].role)
    return Table(
        heads=("", _("line of code"), _("divides by"), _("spread")),
        rows=tuple(rows),
        roles=tuple(roles),
        numeric=(False, False, True, True),
        values=tuple(values),
    )
