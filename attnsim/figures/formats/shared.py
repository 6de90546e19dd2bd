"""What the figures of the number formats share: the format and rule that are looked at, names, axes."""

import math

from attnsim.choices.scalings import Rule
from attnsim.experiments.formats.record import NAMES, NARROW, ORDERS, WAYS, Formats
from attnsim.figures.marks import Axis
from attnsim.figures.moment import rule_roles
from attnsim.figures.numbers import count
from attnsim.view import View
from attnsim.words import _

USUAL = "fp16"
SHORT = {"fp8_e4m3": "e4m3", "fp8_e5m2": "e5m2"}
DIM_TICKS = (1, 16, 256, 4096, 65_536)
FEW_TICKS = (1, 32, 1024, 32_768)


def format_of(view: View) -> str:
    """Return the format that is looked at."""
    name = view.pick("format", USUAL)
    return name if name in NAMES else USUAL


def narrow_of(view: View) -> str:
    """Return the format that is looked at, or the nearest one that is not fp64."""
    name = format_of(view)
    return name if name in NARROW else NARROW[0]


def short(name: str) -> str:
    """Return a format's name as an axis shows it."""
    return SHORT.get(name, name)


def rule_place(result: Formats, view: View) -> int:
    """Return the place of the rule that is looked at: the view's, else the scenario's second."""
    names = [rule.name for rule in result.rules]
    return names.index(view.rule) if view.rule in names else min(1, len(names) - 1)


def rule_shown(result: Formats, view: View) -> tuple[Rule, str]:
    """Return the rule that is looked at, and its colour."""
    place = rule_place(result, view)
    return result.rules[place], rule_roles(result.rules)[place]


def way_title(way: str) -> str:
    """Return what a way of computing weights is called."""
    return {
        WAYS[0]: _("logits rounded only"),
        WAYS[1]: _("naive"),
        WAYS[2]: _("stable"),
        WAYS[3]: _("online"),
        WAYS[4]: _("stable, sum in fp32"),
    }[way]


def order_title(order: str) -> str:
    """Return what an order of adding up is called."""
    return {ORDERS[0]: _("left to right"), ORDERS[1]: _("pairwise"), ORDERS[2]: _("in fp32, rounded once")}[order]


def dims_axis(low: float = 0.7, high: float = 95_000.0, label: str = "", ticks: tuple[int, ...] = DIM_TICKS) -> Axis:
    """Return a logarithmic axis of dimensions or counts."""
    return Axis(
        label or _("dimension d"), low, high, log=True, ticks=tuple((float(tick), count(tick)) for tick in ticks)
    )


def powers(low: int, high: int, every: int) -> tuple[tuple[float, str], ...]:
    """Return ticks at powers of ten."""
    signs = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    return tuple(
        (10.0**power, "1" if power == 0 else "10" + str(power).translate(signs))
        for power in range(low, high + 1, every)
    )


def percent(share: float) -> str:
    """Write a share in per cent."""
    if not math.isfinite(share):
        return "–"
    return f"{100.0 * share:.3g} %"
