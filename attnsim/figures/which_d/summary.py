"""What is said of the seven lines of code."""

import math
from typing import Any

from attnsim.choices.sections.which_d import VARIANTS
from attnsim.experiments.records import Estimate
from attnsim.experiments.which_d.records import SYMPTOMS, Symptoms
from attnsim.figures.numbers import count, number, signed
from attnsim.figures.readouts import DOUBTFUL, GOOD, Readout, Tone
from attnsim.figures.summaries import Summary
from attnsim.figures.which_d.code import verdict
from attnsim.figures.which_d.lines import left_out, revealed, title_of
from attnsim.figures.which_d.symptoms import short_title
from attnsim.view import View
from attnsim.words import _, mark

YOURS, RIGHT = mark("Your code"), mark("Right code")


def headline(result: Symptoms, view: View) -> tuple[str, str]:
    """Return the question, or the answer."""
    letter, s = result.letter(result.mystery), result.scenario
    title = _("Your code is {letter}: which line of code is that?").format(letter=letter)
    if revealed(view):
        title = _("{letter} is “{name}”").format(letter=letter, name=title_of(result.mystery))
    if s.keys == 1:
        return title, _("One key has weight 1 whatever the scale: no symptom")
    parts = [_("d_head = {dim}, n = {keys}").format(dim=count(s.dim), keys=count(s.keys))]
    if result.section.guess != "none":
        parts.append(verdict(result).rstrip("."))
    if left_out(result):
        parts.append(left_out(result))
    return title, " · ".join(parts)


def readouts(result: Symptoms, view: View) -> tuple[Readout, ...]:
    """Return the symptoms of the reader's code beside those of right code."""
    groups = ((YOURS, result.mystery), (RIGHT, "right"))
    return tuple(_card(result, _(group), variant, name) for group, variant in groups for name in SYMPTOMS)


def order(result: Symptoms, view: View) -> tuple[str, ...]:
    """Return the cards' keys, the most telling first."""
    return tuple(f"{name}:{who}" for name in SYMPTOMS for who in ("yours", "right"))


def _card(result: Symptoms, group: str, variant: str, name: str) -> Readout:
    who = "yours" if group == _(YOURS) else "right"
    found = numbers_of(result, variant, name)
    value, theory, deviation = found["value"], found["theory"], found["standard_errors"]
    tone: Tone = "plain"
    if deviation is not None:
        tone = "good" if abs(deviation) <= GOOD else "plain" if abs(deviation) <= DOUBTFUL else "warn"
    return Readout(
        key=f"{name}:{who}",
        group=group,
        title=_("{symptom}, {letter}").format(symptom=short_title(name), letter=result.letter(variant)),
        value=math.nan if value is None else value,
        value_text="–" if value is None else number(value),
        theory=theory,
        theory_text=_("no closed form") if theory is None else _("theory {theory}").format(theory=number(theory)),
        low=found["low"],
        high=found["high"],
        deviation=deviation,
        deviation_text="" if deviation is None else _("{deviation} SE").format(deviation=signed(deviation)),
        tone=tone,
    )


def numbers_of(result: Symptoms, variant: str, name: str) -> dict[str, float | None]:
    """Return one symptom of one variant with interval, theory and deviation; None for what is not known."""
    at = VARIANTS.index(variant)
    estimate: Estimate = getattr(result, name)
    value, error, low, high = (
        _known(part[at]) for part in (estimate.value, estimate.error, estimate.low, estimate.high)
    )
    theory = _known(result.theory[name][at])
    deviation = None if value is None or theory is None or not error else (value - theory) / error
    return {"value": value, "theory": theory, "low": low, "high": high, "standard_errors": deviation}


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def numbers(result: Symptoms, view: View) -> dict[str, Any]:
    """Return every variant with its symptoms, and which one is the mystery."""
    variants = {
        name: {
            "letter": result.letter(name),
            "factor": result.factor(name),
            "gradient_median": _known(result.gradient_median[VARIANTS.index(name)]),
            **{symptom: numbers_of(result, name, symptom) for symptom in SYMPTOMS},
        }
        for name in VARIANTS
    }
    guess = result.section.guess
    return {
        "mystery": result.mystery,
        "letter": result.letter(result.mystery),
        "guess": guess,
        "guess_fits": None if guess == "none" else result.alike(guess),
        "rows": result.rows,
        "variants": variants,
    }


def caption(result: Symptoms) -> str:
    """Return what was drawn."""
    s = result.scenario
    return _(
        "Seven scale factors on the same {rows} rows of {keys} keys of dimension {dim}, law {law}, seed {seed}."
    ).format(rows=count(result.rows), keys=count(s.keys), dim=count(s.dim), law=s.law, seed=s.seed)


SUMMARY = Summary(headline=headline, readouts=readouts, order=order, caption=caption, numbers=numbers)
