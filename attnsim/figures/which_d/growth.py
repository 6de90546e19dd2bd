"""How the spread of the scores under each line of code answers to d and to n."""

from collections.abc import Iterator

import numpy as np

from attnsim.choices.sections.which_d import VARIANTS
from attnsim.experiments.which_d.records import Symptoms
from attnsim.experiments.which_d.variants import factors_at
from attnsim.figures.marks import Axis, Cursor, Dots, Figure, Line, Mark, Plot, Text, Whiskers
from attnsim.figures.which_d.lines import role_of
from attnsim.figures.which_d.logarithmic import log_axis, powers_of_ten, written
from attnsim.view import View
from attnsim.words import _

FEWEST_KEYS, MOST_KEYS = 2, 65_536
BESIDE = 0.065  # of the x axis: from your letter to those at the same height
NEAR = 0.055  # of the y axis: ends of lines that are nearer share a place
SPACE = "\N{NO-BREAK SPACE}"


def build(result: Symptoms, view: View) -> Figure:
    """Return the spread over d, measured at some dimensions, and over n."""
    return Figure(
        key="which_d_growth",
        title=_("When d or n changes"),
        subtitle=_("lines: theory · dots: measured"),
        note=_("both axes logarithmic"),
        plots=(_over_dim(result, view), _over_keys(result, view)),
        summary=_(
            "The spread under each line of code over the dimension of a head and over the number of keys: a right line "
            "stays at one height in both."
        ),
    )


def _ordered(result: Symptoms) -> list[str]:
    """Return the variants with the mystery last, so that it lies on top."""
    return sorted(result.letters, key=lambda name: name == result.mystery)


def _over_dim(result: Symptoms, view: View) -> Plot:
    dims = result.steps.astype(np.float64)
    marks: list[Mark] = []
    everything = np.concatenate((result.factors * result.raw.value, result.factors * result.raw_theory), axis=None)
    y = log_axis("", everything, room=(0.8, 1.6))
    for name in _ordered(result):
        factor, role = result.factors[VARIANTS.index(name)], role_of(result, view, name)
        width = 2.0 if name == result.mystery else 1.0
        marks.append(Line(dims, factor * result.raw_theory, role, width=width, label=result.letter(name)))
        low, high = factor * result.raw.low, factor * result.raw.high
        marks.append(Whiskers(dims, low, high, role, label=result.letter(name)))
        marks.append(Dots(dims, factor * result.raw.value, role, size=4.5, label=result.letter(name)))
    last = result.factors[:, -1] * float(result.raw.value[-1])
    far = dims[-1] * (1.06 if dims.size > 1 else 1.02)
    marks.extend(_names(result, view, dict(zip(VARIANTS, last, strict=True)), far, float(dims[-1] / dims[0]) + 1.0, y))
    x = Axis(
        _("dimension of a head"),
        float(dims[0]) * 0.9,
        float(dims[-1]) * max(1.25, (dims[-1] / dims[0]) ** 0.12),
        log=True,
        ticks=tuple((float(dim), written(float(dim))) for dim in dims[::-1][:: 2 if dims.size > 4 else 1][::-1]),
    )
    return Plot(key="over_dim", x=x, y=y, marks=tuple(marks), heading=((_("spread over d"), "ink"),))


def _over_keys(result: Symptoms, view: View) -> Plot:
    s = result.scenario
    raw = float(result.raw_theory[-1])
    raw = raw if np.isfinite(raw) else float(result.raw.value[-1])
    high = min(MOST_KEYS, max(1024, 4 * s.keys))
    counts = np.unique(np.round(np.geomspace(FEWEST_KEYS, high, 24)))
    heads = result.section.heads
    curves = np.array([factors_at(result.steps[-1:], int(n), heads)[:, 0] for n in counts]).T * raw
    y = log_axis("", curves, room=(0.8, 1.6))
    marks: list[Mark] = [Cursor(float(s.keys), "muted", dashed=True)]
    for name in _ordered(result):
        curve, role = curves[VARIANTS.index(name)], role_of(result, view, name)
        width = 2.0 if name == result.mystery else 1.0
        marks.append(Line(counts, curve, role, width=width, label=result.letter(name)))
    ends = dict(zip(VARIANTS, curves[:, -1], strict=True))
    marks.extend(_names(result, view, ends, high * 1.06, high / FEWEST_KEYS, y))
    x = Axis(
        _("keys"), FEWEST_KEYS * 0.9, high * (high / 2.0) ** 0.12, log=True, ticks=powers_of_ten(FEWEST_KEYS, high)
    )
    return Plot(key="over_keys", x=x, y=y, marks=tuple(marks), heading=((_("spread over n"), "ink"),))


def _names(result: Symptoms, view: View, ends: dict[str, float], x: float, reach: float, y: Axis) -> Iterator[Mark]:
    """Yield the letters at the ends of the lines; those of lines that meet share a place, yours before the others.

    `reach` is by how much the upper end of the x axis exceeds the lower one.
    """
    known = [name for name in result.letters if np.isfinite(ends[name])]
    height = {name: float(np.log(max(ends[name], y.low) / y.low) / np.log(y.high / y.low)) for name in known}
    left = sorted(known, key=lambda name: (height[name], name != result.mystery))
    while left:
        near = [name for name in left if height[name] - height[left[0]] < NEAR]
        left = left[len(near) :]
        others = [name for name in near if name != result.mystery]
        at, place = float(np.median([ends[name] for name in near])), x
        if len(others) < len(near):
            yield Text(place, at, result.letter(result.mystery), role_of(result, view, result.mystery), bold=True)
            place *= reach**BESIDE
        roles = {role_of(result, view, name) for name in others}
        if others:
            letters = SPACE.join(sorted(result.letter(name) for name in others))
            yield Text(place, at, letters, roles.pop() if len(roles) == 1 else "muted")
