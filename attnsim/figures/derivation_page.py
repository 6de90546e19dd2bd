"""The derivation and the three questions as one page of rich text, for a window; colours come from the face."""

from collections.abc import Callable, Sequence
from html import escape

from attnsim.experiments.evidence import Measured
from attnsim.figures.formula import rich, rich_words
from attnsim.figures.numbers import signed
from attnsim.figures.questions import Question
from attnsim.figures.readouts import DOUBTFUL, GOOD
from attnsim.figures.step import Step, measured_words
from attnsim.words import _

Paint = Callable[[str], str]  # role ("ink", "muted", "accent", "good", "warn") -> colour


def page(steps: Sequence[Step], questions: Sequence[Question], paint: Paint) -> str:
    """Return the page.

    Parameters
    ----------
    steps : sequence of Step
    questions : sequence of Question
        Each with a link `question:N` to its scenario.
    paint : callable
        (role) -> colour as `#rrggbb`.
    """
    parts = [_step(place, step, paint) for place, step in enumerate(steps, 1)]
    if questions:
        title = escape(_("Three questions"))
        parts.insert(0, f"<p><a href='#questions' style='color:{paint('accent')}'>{title}</a></p>")
        parts.append(f"<p style='margin:22px 0 4px 0'><a name='questions'></a>{_bold(title, '16px')}</p>")
    parts += [_question(each, paint) for each in questions]
    return f"<div style='color:{paint('ink')}'>{''.join(parts)}</div>"


def _bold(words: str, size: str = "14px") -> str:
    return f"<span style='font-weight:600; font-size:{size}'>{words}</span>"


def _step(place: int, step: Step, paint: Paint) -> str:
    lines = [f"<p style='margin:12px 0 2px 0'>{_bold(f'{place}. {escape(step.title)}')}</p>"]
    if step.formula:
        lines.append(_line(rich(step.formula), paint("ink"), "15px"))
    if step.filled:
        lines.append(_line(rich(step.filled), paint("accent"), "15px"))
    if step.text:
        lines.append(_line(rich_words(step.text), paint("muted")))
    if step.checked is not None:
        lines.append(_line(*_checked(step.checked, paint)))
    return "".join(lines)


def _line(text: str, color: str, size: str = "13px") -> str:
    return f"<p style='margin:2px 0 2px 14px; color:{color}; font-size:{size}'>{text}</p>"


def _checked(checked: Measured, paint: Paint) -> tuple[str, str]:
    """Return measured number, error, theory and deviation, and their colour."""
    words, z = measured_words(checked), checked.deviation
    if z is None:
        return words, paint("muted")
    tone = "good" if abs(z) <= GOOD else "muted" if abs(z) <= DOUBTFUL else "warn"
    return f"{words} · {_bold(_('{deviation} SE').format(deviation=signed(z)), '13px')}", paint(tone)


def _question(each: Question, paint: Paint) -> str:
    lines = [f"<p style='margin:12px 0 2px 0'>{_bold(f'{each.number}. {escape(each.title)}')}</p>"]
    lines += [_line(rich_words(paragraph), paint("muted")) for paragraph in each.answer]
    if each.rows:
        heads = (_("initialisation"), _("spread after ÷ √d"), _("best factor"))
        cells = [
            "".join(f"<td style='padding:1px 12px 1px 0'>{escape(cell)}</td>" for cell in row) for row in each.rows
        ]
        titles = "".join(
            f"<td style='padding:1px 12px 1px 0; color:{paint('muted')}'>{escape(head)}</td>" for head in heads
        )
        rows = "".join(f"<tr>{cell}</tr>" for cell in cells)
        lines.append(f"<table style='margin:4px 0 4px 14px'><tr>{titles}</tr>{rows}</table>")
    link = f"<a href='question:{each.number}' style='color:{paint('accent')}'>{escape(_('Show this scenario'))}</a>"
    lines.append(_line(f"{link} — {rich_words(each.seen)}", paint("ink")))
    return "".join(lines)
