"""What the figures of the phase diagram share: the number that is looked at, the rule, axes, lines."""

from collections.abc import Sequence

import numpy as np

from attnsim.choices.scalings import Rule
from attnsim.experiments.phase.record import METRICS, Floats, Phase
from attnsim.figures.marks import Axis, Cursor, Dots, Line, Mark, Text
from attnsim.figures.moment import rule_roles
from attnsim.figures.numbers import count
from attnsim.view import View
from attnsim.words import _

KEY_TICKS = (4, 16, 64, 256, 1024, 4096, 16_384, 65_536)
DIM_TICKS = (1, 32, 1024, 32_768)
SPREAD_TICKS = ((0.25, "0.25"), (1.0, "1"), (4.0, "4"), (16.0, "16"), (64.0, "64"))


def metric_of(view: View) -> int:
    """Return which of the three numbers is looked at."""
    word = view.pick("metric", METRICS[0])
    return METRICS.index(word) if word in METRICS else 0


def metric_title(metric: int) -> str:
    """Return its name."""
    return (_("mean of Σp²"), _("mean entropy / ln n"), _("mean largest weight"))[metric]


def rule_place(result: Phase, view: View) -> int:
    """Return the place of the rule that is looked at: the view's, else the scenario's second."""
    names = [rule.name for rule in result.rules]
    return names.index(view.rule) if view.rule in names else min(1, len(names) - 1)


def map_place(result: Phase, view: View) -> int:
    """Return which of the result's maps is looked at: there is but one over the spread."""
    return 0 if result.plane == "spread" else rule_place(result, view)


def rule_shown(result: Phase, view: View) -> tuple[Rule, str]:
    """Return the rule that is looked at and its colour."""
    place = rule_place(result, view)
    return result.rules[place], rule_roles(result.rules)[place]


def edges(centers: Floats) -> Floats:
    """Return the edges of cells around centers on a logarithmic axis."""
    middle = np.sqrt(centers[1:] * centers[:-1])
    return np.concatenate([[centers[0] ** 2 / middle[0]], middle, [centers[-1] ** 2 / middle[-1]]])


def x_axis(result: Phase, centers: Floats) -> Axis:
    """Return the axis of spreads or dimensions."""
    walls = edges(centers)
    if result.plane == "spread":
        return Axis(_("spread s of the scaled scores"), float(walls[0]), float(walls[-1]), log=True, ticks=SPREAD_TICKS)
    ticks = tuple((float(dim), count(dim)) for dim in DIM_TICKS)
    return Axis(_("dimension d"), float(walls[0]), float(walls[-1]), log=True, ticks=ticks)


def keys_axis(centers: Floats) -> Axis:
    """Return the axis of the number of keys."""
    walls = edges(centers)
    ticks = tuple((float(keys), count(keys)) for keys in KEY_TICKS)
    return Axis(_("keys n"), float(walls[0]), float(walls[-1]), log=True, ticks=ticks)


def border_marks(result: Phase, view: View) -> list[Mark]:
    """Return the lines where the spread is s_c and e_n, with their names on the sides that part them."""
    marks: list[Mark] = []
    borders = result.borders[map_place(result, view)]
    titles = (_("s_c = √(2 ln n)"), _("e_n, mean of the largest of n normals"))
    if result.plane == "dimension":
        titles = (_("here the spread is s_c = √(2 ln n)"), _("here the spread is e_n"))
    both = np.flatnonzero(np.isfinite(borders).all(axis=0))
    at = int(both[int(0.75 * (both.size - 1))]) if both.size else -1
    rising = not both.size or borders[0, at] >= borders[1, at]
    for which, (name, title) in enumerate(zip(("s_c", "e_n"), titles, strict=True)):
        if not np.isfinite(borders[which]).any():
            continue
        marks.append(Line(borders[which], result.keys, "ink", dashed=which == 1, width=1.5, label=title))
        if at >= 0:
            right = rising == (which == 0)
            place = float(borders[which, at]), float(result.keys[at])
            marks.append(Text(*place, name, "ink", (-0.2 if right else 1.2, 0.5), bold=True))
    return marks


def scenario_marks(result: Phase, view: View, x: Floats) -> list[Mark]:
    """Return where the scenario stands: each of its rules over the spread, one place over the dimension."""
    keys, inside = float(result.scenario.keys), edges(result.keys)
    if not inside[0] <= keys <= inside[-1]:
        return []
    marks: list[Mark] = [Cursor(keys, "muted", across=True, dashed=True)]
    roles = rule_roles(result.rules)
    if result.plane == "dimension":
        place, at = rule_place(result, view), np.array([float(result.scenario.dim)])
        label = _("the scenario, {rule}").format(rule=result.rules[place].title)
        return [*marks, Dots(at, np.array([keys]), roles[place], size=8.0, label=label)]
    for rule, role, spread in zip(result.rules, roles, result.spreads, strict=True):
        if np.isfinite(spread) and spread > 0.0:
            at = np.clip(spread, x[0], x[-1])
            marks.append(
                Dots(
                    np.array([at]), np.array([keys]), role, size=8.0, hollow=bool(at != spread),
                    label=_("the scenario, {rule}").format(rule=rule.title),
                )
            )  # fmt: skip
    return marks


def heading(result: Phase, view: View, words: str) -> tuple[tuple[str, str], ...]:
    """Return the runs over a map: the number, and the rule where it matters."""
    runs: Sequence[tuple[str, str]] = [(metric_title(metric_of(view)), "ink")]
    if result.plane == "dimension":
        rule, role = rule_shown(result, view)
        runs = [*runs, (rule.title, role)]
    return (*runs, (words, "muted")) if words else tuple(runs)


def plane_words(result: Phase) -> str:
    """Return what the scores of the map are."""
    s = result.scenario
    if result.plane == "dimension":
        return _("rows of law {law}, each n and d").format(law=s.law)
    return _("n independent normal scores; dots: this scenario's rules")
