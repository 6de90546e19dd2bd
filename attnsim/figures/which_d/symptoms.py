"""Symptoms of the seven lines without their names: spread, entropy, largest weight, gradient."""

import math

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.sections.which_d import VARIANTS
from attnsim.experiments.records import Estimate
from attnsim.experiments.which_d.records import Symptoms
from attnsim.figures.marks import Axis, Dots, Figure, Line, Mark, Plot, Text, Whiskers
from attnsim.figures.numbers import count, entropy_text, number, share_text
from attnsim.figures.which_d.lines import role_of
from attnsim.figures.which_d.logarithmic import log_axis
from attnsim.view import View
from attnsim.words import _

Floats = NDArray[np.float64]

HALF = 0.32  # of the stroke of theory, in distances between letters


def build(result: Symptoms, view: View) -> Figure:
    """Return four plots over the letters; strokes are theory, dots with whiskers are measured."""
    plots = [_plot(result, view, name) for name in ("spread", "entropy", "largest", "gradient")]
    return Figure(
        key="which_d_symptoms",
        title=_("Symptoms"),
        subtitle=_("{rows} rows · strokes: theory · dots: measured, 95 %").format(rows=count(result.rows)),
        note=_("your code: {letter}").format(letter=result.letter(result.mystery)),
        plots=tuple(plots),
        summary=_summary(result),
    )


def title_of_symptom(name: str) -> str:
    """Return what a symptom is called."""
    return {
        "spread": _("Spread of the scores within a row"),
        "entropy": _("Entropy (nats)"),
        "largest": _("Largest weight"),
        "gradient": _("Gradient that reaches q·k"),
    }[name]


def short_title(name: str) -> str:
    """Return the same for a small card."""
    return {
        "spread": _("Spread"),
        "entropy": _("Entropy (nats)"),
        "largest": _("Largest weight"),
        "gradient": _("Gradient"),
    }[name]


def _plot(result: Symptoms, view: View, name: str) -> Plot:
    measured: Estimate = getattr(result, name)
    theory = result.theory[name]
    marks: list[Mark] = []
    for place, letter in enumerate(result.letters):
        index = VARIANTS.index(letter)
        role, at = role_of(result, view, letter), float(place)
        label = result.letter(letter)
        if np.isfinite(theory[index]):
            ends = np.array([at - HALF, at + HALF])
            marks.append(Line(ends, np.full(2, theory[index]), "ink", width=1.5, label=_("theory")))
        one = np.array([index])
        if np.isfinite(measured.low[index]):
            marks.append(Whiskers(np.array([at]), measured.low[one], measured.high[one], role, label=label))
        size = 8.0 if letter == result.mystery else 6.0
        marks.append(Dots(np.array([at]), measured.value[one], role, size=size, label=label))
    y = _axis(result, name, measured.value, theory)
    marks.append(_here(result, y))
    ticks = tuple((float(place), result.letter(letter)) for place, letter in enumerate(result.letters))
    return Plot(
        key=name,
        x=Axis(_("line of code") if name == "gradient" else "", -0.6, len(VARIANTS) - 0.4, ticks=ticks),
        y=y,
        marks=tuple(marks),
        heading=((title_of_symptom(name), "ink"),),
    )


def _here(result: Symptoms, y: Axis) -> Mark:
    """Return a small arrow over the reader's letter at the plot's lower end."""
    place = float(result.letters.index(result.mystery))
    low = y.low * (y.high / y.low) ** 0.08 if y.log else y.low + 0.08 * (y.high - y.low)
    return Text(place, low, "▲", "accent", (0.5, 0.5))


def _axis(result: Symptoms, name: str, values: Floats, theory: Floats) -> Axis:
    if name == "largest":
        return Axis("", -0.35, 1.45, ticks=((0.0, "0"), (0.5, "0.5"), (1.0, "1")))
    if name == "entropy":
        most = math.log(max(result.scenario.keys, 2))
        return Axis("", -0.35 * most, 1.45 * most, ticks=((0.0, "0"), (most, number(most))))
    return log_axis("", np.concatenate((values, theory)), room=(0.6, 2.6))


def _summary(result: Symptoms) -> str:
    index = VARIANTS.index(result.mystery)
    numbers = {name: float(getattr(result, name).value[index]) for name in ("spread", "entropy", "largest")}
    return _(
        "Line {letter}, which is yours, leaves the scores a spread of {spread}, an entropy of {entropy} and a largest "
        "weight of {largest}."
    ).format(
        letter=result.letter(result.mystery),
        spread=number(numbers["spread"]),
        entropy=entropy_text(numbers["entropy"], False) if math.isfinite(numbers["entropy"]) else "–",
        largest=share_text(numbers["largest"]) if math.isfinite(numbers["largest"]) else "–",
    )
