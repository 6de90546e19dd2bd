"""The walks of one row: running sums of the products of one query with its keys."""

import numpy as np

from attnsim.experiments.records import Row, Walk
from attnsim.figures.labels import spread
from attnsim.figures.marginal import marginal
from attnsim.figures.marks import Axis, Band, Cursor, Figure, Line, Mark, Paths, Plot, Text
from attnsim.figures.moment import Moment, key_label, moment, plain_law
from attnsim.figures.numbers import count, number, step_ticks, ticks
from attnsim.view import View
from attnsim.words import _, several

MOST_WALKS = 200
MARGIN, WIDE_MARGIN = 0.2, 0.26  # share of the width kept free for labels at the right: "±√d", "mean ± sd"
LABEL_GAP = 0.048  # share of the plot's height that a label needs


def build(result: Walk, view: View) -> Figure:
    """Draw the row's walks up to the playhead, the row's own law, the law over draws, and the scores there.

    Parameters
    ----------
    result : Walk
    view : View

    Returns
    -------
    Figure
        Plots `walks` and, beside it, `marginal`. Ranges do not depend on the playhead.
    """
    row, now = result.row, moment(result, view)
    paths = _paths(row, now)
    low, high = _range(result, paths, now)
    y = Axis(_("running sum of q·k"), low, high, ticks=ticks(low, high, 6))
    margin = MARGIN if plain_law(result) or not _law_over_draws(result) else WIDE_MARGIN
    x = Axis(_("components summed, d"), 0.0, row.dim / (1.0 - margin), ticks=step_ticks(row.dim))
    marks: list[Mark] = [*_bands(row), paths, *_law_over_draws(result), *_drift(result), *_highlights(row, now)]
    if 0 < now.step < row.dim:
        marks.append(Cursor(float(now.step), "accent"))
    marks.extend(_labels(result, now, low, high))
    return Figure(
        key="walk",
        title=_("Random walks") if result.vectors is None else _("Running sums"),
        subtitle=_subtitle(result),
        note=_note(row, paths),
        plots=(Plot(key="walks", x=x, y=y, marks=tuple(marks), weight=1.0), marginal(result, now, y)),
        summary=_summary(result, now),
    )


def _paths(row: Row, now: Moment) -> Paths:
    keys = np.arange(row.keys)
    walks = row.walks
    if row.keys > MOST_WALKS:
        every = row.keys // MOST_WALKS  # a slice, not an index list: nothing is copied per frame
        walks, keys = walks[:, : every * MOST_WALKS : every], keys[: every * MOST_WALKS : every]
    opacity = min(0.85, max(0.22, 4.0 / np.sqrt(max(keys.size, 1)) * 0.5))
    return Paths(x=row.steps, ys=walks, shown=now.index + 1, keys=keys, role="walk", opacity=float(opacity))


def _range(result: Walk, paths: Paths, now: Moment) -> tuple[float, float]:
    """Return the ends of the y axis: all walks shown, all scores, both laws."""
    row, theory = result.row, result.theory
    lows = [float(paths.ys.min()), float(row.walks[-1].min())]
    highs = [float(paths.ys.max()), float(row.walks[-1].max())]
    for mean, sd, times in ((row.mean, row.sd, 2.0), (theory.mean, theory.sd, 1.0)):
        lows.append(float(np.fmin.reduce(mean - times * sd)))
        highs.append(float(np.fmax.reduce(mean + times * sd)))
    if planted(result):
        lows.append(float(row.aligned_mean.min()))
        highs.append(float(row.aligned_mean.max()))
    for _slot, key in now.highlighted:
        lows.append(float(row.walks[:, key].min()))
        highs.append(float(row.walks[:, key].max()))
    low = min(value for value in lows if np.isfinite(value))
    high = max(value for value in highs if np.isfinite(value))
    room = 0.05 * (high - low) or 1.0
    return low - room, high + room


def _bands(row: Row) -> tuple[Mark, ...]:
    if not np.isfinite(row.sd[-1]):
        return ()
    return tuple(
        Band(row.steps, row.mean - times * row.sd, row.mean + times * row.sd, "row_band", opacity)
        for times, opacity in ((2.0, 0.13), (1.0, 0.17))
    )


