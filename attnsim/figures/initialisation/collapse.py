"""Rank collapse: how alike tokens become in a stack of attention layers."""

import numpy as np

from attnsim.experiments.initialisation.records import Initialised
from attnsim.figures.initialisation.names import decades, layer_axis, names_above, stack_marks
from attnsim.figures.marks import Axis, Figure, Mark, Plot
from attnsim.figures.moment import rule_roles
from attnsim.figures.numbers import count, number
from attnsim.view import View
from attnsim.words import _

ROOM = 0.3


def build(result: Initialised, view: View) -> Figure:
    """Draw 1 - mean cosine of two tokens behind each layer: attention alone, and with skip connections."""
    section, roles = result.section, rule_roles(result.rules)
    x = layer_axis(result)
    names = [(rule.title, role) for rule, role in zip(result.rules, roles, strict=True)]
    pure_y = decades(_("1 − cosine"), result.pure.value, ROOM)
    skip_y = decades(_("1 − cosine"), result.skip.value, 0.22)
    pure: list[Mark] = [*names_above(x, pure_y, names, ROOM)]
    skip: list[Mark] = []
    for place, (rule, role) in enumerate(zip(result.rules, roles, strict=True)):
        pure.extend(stack_marks(result.pure, place, role, rule.title))
        skip.extend(stack_marks(result.skip, place, role, rule.title))
    bare = Axis("", x.low, x.high, ticks=x.ticks)
    return Figure(
        key="initialisation_collapse",
        title=_("Rank collapse"),
        subtitle=_("{tokens} tokens of width {width}, attention layers of one head").format(
            tokens=count(section.tokens), width=count(section.width)
        ),
        note=_("line: isotropic tokens"),
        plots=(
            Plot(key="pure", x=bare, y=pure_y, marks=tuple(pure), weight=1.4),
            Plot(key="skip", x=x, y=skip_y, marks=tuple(skip), heading=((_("with skip connections"), "ink"),)),
        ),
        summary=_summary(result),
    )


def _summary(result: Initialised) -> str:
    parts = []
    for place, rule in enumerate(result.rules):
        known = np.flatnonzero(np.isfinite(result.pure.value[place]))
        if known.size:
            at = int(known[-1])
            words = _("{rule}: {value} behind layer {layer}")
            value = number(float(result.pure.value[place, at]))
            parts.append(words.format(rule=rule.title, value=value, layer=count(at)))
    return _("Distance of the tokens from being all alike, attention alone: {parts}.").format(
        parts="; ".join(parts) or "–"
    )
