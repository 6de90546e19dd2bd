"""The weight of the planted key along one field, and how often it is found at all."""

import numpy as np

from attnsim.experiments.planted.records import Planted, Sweep
from attnsim.figures.marks import Axis, Cursor, Dots, Figure, Line, Mark, Plot, Text, Whiskers
from attnsim.figures.moment import rule_roles
from attnsim.figures.numbers import number, share_text, ticks
from attnsim.figures.planted.limits import Limit, limits_along
from attnsim.figures.which_d.logarithmic import powers_of_ten, written
from attnsim.words import _

HEADROOM = 2.2  # of the share, so that the limits' names stand over its curve
LINE = 0.085  # of the height of the plot, from one line of words to the next
SHARES = tuple((x, f"{x:g}") for x in (0.0, 0.25, 0.5, 0.75, 1.0))


def sweep_figure(result: Planted, key: str, axis: str, title: str, subtitle: str, *, words_left: bool) -> Figure:
    """Return mean weight and share found along a field; the rules' names stand where no curve does."""
    sweep, limits = result.sweep(axis), limits_along(result.scenario, axis)
    x = field_axis(axis, float(sweep.at[0]), float(sweep.at[-1]))
    bare = Axis("", x.low, x.high, x.log, x.ticks)
    y = Axis(_("weight"), 0.0, 1.0, ticks=SHARES)
    share = Axis(_("found"), 0.0, HEADROOM, ticks=SHARES[::2])
    marks = (*_weights(result, sweep), *_cursors(result, axis, limits), *_names(result, x, words_left))
    found = (*_found(sweep), *_cursors(result, axis, limits), *_limit_names(limits, x))
    plots = (
        Plot(key="weight", x=bare, y=y, marks=tuple(marks), weight=1.8),
        Plot(key="found", x=x, y=share, marks=tuple(found)),
    )
    note = result.why_silent or _("line: exact mean")
    return Figure(key, title, subtitle, note, plots, _summary(result, sweep, title))


def field_axis(axis: str, low: float, high: float) -> Axis:
    """Return the axis of a field of the scenario."""
    if axis == "rho":
        high = high if high > low else low + 1.0
        return Axis(_("ρ = Corr(qᵢ, kᵢ)"), low, high, ticks=ticks(low, high, 5))
    label = _("dimension d") if axis == "dim" else _("keys n")
    reach = (high / low) ** 0.02
    return Axis(label, low / reach, high * reach, log=True, ticks=powers_of_two(low, high))


def powers_of_two(low: float, high: float) -> tuple[tuple[float, str], ...]:
    """Return some five ticks at powers of two; of ten, where that is what fits."""
    first, last = round(np.ceil(np.log2(low))), round(np.floor(np.log2(high)))
    every = max(1, -(-(last - first) // 5))
    found = tuple((float(2**p), f"{2**p:,}") for p in range(last, first - 1, -every))[::-1]
    return found if len(found) > 1 else powers_of_ten(low, high)


def _weights(result: Planted, sweep: Sweep) -> list[Mark]:
    marks: list[Mark] = []
    for rule, role, place in zip(result.rules, rule_roles(result.rules), range(len(result.rules)), strict=True):
        theory = _("{rule}: exact").format(rule=rule.title)
        marks.append(Line(sweep.at, sweep.expected[place], "ink", width=0.9, label=theory))
        marks.append(Whiskers(sweep.at, sweep.low[place], sweep.high[place], role, label=rule.title))
        marks.append(Dots(sweep.at, sweep.weight[place], role, size=5.0, label=rule.title))
    return marks


def _found(sweep: Sweep) -> list[Mark]:
    return [
        Line(sweep.at, sweep.found_expected, "ink", width=0.9, label=_("exact")),
        Whiskers(sweep.at, sweep.found_low, sweep.found_high, "row_band", label=_("measured")),
        Dots(sweep.at, sweep.found, "row_band", size=5.0, label=_("measured")),
    ]


def _cursors(result: Planted, axis: str, limits: tuple[Limit, ...]) -> list[Mark]:
    marks: list[Mark] = [Cursor(each.at, each.role, dashed=each.dashed) for each in limits if np.isfinite(each.at)]
    return [*marks, Cursor(float(getattr(result.scenario, axis)), "grid")]


def _names(result: Planted, x: Axis, left: bool) -> list[Mark]:
    """Return the rules' names under each other."""
    at = place_on(x, 0.03 if left else 0.97)
    roles = rule_roles(result.rules)
    return [
        Text(at, 0.95 - LINE * line, rule.title, role, (0.0 if left else 1.0, 0.5), bold=True)
        for line, (rule, role) in enumerate(zip(result.rules, roles, strict=True))
    ]


def _limit_names(limits: tuple[Limit, ...], x: Axis) -> list[Mark]:
    """Return the limits' names beside their lines, on the side with more room."""
    marks: list[Mark] = []
    for line, each in enumerate(limits):
        share = share_on(x, each.at)
        if not 0.0 <= share <= 1.0:
            continue
        side = 1.0 if share > 0.5 else 0.0
        at = place_on(x, share + (0.015 if side == 0.0 else -0.015))
        marks.append(Text(at, 1.95 - 0.45 * line, each.words, each.role, (side, 0.5)))
    return marks


def share_on(x: Axis, value: float) -> float:
    """Return where a value stands on an axis, 0 at its low end and 1 at its high one; nan for what has no place."""
    if not np.isfinite(value) or (x.log and value <= 0.0):
        return float("nan")
    if x.log:
        return float(np.log(value / x.low) / np.log(x.high / x.low))
    return (value - x.low) / (x.high - x.low)


def place_on(x: Axis, share: float) -> float:
    """Return the value at a share of an axis."""
    return float(x.low * (x.high / x.low) ** share) if x.log else x.low + share * (x.high - x.low)


def _summary(result: Planted, sweep: Sweep, title: str) -> str:
    parts = []
    for place, rule in enumerate(result.rules):
        ends = [share_text(float(w)) for w in sweep.weight[place, [0, -1]] if np.isfinite(w)]
        if len(ends) == 2:
            words = _("{rule} from {first} to {last}")
            parts.append(words.format(rule=rule.title, first=ends[0], last=ends[1]))
    span = _("from {low} to {high}").format(low=written_field(sweep, 0), high=written_field(sweep, -1))
    return _("{title}, {span}: the mean weight goes under {parts}.").format(
        title=title, span=span, parts=", ".join(parts) or "–"
    )


def written_field(sweep: Sweep, place: int) -> str:
    """Write one of the values of a sweep."""
    value = float(sweep.at[place])
    return number(value, 1.0) if sweep.axis == "rho" else written(value)
