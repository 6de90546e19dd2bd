"""How far walks are from where they began: root mean square and mean, apart, and the iterated logarithm."""

import math
from functools import lru_cache

import numpy as np

from attnsim.experiments.records import Floats, Walk
from attnsim.figures.labels import spread
from attnsim.figures.marks import Axis, Cursor, Dots, Figure, Line, Mark, Plot, Table, Text
from attnsim.figures.moment import moment
from attnsim.figures.numbers import count, number, some_keys, step_ticks, ticks
from attnsim.figures.walk_views.fellows import Distances, distances
from attnsim.view import View
from attnsim.words import _

NAMED_AT = 0.5  # share of the width at which the iterated logarithm is named
MARGIN = 0.14  # share of the width kept free for labels


def build(result: Walk, view: View) -> Figure:
    """Return distances up to the playhead, and a table of their numbers there."""
    now, found = moment(result, view), distances(result)
    row = result.row
    high, last = _top(result), row.dim
    end = now.index + 1
    lines, labels = _laws(result)
    marks: list[Mark] = [
        *lines,
        Line(row.steps[:end], found.rms[:end], "walk", width=1.8, label=_("RMS of this row")),
        Line(row.steps[:end], found.mean[:end], "row_band", width=1.8, label=_("mean of this row")),
        Dots(row.steps[now.index : end], found.rms[now.index : end], "walk", size=6.0),
        Dots(row.steps[now.index : end], found.mean[now.index : end], "row_band", size=6.0),
        *labels,
    ]
    if 0 < now.step < last:
        marks.append(Cursor(float(now.step), "accent"))
    plot = Plot(
        key="distances",
        x=Axis(_("components summed, d"), 0.0, last / (1.0 - MARGIN), ticks=step_ticks(last)),
        y=Axis(_("distance from 0"), 0.0, high, ticks=ticks(0.0, high, 5)),
        marks=tuple(marks),
        heading=((_("RMS"), "walk"), (_("mean"), "row_band"), (_("of this row"), "muted")),
    )
    return Figure(
        key="walk_distance",
        title=_("Distance from the start"),
        subtitle=_("Lines: this row's law given q · dashed: over draws"),
        note=_("{keys}, d = {step}").format(keys=some_keys(found.keys), step=count(now.step)),
        plots=(plot,),
        table=_table(found, now.index),
        summary=_(
            "After {step} components the root mean square distance is {rms} and the mean distance {mean}."
        ).format(
            step=count(now.step), rms=number(float(found.rms[now.index])), mean=number(float(found.mean[now.index]))
        ),
    )


@lru_cache(maxsize=4)
def _top(result: Walk) -> float:
    found = distances(result)
    parts = (found.rms, found.mean, found.law_rms, found.law_mean, found.draws_rms, found.envelope)
    known = np.concatenate([part[np.isfinite(part)] for part in parts])
    return 1.3 * float(known.max()) or 1.0


@lru_cache(maxsize=4)
def _laws(result: Walk) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """Return the laws' lines and the words at their ends; none depends on the playhead."""
    found, row = distances(result), result.row
    lines: list[Mark] = []
    inside: list[Mark] = []
    ends: list[tuple[float, str, str]] = []
    parts: tuple[tuple[Floats, bool, str, str], ...] = (
        (found.law_rms, False, "ink", _("RMS")),
        (found.law_mean, False, "ink", _("mean")),
        (found.draws_rms, True, "ink", ""),
        (found.draws_mean, True, "ink", ""),
    )
    for values, dashed, role, words in parts:
        if np.isfinite(values[1:]).any():
            lines.append(Line(row.steps, values, role, dashed=dashed, width=1.1, label=words or _("over draws")))
            if words:
                ends.append((float(values[-1]), words, role))
    if np.isfinite(found.envelope).any():
        centre = np.where(np.isfinite(row.mean), np.abs(row.mean), 0.0)
        lines.append(
            Line(row.steps, centre + found.envelope, "muted", dashed=True, width=0.9, label=_("iterated logarithm"))
        )
        at = int(np.searchsorted(row.steps, NAMED_AT * row.dim))
        height, top = float((centre + found.envelope)[at]), _top(result)
        names = ((_("√(2d ln ln d),"), 0.115), (_("asymptotic"), 0.035))  # above the line, which falls to the left
        inside += [Text(float(row.steps[at]), height + lift * top, words, "muted", (1.0, 0.5)) for words, lift in names]
    top = _top(result)
    places = spread([at for at, _words, _role in ends], 0.13 * top, 0.0, top)
    named = tuple(
        Text(1.015 * row.dim, place, words, role) for place, (_at, words, role) in zip(places, ends, strict=True)
    )
    return tuple(lines), (*inside, *named)


def _table(found: Distances, index: int) -> Table:
    """Return the numbers at the playhead: measured, by the row's law, over draws, and the difference."""
    rows = [
        _line(_("RMS"), found.rms[index], found.law_rms[index], found.draws_rms[index], _error(found, index, 2)),
        _line(_("mean"), found.mean[index], found.law_mean[index], found.draws_mean[index], _error(found, index, 1)),
    ]  # fmt: skip
    ratio = found.rms[index] / found.mean[index] if found.mean[index] > 0.0 else math.nan
    law = found.law_rms[index] / found.law_mean[index] if found.law_mean[index] > 0.0 else math.nan
    draws = found.draws_rms[index] / found.draws_mean[index] if found.draws_mean[index] > 0.0 else math.nan
    rows.append((_("ratio"), number(ratio), number(law), number(draws), "–"))
    beyond, chance = _("–"), "–"
    if np.isfinite(found.envelope[index]):
        beyond = _("{count} of {keys}").format(count=count(int(found.beyond[index])), keys=count(found.keys))
        chance = f"{found.beyond_about}{100.0 * float(found.law_beyond[index]):.1f} %"
    rows.append((_("beyond grey"), beyond, chance, "–", "–"))
    heads = ("", _("this row"), _("its law"), _("over draws"), _("SE"))
    return Table(heads=heads, rows=tuple(rows))


def _line(title: str, value: float, law: float, draws: float, error: float) -> tuple[str, ...]:
    off = (value - law) / error if error > 0.0 else math.nan
    away = f"{off:+.1f}".replace("-", "−") if math.isfinite(off) else "–"
    return title, number(float(value)), number(float(law)), number(float(draws)), away


def _error(found: Distances, index: int, power: int) -> float:
    """Return the standard error of the mean distance (power 1) or of its root mean square (2), by the row's law.

    Given the query the keys are independent; for a normal law around 0 Var |S| = sd^2 (1 - 2/pi), and the root of
    the mean square of n has the error sd/sqrt(2n). Both are stated where the law has no mean alone.
    """
    rms, mean = float(found.law_rms[index]), float(found.law_mean[index])
    if not (math.isfinite(mean) and rms > 0.0) or abs(mean / rms - math.sqrt(2.0 / math.pi)) > 0.1:
        return math.nan
    if power == 1:
        return math.sqrt(max(0.0, rms**2 - mean**2) / found.keys)
    return rms / math.sqrt(2.0 * found.keys)
