"""Largest weight and entropy of the last query's row under each mask and rule."""

import math

import numpy as np

from attnsim.experiments.masks.records import Masks
from attnsim.figures.marks import Axis, Figure, Mark, Plot, Text
from attnsim.figures.masks.places import across_masks, mask_axis, short_title
from attnsim.figures.moment import rule_roles
from attnsim.figures.numbers import count, share_text, ticks
from attnsim.view import View
from attnsim.words import _

LINE = 0.16  # of the largest weight, from one line of names to the next


def build(result: Masks, view: View) -> Figure:
    """Draw mean largest weight and mean entropy of the row of the last query, a group of dots a mask."""
    unit = math.log(2.0) if view.bits else 1.0
    most = max(math.log(max(result.scenario.keys, 2)) / unit, 0.1)
    x = mask_axis(result)
    weight = Plot(
        key="largest",
        x=Axis("", x.low, x.high, ticks=()),
        y=Axis(_("largest weight"), 0.0, _high(result), ticks=ticks(0.0, 1.0, 4)),
        marks=(*across_masks(result, result.largest), *_names(result)),
        weight=1.5,
    )
    scaled = type(result.entropy)(*(getattr(result.entropy, n) / unit for n in ("value", "error", "expected")))
    entropy = Plot(
        key="entropy",
        x=x,
        y=Axis(_("entropy, bits") if view.bits else _("entropy, nats"), 0.0, 1.08 * most, ticks=ticks(0.0, most, 4)),
        marks=tuple(across_masks(result, scaled)),
    )
    return Figure(
        key="masks_weights",
        title=_("The weights under each mask"),
        subtitle=_("last of {keys} queries · dots: {rows} rows, 95 %").format(
            keys=count(result.scenario.keys), rows=count(result.rows)
        ),
        note=_("stroke: theory"),
        plots=(weight, entropy),
        summary=_summary(result),
    )


def _high(result: Masks) -> float:
    return 1.03 + LINE * -(-len(result.rules) // 2)


def _names(result: Masks) -> list[Mark]:
    """Return the rules' names over the dots, two a line."""
    high, half = _high(result), 0.5 * len(result.masks)
    return [
        Text(half * (line % 2) - 0.4, high - LINE * (line // 2 + 0.5), rule.title, role, (0.0, 0.5), bold=True)
        for line, (rule, role) in enumerate(zip(result.rules, rule_roles(result.rules), strict=True))
    ]


def _summary(result: Masks) -> str:
    values = result.largest.value
    parts = [
        _("{mask} {weight}").format(mask=short_title(name), weight=share_text(float(values[place, 0])))
        for place, name in enumerate(result.masks)
        if np.isfinite(values[place, 0])
    ]
    return _("Mean largest weight under {rule}: {parts}.").format(
        rule=result.rules[0].title, parts=", ".join(parts) or "–"
    )