def _law_over_draws(result: Walk) -> tuple[Mark, ...]:
    theory = result.theory
    if result.vectors is not None or not np.isfinite(theory.sd[-1]):
        return ()
    return (
        Line(theory.steps, theory.mean + theory.sd, "ink", dashed=True, width=1.1),
        Line(theory.steps, theory.mean - theory.sd, "ink", dashed=True, width=1.1),
    )


def planted(result: Walk) -> bool:
    """Whether one key leans on the query and the others do not."""
    row = result.row
    return result.vectors is None and row.aligned_key is not None and row.keys > 1 and result.scenario.rho != 0.0


def _drift(result: Walk) -> tuple[Mark, ...]:
    """Return the drift of the planted key, its mean given this query, and its walk over the others."""
    row = result.row
    if not planted(result):
        return ()
    words = _("drift of the planted key")
    return (Line(row.steps, row.aligned_mean, "ink", dashed=True, width=1.4, label=words),)


def _highlights(row: Row, now: Moment) -> tuple[Mark, ...]:
    end = now.index + 1
    return tuple(
        Line(row.steps[:end], row.walks[:end, key], f"marked_{slot}", width=1.6) for slot, key in now.highlighted
    )


def _labels(result: Walk, now: Moment, low: float, high: float) -> tuple[Mark, ...]:
    """Return words in the free strip at the right, or behind the tips of the highlighted walks while they grow."""
    row, theory = result.row, result.theory
    strip, gap = row.dim * 1.015, LABEL_GAP * (high - low)
    wanted: list[tuple[float, str, str]] = []
    if np.isfinite(row.sd[-1]):
        mean, sd = float(row.mean[-1]), float(row.sd[-1])
        wanted += [(mean + 2 * sd, _("±2 sd"), "muted"), (mean + sd, _("±1 sd"), "muted")]
    if _law_over_draws(result):
        words = _("±√d") if plain_law(result) else _("mean ± sd")
        wanted.append((float(theory.mean[-1] - theory.sd[-1]), words, "ink"))
    if planted(result):
        wanted.append((float(row.aligned_mean[-1]), _("drift ρ Σq²"), "ink"))
    tips = [(float(row.walks[now.index, key]), key_label(key), f"marked_{slot}") for slot, key in now.highlighted]
    at_end = now.step > 0.84 * row.dim
    if at_end:
        wanted += tips
    marks: list[Mark] = []
    groups = [(strip, wanted)] if at_end else [(strip, wanted), (now.step + 0.015 * row.dim, tips)]
    for x, group in groups:
        places = spread([y for y, _words, _role in group], gap, low, high)
        for place, (_y, words, role) in zip(places, group, strict=True):
            marks.append(Text(x, place, words, role, bold=role.startswith("marked")))
    return tuple(marks)


def _subtitle(result: Walk) -> str:
    if not np.isfinite(result.row.sd[-1]):
        return _("Sums of q·k; this law gives no variance")
    if result.vectors is not None:
        return _("Band: if components were independent")
    if _law_over_draws(result):
        return _("Band: this row given q · dashed: all draws")
    return _("Band: this row given q")


def _note(row: Row, paths: Paths) -> str:
    if row.keys < row.keys_total:
        return _("first {drawn} of {total} keys").format(drawn=count(row.keys), total=count(row.keys_total))
    if paths.keys.size < row.keys:
        return _("{shown} of {total} walks").format(shown=count(paths.keys.size), total=count(row.keys))
    return several("{count} walk", "{count} walks", row.keys).format(count=count(row.keys))


def _summary(result: Walk, now: Moment) -> str:
    row = result.row
    if now.step == 0:
        return _("{keys} walks before their first step.").format(keys=count(row.keys))
    scores = now.scores
    said = _("{keys} running sums after {step} of {dim} components lie between {low} and {high}.").format(
        keys=count(row.keys),
        step=count(now.step),
        dim=count(row.dim),
        low=number(float(scores.min())),
        high=number(float(scores.max())),
    )
    sd = float(row.sd[now.index])
    if not np.isfinite(sd):
        return said
    law = _("Independent components would give") if result.vectors is not None else _("The row's own law given q is")
    return _("{said} {law} mean {mean} and standard deviation {sd}.").format(
        said=said, law=law, mean=number(float(row.mean[now.index]), sd), sd=number(sd)
    )
