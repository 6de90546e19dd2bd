"""Curves of the largest weight and the entropy: what the figures along d and along n share."""

import math
from dataclasses import dataclass

import numpy as np

from attnsim.experiments.records import Estimate
from attnsim.experiments.scalings.records import Scalings, Scan
from attnsim.figures.marks import Axis, Cursor, Dots, Figure, Line, Mark, Plot, Whiskers
from attnsim.figures.moment import rule_roles
from attnsim.figures.numbers import dim_ticks, log_ticks, share_text, ticks
from attnsim.view import View
from attnsim.words import _

DODGE = 1.05  # factor between the points of two rules at one place
MANY = 10_000  # from here on tick labels are so wide that fewer have room
FLOOR = 1e-6  # low end of a logarithmic axis of weights
HEADROOM = 0.15  # share of an axis that is left to the headings
HALF = 3  # rules that one heading names where they do not all have room in it
ROOM = 24  # letters of names that have


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What one of the two figures adds to the curves.

    Attributes
    ----------
    key, title, subtitle, axis : str
        Of the figure, and its lower axis' label.
    uniform : float array, shape (places,)
        Number of keys at each place of the theory's line: uniform weights are one over it.
    now : float
        Where the scenario itself stands.
    """

    key: str
    title: str
    subtitle: str
    axis: str
    uniform: np.ndarray
    now: float


def build(result: Scalings, scan: Scan, scene: Scene, view: View) -> Figure:
    """Return the figure: plots `largest` and `entropy`."""
    return Figure(
        key=scene.key,
        title=scene.title,
        subtitle=scene.subtitle,
        note=_note(scan),
        plots=(_largest(result, scan, scene, view), _entropy(result, scan, scene, view)),
        summary=_summary(result, scan, scene),
    )


def _largest(result: Scalings, scan: Scan, scene: Scene, view: View) -> Plot:
    median = view.pick("largest", "mean") == "median"
    estimate = scan.median if median else scan.largest
    lines = np.full_like(scan.line_largest, np.nan) if median else scan.line_largest
    flat = Line(scan.line_at, 1.0 / scene.uniform, "muted", dashed=True, width=1.0, label=_("uniform, 1/n"))
    if view.log_weights:
        values = np.concatenate((estimate.value.ravel(), 1.0 / scene.uniform))
        least = max(FLOOR, 0.5 * float(np.nanmin(values, initial=1.0)))
        y = Axis(_label(median), least, least**-HEADROOM, log=True, ticks=log_ticks(least, 1.0, 5))
    else:
        y = Axis(_label(median), 0.0, 1.0 + HEADROOM, ticks=ticks(0.0, 1.0, 5))
    marks = (flat, *_curves(result, scan, estimate, lines, 1.0, y), Cursor(scene.now, "muted"))
    return Plot(key="largest", x=_across(scan, ""), y=y, marks=marks, heading=_names(result, 0))


def _entropy(result: Scalings, scan: Scan, scene: Scene, view: View) -> Plot:
    unit = math.log(2.0) if view.bits else 1.0
    top = max(1.0, math.log(float(scene.uniform.max()))) / unit * (1.0 + HEADROOM)
    label = _("mean entropy (bits)") if view.bits else _("mean entropy (nats)")
    y = Axis(label, 0.0, top, ticks=ticks(0.0, top / (1.0 + HEADROOM), 5))
    ceiling = Line(
        scan.line_at, np.log(scene.uniform) / unit, "muted", dashed=True, width=1.0, label=_("uniform, ln n")
    )
    marks = (
        ceiling,
        *_curves(result, scan, scan.entropy, scan.line_entropy, 1.0 / unit, y),
        Cursor(scene.now, "muted"),
    )
    return Plot(key="entropy", x=_across(scan, scene.axis), y=y, marks=marks, heading=_names(result, HALF))


def _label(median: bool) -> str:
    return _("largest weight (median)") if median else _("largest weight (mean)")


def _across(scan: Scan, label: str) -> Axis:
    last = float(scan.at[-1])
    return Axis(label, 0.8, last * 1.25, log=True, ticks=dim_ticks(1.0, last, 7 if last < MANY else 5))


def _curves(result: Scalings, scan: Scan, estimate: Estimate, lines: np.ndarray, factor: float, y: Axis) -> list[Mark]:
    """Return each rule's line of theory in ink, and its points with intervals in the rule's colour."""
    rules = result.walk.rules
    below: list[Mark] = []
    above: list[Mark] = []
    for place, (rule, role) in enumerate(zip(rules, rule_roles(rules), strict=True)):
        line = _seen(lines[place] * factor, y)
        if np.isfinite(line).any():
            below.append(Line(scan.line_at, line, "ink", width=1.0, label=_("theory, {rule}").format(rule=rule.title)))
        x = scan.at * DODGE ** (place - 0.5 * (len(rules) - 1))
        value, low, high = (part[place] * factor for part in (estimate.value, estimate.low, estimate.high))
        above.append(Whiskers(x, np.clip(low, y.low, y.high), np.clip(high, y.low, y.high), role))
        above.append(Dots(x, _seen(value, y), role, size=4.5, label=rule.title))
    return [*below, *above]


def _seen(values: np.ndarray, y: Axis) -> np.ndarray:
    """Return values with nan for what lies below the axis."""
    with np.errstate(invalid="ignore"):
        return np.where(values >= y.low, values, np.nan)


def _names(result: Scalings, first: int) -> tuple[tuple[str, str], ...]:
    """Return the rules' names in their colours; of long ones three, and the others stand in the other plot."""
    rules = result.walk.rules
    pairs = tuple(zip((rule.title for rule in rules), rule_roles(rules), strict=True))
    if sum(len(title) for title, _role in pairs) <= ROOM:
        return pairs
    return pairs[first : first + HALF]


def left_out(scan: Scan) -> str:
    """Return why points are missing; empty where none is."""
    return _("Points left out: {reason}").format(reason=scan.reasons[0]) if scan.reasons else ""


def _note(scan: Scan) -> str:
    if not scan.rows.any():
        return _("drawing…")
    return _("line: theory") if np.isfinite(scan.line_largest).any() else _("no closed form")


def _summary(result: Scalings, scan: Scan, scene: Scene) -> str:
    known = np.isfinite(scan.largest.value)
    parts = []
    for place, rule in enumerate(result.walk.rules):
        at = np.flatnonzero(known[place])
        if at.size:
            first, last = (share_text(float(scan.largest.value[place, at[end]])) for end in (0, -1))
            parts.append(_("{rule} from {first} to {last}").format(rule=rule.title, first=first, last=last))
    if not parts:
        return _("Nothing is measured yet.")
    return _("Mean largest weight, {axis} from {low} to {high}: {parts}.").format(
        axis=scene.axis, low=int(scan.at[0]), high=int(scan.at[-1]), parts="; ".join(parts)
    )
