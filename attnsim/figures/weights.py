"""The softmax of one row under each scale rule."""

import numpy as np

from attnsim.choices.scalings import Rule
from attnsim.experiments.attention import Attention
from attnsim.experiments.records import Walk
from attnsim.figures.labels import levels
from attnsim.figures.marks import Axis, Bars, Cursor, Dots, Figure, Mark, Plot, Text
from attnsim.figures.moment import Moment, attention_of, moment, rule_roles, shown_of, title_of
from attnsim.figures.numbers import count, entropy_text, share_text, some_keys
from attnsim.figures.softmax import shown_keys
from attnsim.view import View
from attnsim.words import _, mark

MOST_BARS = 64
LEAST_SLOTS = 8  # a row of one or two keys keeps bars of a usual width
FLOOR = 1e-6  # low end of the logarithmic axis

_LINEAR = Axis("", 0.0, 1.28, ticks=((0.0, "0"), (0.5, "0.5"), (1.0, "1")))
_LOGARITHMIC = Axis("", FLOOR, 60.0, log=True, ticks=((1e-6, "10⁻⁶"), (1e-4, "10⁻⁴"), (1e-2, "10⁻²"), (1.0, "1")))
_KEY_AXIS = mark("key, sorted by score")


def build(result: Walk, view: View) -> Figure:
    """Draw this row's weights at the playhead, one plot a rule, on one common axis.

    Parameters
    ----------
    result : Walk
    view : View

    Returns
    -------
    Figure
        One plot a rule, in the scenario's order; at most 64 bars each, sorted by score.
    """
    now = moment(result, view)
    rules = result.rules
    rows = [attention_of(rule, result, now.index) for rule in rules]
    keys = shown_keys(now.scores, rows, MOST_BARS)
    plots = tuple(
        _plot(
            rule,
            (title_of(rule, result, now.step), role),
            row,
            keys,
            now,
            view,
            last=rule is rules[-1],
            first=rule is rules[0],
        )
        for rule, role, row in zip(rules, rule_roles(rules), rows, strict=True)
    )
    return Figure(
        key="weights",
        title=_("Softmax weights"),
        subtitle=_("This row's {keys} · dashed: uniform").format(keys=some_keys(result.row.keys)),
        note=_note(result, rows, keys.size),
        plots=plots,
        summary=_summary(result, now, rules, rows, view),
    )


def _plot(
    rule: Rule,
    title: tuple[str, str],
    row: Attention,
    keys: np.ndarray,
    now: Moment,
    view: View,
    *,
    first: bool,
    last: bool,
) -> Plot:
    y = _LOGARITHMIC if view.log_weights else _LINEAR
    slots = max(keys.size, LEAST_SLOTS)
    top = np.zeros(keys.size) if row.overflowed[0] else row.weights[0, keys]
    heights = np.maximum(top, FLOOR) if view.log_weights else top
    marks: list[Mark] = [
        Bars(np.arange(keys.size, dtype=np.float64), heights, 0.82, title[1], opacity=0.9),
        Cursor(1.0 / max(1, int(row.count[0])), "muted", across=True, dashed=True),
        *_highlights(heights, keys, now, slots, named=first, logarithmic=view.log_weights),
    ]
    x = Axis(_(_KEY_AXIS) if last else "", -0.8, slots - 0.2, ticks=_rank_ticks(slots) if last else ())
    heading = (
        title,
        *((words, "muted") for words in _said(row, view)),
    )
    return Plot(key=rule.name, x=x, y=y, marks=tuple(marks), heading=heading, heading_side="right", keys=keys)


def _said(row: Attention, view: View) -> tuple[str, ...]:
    """Return what a plot's heading says of its weights."""
    if row.overflowed[0]:
        return (_("overflow"),)
    largest, entropy = share_text(float(row.largest[0])), entropy_text(float(row.entropy[0]), view.bits)
    words = (_("max {weight}").format(weight=largest), entropy)
    return (*words, _("sink {share}").format(share=share_text(float(row.sink[0])))) if row.sink[0] else words


def _highlights(
    heights: np.ndarray, keys: np.ndarray, now: Moment, slots: int, *, named: bool, logarithmic: bool
) -> list[Mark]:
    """Return a dot on the bar of each highlighted key, and in the first plot its name above it."""
    places = [(slot, key, np.flatnonzero(keys == key)) for slot, key in now.highlighted]
    shown = [(slot, key, int(at[0])) for slot, key, at in places if at.size]
    marks: list[Mark] = [
        Dots(np.array([float(rank)]), heights[rank : rank + 1], f"marked_{slot}", size=6.0)
        for slot, _key, rank in shown
    ]
    if named and shown:
        # the number alone: the other panels' labels and the colour say that it is a key
        storeys = levels([float(rank) for _slot, _key, rank in shown], 0.06 * slots * max(len(str(k)) for k in keys))
        for (slot, key, rank), storey in zip(shown, storeys, strict=True):
            # on a logarithmic axis the bars are tall and the heading near, so the names stand at their feet
            y = FLOOR * 8.0 * 30.0**storey if logarithmic else min(float(heights[rank]), 0.6) + 0.16 + 0.24 * storey
            marks.append(Text(float(rank), y, str(key), f"marked_{slot}", (0.5, 0.5), bold=True))
    return marks


def _rank_ticks(slots: int) -> tuple[tuple[float, str], ...]:
    every = next(step for step in (1, 2, 5, 10, 20) if slots / step <= 8 or step == 20)
    return tuple((float(rank - 1), count(rank)) for rank in (1, *range(every if every > 1 else 2, slots + 1, every)))


def _note(result: Walk, rows: list[Attention], shown: int) -> str:
    row, seen = result.row, int(rows[0].count[0])
    if seen < row.keys:
        if not seen:
            return _("the mask hides every key drawn so far")
        return _("{seen} of {total} keys seen").format(seen=count(seen), total=count(row.keys_total))
    if row.keys < row.keys_total:
        return shown_of(shown, row.keys_total, row.keys)
    if shown < row.keys:
        return _("largest {shown} of {total}").format(shown=count(shown), total=count(row.keys))
    return ""


def _summary(result: Walk, now: Moment, rules: tuple[Rule, ...], rows: list[Attention], view: View) -> str:
    each = "; ".join(
        _("{rule} gives its largest key the weight {share}, entropy {entropy}").format(
            rule=rule.title,
            share=share_text(float(row.largest[0])),
            entropy=entropy_text(float(row.entropy[0]), view.bits),
        )
        if not row.overflowed[0]
        else _("{rule} overflows in {format}").format(rule=rule.title, format=result.scenario.format)
        for rule, row in zip(rules, rows, strict=True)
    )
    return _("Softmax over {keys} at d = {step}: {each}.").format(
        keys=some_keys(result.row.keys), step=count(now.step), each=each
    )
