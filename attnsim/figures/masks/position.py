"""Largest weight and entropy along the sequence: earlier queries see fewer keys."""

import math

import numpy as np

from attnsim.experiments.masks.records import Masks
from attnsim.experiments.tally import Means
from attnsim.figures.marks import Axis, Figure, Line, Mark, Plot, Text
from attnsim.figures.masks.places import dots, short_title, shown_rule
from attnsim.figures.moment import role_of
from attnsim.figures.numbers import count, ticks
from attnsim.figures.planted.curves import field_axis
from attnsim.view import View
from attnsim.words import _


def build(result: Masks, view: View) -> Figure:
    """Draw, against the place of the query, the mean largest weight and entropy under masks that look at places.

    Parameters
    ----------
    result : Masks
    view : View
        Its rule is the one shown.
    """
    number, rule = shown_rule(result, view)
    unit = math.log(2.0) if view.bits else 1.0
    most = max(math.log(max(result.scenario.keys, 2)) / unit, 0.1)
    place = result.positions.at + 1.0
    x = field_axis("keys", 1.0, max(float(place[-1]), 2.0))
    x = Axis(_("place of the query"), x.low, x.high, log=True, ticks=x.ticks)
    bare = Axis("", x.low, x.high, log=True, ticks=x.ticks)
    role = role_of(rule, result.rules)
    names = [
        Text(x.high / 1.05, 1.56 - 0.17 * line, short_title(name), mark_role, (1.0, 0.5), bold=True)
        for line, (name, mark_role) in enumerate(zip(result.positions.masks, _roles(role), strict=True))
    ]
    weight = Plot(
        key="largest",
        x=bare,
        y=Axis(_("largest weight"), 0.0, 1.65, ticks=ticks(0.0, 1.0, 4)),
        marks=(*_marks(result, result.positions.largest, number, role, 1.0), *names),
        weight=1.3,
    )
    entropy = Plot(
        key="entropy",
        x=x,
        y=Axis(_("entropy, bits") if view.bits else _("entropy, nats"), 0.0, 1.08 * most, ticks=ticks(0.0, most, 4)),
        marks=tuple(_marks(result, result.positions.entropy, number, role, 1.0 / unit)),
    )
    return Figure(
        key="masks_position",
        title=_("Along the sequence"),
        subtitle=_("{keys} keys · {rule} · dots: measured, 95 %").format(
            keys=count(result.scenario.keys), rule=rule.title
        ),
        note=_("line: theory"),
        plots=(weight, entropy),
        summary=_(
            "Under a causal mask the first queries see few keys and have large weights; a window makes places alike."
        ),
    )


def _roles(role: str) -> tuple[str, str, str]:
    return role, "row_band", "ink"


def _marks(result: Masks, means: Means, number: int, role: str, factor: float) -> list[Mark]:
    x = result.positions.at + 1.0
    marks: list[Mark] = []
    for line, (name, mark_role) in enumerate(zip(result.positions.masks, _roles(role), strict=True)):
        expected = factor * means.expected[line, number]
        marks.append(Line(x, expected, "ink", width=0.9, label=_("{mask}: theory").format(mask=short_title(name))))
        marks.extend(dots(np.asarray(x), means, mark_role, short_title(name), (line, number), factor))
    return marks
