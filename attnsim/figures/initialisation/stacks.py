"""What the figures of signal and gradient share."""

import numpy as np

from attnsim.experiments.initialisation.records import Initialised
from attnsim.experiments.tally import Means
from attnsim.figures.initialisation.names import ROLES, STACKS, decades, layer_axis, names_above, stack_marks
from attnsim.figures.marks import Cursor, Figure, Mark, Plot
from attnsim.figures.numbers import count, number
from attnsim.words import _, mark

ROOM = 0.24
ACTIVATIONS = {"relu": mark("ReLU"), "linear": mark("linear"), "tanh": mark("tanh")}


def stack_figure(result: Initialised, key: str, title: str, label: str, means: Means) -> Figure:
    """Return means behind each layer, one colour a stack."""
    section = result.section
    x, y = layer_axis(result), decades(label, np.concatenate([means.value, means.expected], axis=None), ROOM)
    marks: list[Mark] = [Cursor(1.0, "muted", across=True, dashed=True)]
    for place, scheme in enumerate(result.schemes):
        marks.extend(stack_marks(means, place, ROLES[scheme], _(STACKS[scheme])))
    marks.extend(names_above(x, y, [(_(STACKS[each]), ROLES[each]) for each in result.schemes], ROOM))
    subtitle = _("{layers} {activation} layers of N = {width} · dots: {nets} nets, 95 %")
    return Figure(
        key=key,
        title=title,
        subtitle=subtitle.format(
            layers=count(section.layers),
            activation=_(ACTIVATIONS[section.activation]),
            width=count(section.width),
            nets=count(result.nets),
        ),
        note=_("line: wide layers"),
        plots=(Plot(key="layers", x=x, y=y, marks=tuple(marks)),),
        summary=_summary(result, means, title),
    )


def _summary(result: Initialised, means: Means, title: str) -> str:
    at = -1 if means is result.signal else 0
    parts = [
        _("{name} {value}").format(name=_(STACKS[scheme]), value=number(float(means.value[place, at])))
        for place, scheme in enumerate(result.schemes)
        if np.isfinite(means.value[place, at])
    ]
    return _("{title}, at the far end: {parts}.").format(title=title, parts=", ".join(parts) or "–")
