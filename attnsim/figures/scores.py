"""The law of the score over many draws, raw and scaled, with this row's scores as strokes."""

import math
from dataclasses import dataclass

import numpy as np

from attnsim.choices.scalings import Rule
from attnsim.experiments.records import Ensemble, Walk
from attnsim.figures.labels import levels
from attnsim.figures.marks import Axis, Bars, Dots, Figure, Line, Mark, Plot, Rug, Text
from attnsim.figures.moment import Floats, Moment, attention_of, key_label, moment, role_of, rule_of
from attnsim.figures.numbers import count, number, ticks
from attnsim.figures.row_logits import logit_marks, logit_span, seen_logits
from attnsim.view import View
from attnsim.words import _

MOST_STROKES = 512
REACH = 5.0  # the axes cover this many standard deviations around the mean
HEADROOM = 1.12


@dataclass(frozen=True, slots=True)
class Histogram:
    """Histogram of the ensemble at one checkpoint, per unit of raw score.

    Attributes
    ----------
    step : int
        Dimension of the checkpoint.
    centers, heights, theory : float64 array, shape (bins,)
    width, sd, peak : float
    """

    step: int
    centers: Floats
    heights: Floats
    theory: Floats
    width: float
    sd: float
    peak: float


def build(result: Walk, view: View) -> Figure:
    """Draw the distribution of q·k over all pairs at the checkpoint nearest the playhead, before and after scaling.

    Parameters
    ----------
    result : Walk
    view : View

    Returns
    -------
    Figure
        Plots `raw` and `scaled`. The x ranges do not depend on the playhead; the density axes take one of a few
        ranges a factor of the square root of 2 apart, so that they seldom change and nothing is cut off.
    """
    now, rule = moment(result, view), rule_of(result, view)
    ensemble = result.ensemble
    shown = None if ensemble is None or now.step == 0 else histogram(ensemble, ensemble.index(now.step))
    final = None if ensemble is None else histogram(ensemble, len(ensemble.steps) - 1)
    raw_range, scaled_range = _ranges(result, rule if rule.is_linear else None, final)
    scaled = (
        _plot("scaled", result, now, shown, final, scaled_range, rule)
        if rule.is_linear
        else _logits_plot(result, now, rule)
    )
    plots = (_plot("raw", result, now, shown, final, raw_range, None), scaled)
    return Figure(
        key="scores",
        title=_("Score distribution"),
        subtitle=_subtitle(result, now, shown),
        note=_note(result),
        plots=plots,
        summary=_summary(result, now, shown, rule),
    )


def histogram(ensemble: Ensemble, index: int) -> Histogram:
    """Return the ensemble's histogram at one of its checkpoints as a density of all its scores."""
    edges, density = ensemble.edges[index], ensemble.density[index]
    width = float(edges[1] - edges[0])
    heights = ensemble.counts[index] * (1.0 / (ensemble.scores * width))
    known = float(np.fmax.reduce(density))
    peak = max(float(heights.max()), known if math.isfinite(known) else 0.0)
    return Histogram(
        step=int(ensemble.steps[index]),
        centers=edges[:-1] + 0.5 * width,
        heights=heights,
        theory=density,
        width=width,
        sd=float(ensemble.sd.value[index]),
        peak=peak,
    )


