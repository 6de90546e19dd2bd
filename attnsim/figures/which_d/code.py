"""The seven lines of code, and what is to be found out."""

from collections.abc import Iterator

from attnsim.choices.sections.which_d import VARIANTS
from attnsim.experiments.which_d.records import Symptoms
from attnsim.figures.marks import Figure, Paragraph, Table
from attnsim.figures.numbers import count, number
from attnsim.figures.which_d.lines import LINES, left_out, title_of
from attnsim.view import View
from attnsim.words import _


def build(result: Symptoms, view: View) -> Figure:
    """Return a table of the lines and the question, with the verdict on the reader's guess."""
    letter = result.letter(result.mystery)
    rows = tuple((title_of(name), LINES[name].code) for name in VARIANTS)
    return Figure(
        key="which_d_code",
        title=_("Which line is it?"),
        subtitle=_("Seven lines of code, shuffled behind the letters A to G"),
        note=_("your code: {letter}").format(letter=letter),
        plots=(),
        summary=_("Seven lines of code are shuffled behind letters, and yours is {letter}.").format(letter=letter)
        + " "
        + verdict(result),
        table=Table(heads=(_("name"), _("code")), rows=rows, numeric=(False, False)),
        page=tuple(_page(result)),
    )


def _page(result: Symptoms) -> Iterator[Paragraph]:
    s, heads = result.scenario, result.section.heads
    yield Paragraph(_("Your code is {letter}").format(letter=result.letter(result.mystery)), "heading")
    yield Paragraph(
        _("d_head = {dim} · heads = {heads} · d_model = {width} · n = {keys}").format(
            dim=count(s.dim), heads=count(heads), width=count(heads * s.dim), keys=count(s.keys)
        ),
        "numbers",
    )
    yield Paragraph(_("What a line does to the spread of the scores when d or n changes gives it away."))
    yield Paragraph(verdict(result))
    if left_out(result):
        yield Paragraph(left_out(result))


def verdict(result: Symptoms) -> str:
    """Return what there is to say of the reader's guess."""
    guess, letter = result.section.guess, result.letter(result.mystery)
    if guess == "none":
        return _("Make a guess, then let the answer be shown.")
    if guess == result.mystery:
        return _("Your guess is right: {letter} is “{name}”.").format(letter=letter, name=title_of(guess))
    if result.alike(guess):
        return _(
            "{letter} may as well be “{name}”: with these numbers the scores are the same as those of another line. "
            "Change d, n or the number of heads, and see whether they part."
        ).format(letter=letter, name=title_of(guess))
    theory = float(result.raw_theory[-1])
    raw = theory if theory == theory else float(result.raw.value[-1])
    return _("Not “{name}”: that would leave the spread {guessed}, and {letter} has {yours}.").format(
        name=title_of(guess),
        guessed=number(raw * result.factor(guess)),
        letter=letter,
        yours=number(raw * result.factor(result.mystery)),
    )
