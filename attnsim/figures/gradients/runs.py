"""Curves of a training run: the middle of its runs, and the band in which most of them lie."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from attnsim.experiments.gradients.records import Gradients, Training
from attnsim.experiments.records import Floats
from attnsim.experiments.result import moment_index
from attnsim.figures.gradients.words import roles
from attnsim.figures.marks import Axis, Band, Cursor, Line, Mark, Plot
from attnsim.figures.numbers import count, ticks
from attnsim.view import View
from attnsim.words import _, several

SHARES = (0.5, 0.1, 0.9)  # of the runs: the middle, and the ends of the band


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """Quantiles over runs.

    Attributes
    ----------
    values : float64 array, shape (3, steps + 1, rules)
        Middle, low, high; nan where no run has come yet.
    least, most : float
        Ends of what is shown; of the positive values for a logarithmic axis.
    """

    values: Floats
    least: float
    most: float


@lru_cache(maxsize=16)
def curves(training: Training, name: str) -> Curves:
    """Return the quantiles of a measured quantity over the runs there are."""
    ranked = np.sort(getattr(training, name), axis=-1)  # nan comes last
    known = np.isfinite(ranked).sum(axis=-1)
    values = np.full((len(SHARES), *known.shape), np.nan)
    some = known > 0
    for place, share in enumerate(SHARES):
        at = share * (np.maximum(known, 1) - 1)
        low = np.floor(at).astype(np.int64)
        high = np.minimum(low + 1, np.maximum(known, 1) - 1)
        below, above = (np.take_along_axis(ranked, end[..., None], axis=-1)[..., 0] for end in (low, high))
        values[place][some] = (below + (at - low) * (above - below))[some]
    shown = values[np.isfinite(values) & (values > 0.0)]
    least, most = (float(shown.min()), float(shown.max())) if shown.size else (0.1, 1.0)
    return Curves(values, least, most)


def curve_plot(
    result: Gradients, view: View, name: str, y: Axis, heading: tuple[tuple[str, str], ...], last: bool
) -> Plot:
    """Return the curves of one quantity under each rule up to the playhead."""
    marks: list[Mark] = []
    training, steps = result.training, result.moments
    if training is not None:
        end = moment_index(result, view.playhead) + 1
        found = curves(training, name).values[:, :end]
        for place, (rule, role) in enumerate(zip(result.rules, roles(result), strict=True)):
            middle, low, high = found[:, :, place]
            marks.append(Band(steps[:end], low, high, role, 0.18, label=rule.title))
            marks.append(Line(steps[:end], middle, role, width=1.5, label=rule.title))
        if end < len(steps):
            marks.append(Cursor(float(steps[end - 1]), "accent"))
    top = float(steps[-1]) if steps.size else 1.0
    x = Axis(_("step") if last else "", 0.0, top, ticks=ticks(0.0, top, 5) if last else ())
    return Plot(key=name, x=x, y=y, marks=tuple(marks), heading=heading)


def setting(result: Gradients) -> str:
    """Return what was trained: optimiser, rate, dimension, tokens."""
    options, training = result.scenario.section, result.training
    if options.training == "off":
        return _("the training run is switched off")
    if training is None:
        return _("drawing…")
    words = _("gradient descent") if options.optimiser == "sgd" else _("Adam")
    text = _("{optimiser}, learning rate {rate:g} · d = {dim}, {tokens} tokens").format(
        optimiser=words, rate=options.learning_rate, dim=count(training.dim), tokens=count(training.tokens)
    )
    smaller = training.dim < result.scenario.dim or training.tokens < result.scenario.keys
    return _("{setting} (smaller than the scenario)").format(setting=text) if smaller else text


def runs_note(result: Gradients) -> str:
    """Return over how many runs the band goes."""
    training = result.training
    if training is None:
        return ""
    said = several("{count} run", "{count} runs", training.seeds).format(count=count(training.seeds))
    return _("{runs}, 10–90 %").format(runs=said) if training.seeds > 1 else said


def rule_heading(result: Gradients, title: str) -> tuple[tuple[str, str], ...]:
    """Return a heading that names every rule in its colour."""
    return ((title, "ink"), *((rule.title, role) for rule, role in zip(result.rules, roles(result), strict=True)))
