"""Where each rule learns: accuracy at the end of the training run against the learning rate."""

from functools import lru_cache

import numpy as np

from attnsim.experiments.gradients.records import Gradients
from attnsim.figures.gradients.runs import setting
from attnsim.figures.gradients.words import roles
from attnsim.figures.marks import Axis, Cursor, Dots, Figure, Line, Mark, Plot, Whiskers
from attnsim.figures.numbers import count
from attnsim.figures.which_d.logarithmic import powers_of_ten
from attnsim.view import View
from attnsim.words import _

LEARNT = 0.9  # accuracy from which on a run counts as one that has learnt


def build(result: Gradients, view: View) -> Figure:
    """Return, a plot a rule, the accuracy of each run at each learning rate, and the range that learns."""
    return _built(result)


@lru_cache(maxsize=4)
def _built(result: Gradients) -> Figure:
    rates = result.rates
    where = "" if result.training is None else _("d = {dim}, {tokens} tokens").format(
        dim=count(result.training.dim), tokens=count(result.training.tokens)
    )  # fmt: skip
    subtitle = _("How often the needle is found")
    if rates is not None:
        subtitle = _("Needle found after {steps} steps · {where}").format(steps=count(rates.steps), where=where)
    elif result.scenario.section.training == "off":
        subtitle = setting(result)
    return Figure(
        key="gradients_rates",
        title=_("Which learning rates learn"),
        subtitle=subtitle,
        note=_("dots: runs") if rates is not None else "",
        plots=tuple(_plot(result, place) for place in range(len(result.rules))),
        summary="; ".join(
            _("{rule}: {words}").format(rule=rule.title, words=range_words(result, place))
            for place, rule in enumerate(result.rules)
        ),
    )


def range_words(result: Gradients, place: int) -> str:
    """Return at which rates every run of a rule has learnt, in a few words."""
    rates = result.rates
    if rates is None:
        return _("not trained") if result.scenario.section.training != "rates" else _("drawing…")
    accuracy = rates.accuracy[:, place]
    if not np.isfinite(accuracy).any():
        return _("drawing…") if np.isfinite(result.row.factors[place]) else _("not a factor of q·k")
    if result.fraction < 1.0 and not np.isfinite(accuracy).all():
        return _("drawing…")  # what some rates show says nothing of the others
    good = rates.rates[(accuracy >= LEARNT).all(axis=1)]
    if not good.size:
        return _("no rate learns in every run")
    if good.size == 1:
        return _("learns at {rate:g}").format(rate=float(good[0]))
    return _("learns at {low:g} to {high:g}").format(low=float(good[0]), high=float(good[-1]))


def _plot(result: Gradients, place: int) -> Plot:
    rule, role = result.rules[place], roles(result)[place]
    last = place == len(result.rules) - 1
    marks: list[Mark] = [Cursor(LEARNT, "muted", across=True, dashed=True)]
    low, high = 0.005, 200.0
    if result.rates is not None:
        rates, accuracy = result.rates.rates, result.rates.accuracy[:, place]
        low, high = float(rates[0]) * 0.6, float(rates[-1]) * 1.7
        known = np.isfinite(accuracy).all(axis=1)
        marks.append(Line(rates[known], accuracy[known].mean(axis=1), role, width=1.4, label=rule.title))
        marks.append(Whiskers(rates[known], accuracy[known].min(axis=1), accuracy[known].max(axis=1), role))
        for run in range(accuracy.shape[1]):
            marks.append(Dots(rates[known], accuracy[known, run], role, size=3.5, label=rule.title))
        if low < result.scenario.section.learning_rate < high:
            marks.append(Cursor(float(result.scenario.section.learning_rate), "muted", dashed=True))
    x = Axis(_("learning rate") if last else "", low, high, log=True, ticks=powers_of_ten(low, high) if last else ())
    return Plot(
        key=rule.name,
        x=x,
        y=Axis("", -0.04, 1.85, ticks=((0.0, "0"), (LEARNT, "0.9"))),
        marks=tuple(marks),
        heading=((rule.title, role), (range_words(result, place), "muted")),
    )