def _ranges(
    result: Walk, rule: Rule | None, final: Histogram | None
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the x ranges of both plots: the same range at the last dimension, up to the scale.

    The scaled one is widened where a rule shrinks the scores, so that its last three quarters stay inside.
    """
    theory, end = result.theory, 1.0 if rule is None else float(rule.multiplier(result.row.dim))
    sd = theory.sd
    if result.vectors is None and np.isfinite(sd[-1]) and sd[-1] > 0.0:
        late = theory.steps >= max(1, result.row.dim // 4)
        lows, highs = theory.mean - REACH * sd, theory.mean + REACH * sd
        ends = result.row.walks[-1]  # an aligned key may stand far outside the law over draws
        room = 0.5 * float(sd[-1])
        low = min(float(lows.min()), float(ends.min()) - room)
        high = max(float(highs.max()), float(ends.max()) + room)
        factors = np.ones(1) if rule is None else rule.multiplier(theory.steps[late])
        least, most = float((lows[late] * factors).min()), float((highs[late] * factors).max())
        return (low, high), (min(low * end, least), max(high * end, most))
    if final is not None:
        low, high = float(final.centers[0] - final.width), float(final.centers[-1] + final.width)
    else:
        last = result.row.walks[-1]
        low, high = float(last.min()) - 1.0, float(last.max()) + 1.0
    return (low, high), (low * end, high * end)


def _plot(
    key: str,
    result: Walk,
    now: Moment,
    shown: Histogram | None,
    final: Histogram | None,
    span: tuple[float, float],
    rule: Rule | None,
) -> Plot:
    role = "rule_none" if rule is None else role_of(rule, result.rules)
    at_row = 1.0 if rule is None else float(rule.multiplier(now.step))
    top = _top(shown, final, rule)
    marks: list[Mark] = []
    title = _("q·k") if rule is None or rule.name == "none" else _("q·k {rule}").format(rule=rule.title)
    words = _("drawing…") if result.ensemble is None else _("nothing summed yet")
    if shown is not None:
        factor = 1.0 if rule is None else float(rule.multiplier(shown.step))
        marks.append(Bars(shown.centers * factor, shown.heights / factor, shown.width * factor, role, opacity=0.75))
        if np.isfinite(shown.theory).any():
            marks.append(Line(shown.centers * factor, shown.theory / factor, "ink"))
        words = _("σ = {sd}").format(sd=number(shown.sd * factor))
    if now.step > 0:
        every = -(-now.scores.size // MOST_STROKES)
        strokes = now.scores[::every] * at_row
        marks.append(Rug(strokes, "ink", height=0.045, opacity=max(0.12, min(0.5, 2.7 / math.sqrt(strokes.size)))))
        marks.extend(_highlights(now, now.scores * at_row, span, top))
    x = Axis("" if rule is None else _("score"), *span, ticks=ticks(*span, 5))
    y = Axis("", 0.0, top, ticks=ticks(0.0, top, 4) if final is not None else ())
    return Plot(key=key, x=x, y=y, marks=tuple(marks), heading=((title, role), (words, "muted")))


def _logits_plot(result: Walk, now: Moment, rule: Rule) -> Plot:
    """Draw this row's own logits: what many rows have together is not known for a rule that is no factor."""
    role, span = role_of(rule, result.rules), logit_span(result, result.scenario.scalings.index(rule.name))
    logits = seen_logits(result, rule, now)
    marks, top = logit_marks(logits, span, role) if now.step else ([], 1.0)
    words = _("nothing summed yet")
    if now.step:
        words = _("this row: σ = {sd}").format(sd=number(float(logits.std()) if logits.size else math.nan))
        marks = [*marks, *_highlights(now, attention_of(rule, result, now.index).logits[0], span, top)]
    x, y = Axis(_("score"), *span, ticks=ticks(*span, 5)), Axis("", 0.0, top, ticks=ticks(0.0, top, 4))
    title = _("q·k {rule}").format(rule=rule.title)
    return Plot(key="scaled", x=x, y=y, marks=tuple(marks), heading=((title, role), (words, "muted")))


def _top(shown: Histogram | None, final: Histogram | None, rule: Rule | None) -> float:
    if final is None:
        return 1.0
    at_end = final.peak * HEADROOM / (1.0 if rule is None else float(rule.multiplier(final.step)))
    if shown is None or at_end <= 0.0:
        return at_end or 1.0
    needed = 1.04 * shown.peak / (1.0 if rule is None else float(rule.multiplier(shown.step)))
    return float(at_end * math.sqrt(2.0) ** math.ceil(2.0 * math.log2(needed / at_end) - 1e-9)) if needed else at_end


def _highlights(now: Moment, scores: Floats, span: tuple[float, float], top: float) -> list[Mark]:
    """Return a dot just above the strokes for each highlighted key, and its name above the dot."""
    shown = [(slot, key) for slot, key in now.highlighted if np.isfinite(scores[key])]  # the others are hidden
    places = [min(max(float(scores[key]), span[0]), span[1]) for _slot, key in shown]
    storeys = levels(places, 0.25 * (span[1] - span[0]))
    marks: list[Mark] = []
    for (slot, key), place, storey in zip(shown, places, storeys, strict=True):
        inside = span[0] < place < span[1]  # hollow at the axis' end: the score lies beyond
        marks.append(Dots(np.array([place]), np.array([0.045 * top]), f"marked_{slot}", size=6.0, hollow=not inside))
        height = (0.085 + 0.11 * storey) * top
        side = _side(place, span)
        marks.append(Text(place, height, key_label(key), f"marked_{slot}", (side, 1.0), bold=True))
    return marks


def _side(place: float, span: tuple[float, float]) -> float:
    """Return the anchor that keeps a label inside: left and right of its dot near the ends of the axis."""
    share = (place - span[0]) / (span[1] - span[0])
    return 0.0 if share < 0.08 else 1.0 if share > 0.92 else 0.5


def _subtitle(result: Walk, now: Moment, shown: Histogram | None) -> str:
    ensemble = result.ensemble
    if ensemble is None:
        return _("Strokes: this row's scores")
    if shown is None:
        return _("Nothing is summed at d = 0")
    rows = _("queries") if result.vectors is not None else _("rows")
    sentence = _("{count} {rows} at d = {step} · strokes: this row")
    if shown.step != now.step:
        sentence = _("{count} {rows} at d = {step}, the nearest · strokes: this row")
    return sentence.format(count=count(ensemble.rows), rows=rows, step=count(shown.step))


def _note(result: Walk) -> str:
    ensemble = result.ensemble
    if ensemble is None:
        return _("drawing…")
    if not np.isfinite(ensemble.density[-1]).any():
        return _("no closed form")
    if result.vectors is not None:
        return _("line: if independent")
    return _("line: exact law") if ensemble.exact else _("line: normal limit")


def _summary(result: Walk, now: Moment, shown: Histogram | None, rule: Rule) -> str:
    if shown is None or result.ensemble is None:
        return (
            _("The distribution of the scores over many draws is not drawn yet.")
            if now.step
            else _("At d = 0 every score is 0.")
        )
    pairs, step, raw = count(result.ensemble.scores), count(shown.step), number(shown.sd)
    if not rule.is_linear:
        return _("Over {scores} pairs at d = {step} the raw scores have standard deviation {raw}.").format(
            scores=pairs, step=step, raw=raw
        )
    return _(
        "Over {scores} pairs at d = {step} the raw scores have standard deviation {raw}, and {rule} makes it {scaled}."
    ).format(
        scores=pairs,
        step=step,
        raw=raw,
        rule=rule.title,
        scaled=number(shown.sd * float(rule.multiplier(shown.step))),
    )
