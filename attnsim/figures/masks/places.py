"""Where masks stand along an axis, and marks of their means."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.scalings import Rule
from attnsim.experiments.masks.records import Masks
from attnsim.experiments.tally import Means
from attnsim.figures.marks import Axis, Dots, Line, Mark, Whiskers
from attnsim.figures.moment import rule_roles
from attnsim.view import View
from attnsim.words import _, mark

Floats = NDArray[np.float64]

NORMAL = 1.96  # 95 % of means over many rows
SHORT = {
    "none": mark("all"),
    "causal": mark("causal"),
    "window": mark("local"),
    "strided": mark("step"),
    "random": mark("random"),
    "top_k": mark("top k"),
}


def short_title(name: str) -> str:
    """Return a mask's name as short as an axis needs it."""
    return _(SHORT[name]) if name in SHORT else name


def mask_axis(result: Masks) -> Axis:
    """Return the axis on which each mask has a whole number."""
    ticks = tuple((float(place), short_title(name)) for place, name in enumerate(result.masks))
    return Axis("", -0.5, len(result.masks) - 0.5, ticks=ticks)


def shown_rule(result: Masks, view: View) -> tuple[int, Rule]:
    """Return the rule the view asks for, or the first, and its number."""
    place = next((i for i, rule in enumerate(result.rules) if rule.name == view.rule), 0)
    return place, result.rules[place]


def across_masks(result: Masks, means: Means) -> list[Mark]:
    """Return a dot a mask and rule, side by side, with its interval, and theory as a short stroke."""
    marks: list[Mark] = []
    rules = len(result.rules)
    places = np.arange(len(result.masks), dtype=np.float64)
    for number, (rule, role) in enumerate(zip(result.rules, rule_roles(result.rules), strict=True)):
        x = places + (number - 0.5 * (rules - 1)) * 0.8 / max(rules, 2)
        marks.extend(strokes(x, means.expected[:, number], 0.3 / max(rules, 2)))
        marks.extend(dots(x, means, role, rule.title, (slice(None), number)))
    return marks


def strokes(x: Floats, heights: Floats, reach: float) -> list[Mark]:
    """Return theory's values as level strokes around each x."""
    broken = np.full(x.size, np.nan)
    ends = np.stack([x - reach, x + reach, broken], axis=1).ravel()
    levels = np.stack([heights, heights, broken], axis=1).ravel()
    return [Line(ends, levels, "ink", width=1.6, label=_("theory"))]


def dots(x: Floats, means: Means, role: str, label: str, part: Any = ..., factor: float = 1.0) -> list[Mark]:
    """Return measured means as dots with 95 % whiskers."""
    value, error = (factor * np.asarray(each)[part] for each in (means.value, means.error))
    return [
        Whiskers(x, value - NORMAL * error, value + NORMAL * error, role, label=label),
        Dots(x, value, role, size=5.0, label=label),
    ]


def deviation(value: float, expected: float, error: float) -> float | None:
    """Return the difference in standard errors; None where there is none."""
    if not (np.isfinite(value - expected) and np.isfinite(error) and error > 1e-12):
        return None
    return float((value - expected) / error)
