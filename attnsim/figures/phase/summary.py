"""What is said of the phase diagram."""

import math
from typing import Any

import numpy as np

from attnsim.experiments.estimates import NORMAL_QUANTILE
from attnsim.experiments.phase.record import METRICS, Phase
from attnsim.figures.numbers import count, number, share_text, signed, some_keys
from attnsim.figures.phase import axes
from attnsim.figures.phase.cut import threshold
from attnsim.figures.readouts import DOUBTFUL, GOOD, SATURATED, Readout, Tone
from attnsim.figures.summaries import Summary
from attnsim.view import View
from attnsim.words import _, mark

GROUP = mark("This scenario")
LIQUID, MELTING = 0.6, 1.0  # of the threshold: below, between


def headline(result: Phase, view: View) -> tuple[str, str]:
    """Return in which phase the scenario is under the rule that is looked at."""
    s, rule = result.scenario, axes.rule_shown(result, view)[0]
    spread = float(result.spreads[axes.rule_place(result, view)])
    if s.keys < 2:
        return _("One key takes all the weight, whatever the spread"), ""
    limit = threshold(result, 0)
    detail = _("d = {dim}, n = {keys}: s = {spread}, threshold s_c = {limit}, e_n = {mean}").format(
        dim=count(s.dim), keys=count(s.keys), spread=number(spread), limit=number(limit),
        mean=number(result.own_maximum),
    )  # fmt: skip
    if result.plane == "spread" and (s.mask, s.format) != ("none", "fp64"):
        detail += " · " + _("the map knows neither mask nor number format")
    if not math.isfinite(spread):
        title = _("{rule} is no factor of the score, and has no place on the axis of spreads").format(rule=rule.title)
        return title, detail
    words = {"rule": rule.title}
    if spread < LIQUID * limit:
        return _("{rule}: well below the threshold, many keys share the weight").format(**words), detail
    if spread < MELTING * limit:
        return _("{rule}: near the threshold, single rows begin to condense").format(**words), detail
    return _("{rule}: beyond the threshold, a few keys take the weight however many there are").format(**words), detail


def readouts(result: Phase, view: View) -> tuple[Readout, ...]:
    """Return the three numbers at the scenario's own place, for each rule, and the thresholds."""
    cards = [_card(result, place, metric) for metric in range(len(METRICS)) for place in range(len(result.rules))]
    keys = result.scenario.keys
    if keys > 1:
        cards.append(
            Readout(
                key="threshold", group=GROUP, title=_("Threshold s_c = √(2 ln n)"), value=threshold(result, 0),
                value_text=number(threshold(result, 0)),
                theory_text=_("mean largest e_n {value}").format(value=number(result.own_maximum)),
            )
        )  # fmt: skip
    return tuple(cards)


def _card(result: Phase, place: int, metric: int) -> Readout:
    value, error, theory = (
        float(part[place, metric, 0, 0]) for part in (result.here.mean, result.here.error, result.here.theory)
    )
    rule = result.rules[place].title
    titles = (_("Σp², {rule}"), _("Entropy / ln n, {rule}"), _("Largest weight, {rule}"))
    gauge: dict[str, Any] = {}
    tone: Tone = "saturated" if metric != 1 and value >= SATURATED and result.scenario.keys > 1 else "plain"
    if math.isfinite(error) and error > 0.0:
        gauge = {"low": value - NORMAL_QUANTILE * error, "high": value + NORMAL_QUANTILE * error}
    if math.isfinite(theory):
        gauge["theory"] = theory
        if "low" in gauge:
            z = (value - theory) / error
            gauge |= {"deviation": z, "deviation_text": _("{deviation} SE").format(deviation=signed(z))}
            tone = tone if tone == "saturated" else "good" if abs(z) <= GOOD else tone
            tone = "warn" if abs(z) > DOUBTFUL else tone
    elif tone == "saturated":
        gauge["deviation_text"] = _("saturated")
    return Readout(
        key=f"{METRICS[metric]}:{result.rules[place].name}",
        group=GROUP,
        title=titles[metric].format(rule=rule),
        value=value,
        value_text=share_text(value) if math.isfinite(value) else "–",
        theory_text=_("theory {theory}").format(theory=share_text(theory))
        if math.isfinite(theory)
        else _("no closed form"),
        tone=tone,
        **gauge,
    )


def order(result: Phase, view: View) -> tuple[str, ...]:
    """Return the number looked at under every rule first."""
    metric, shown = axes.metric_of(view), axes.rule_place(result, view)
    names = [rule.name for rule in result.rules]
    ranked = [names[shown], *(name for name in names if name != names[shown])]
    others = [METRICS[i] for i in range(len(METRICS)) if i != metric]
    return (
        *(f"{METRICS[metric]}:{name}" for name in ranked),
        "threshold",
        *(f"{other}:{name}" for other in others for name in ranked),
    )


def describe(result: Phase) -> str:
    """Return a caption."""
    s, axis = result.scenario, _("the spread of the scores")
    if result.plane == "dimension":
        axis = _("the dimension")
    title, detail = headline(result, View())
    return _(
        "Weights of a row over {axis} and the number of keys, exact and drawn ({keys}, seed {seed}). {said}."
    ).format(axis=axis, keys=some_keys(s.keys), seed=s.seed, said=f"{title}: {detail}" if detail else title)


def numbers(result: Phase, view: View) -> dict[str, Any]:
    """Return maps of the number looked at under the rule looked at, thresholds and the scenario's own place."""
    metric, place = axes.metric_of(view), axes.map_place(result, view)
    sample, cut = result.sample, result.cut_sample
    return {
        "plane": result.plane,
        "metric": METRICS[metric],
        "scaling": axes.rule_shown(result, view)[0].name,
        "x": _listed(result.x),
        "keys": _listed(result.keys),
        "exact": _listed(result.theory[place, metric]),
        "threshold": _listed(result.thresholds[0]),
        "mean_maximum": _listed(result.thresholds[1]),
        "threshold_at": _listed(result.borders[place, 0]),
        "mean_maximum_at": _listed(result.borders[place, 1]),
        "sample_x": _listed(result.sample_x),
        "sample_keys": _listed(result.sample_keys),
        "sample_rows": _listed(sample.rows),
        "sample_mean": _listed(sample.mean[place, metric]),
        "sample_error": _listed(sample.error[place, metric]),
        "sample_theory": _listed(sample.theory[place, metric]),
        "cut_exact": _listed(result.cut[place, metric]),
        "cut_mean": _listed(cut.mean[place, metric, 0]),
        "cut_error": _listed(cut.error[place, metric, 0]),
        "here": {
            card.key: {"value": _plain(card.value), "theory": card.theory, "low": card.low, "high": card.high,
                       "standard_errors": card.deviation}
            for card in readouts(result, view)
        },
        "note": result.note,
    }  # fmt: skip


def _listed(array: np.ndarray) -> Any:
    if array.ndim > 1:
        return [_listed(part) for part in array]
    return [_plain(value) for value in array.tolist()]


def _plain(value: float) -> float | None:
    return value if math.isfinite(value) else None


SUMMARY = Summary(headline=headline, readouts=readouts, order=order, caption=describe, numbers=numbers)
