"""What is said of the spread of scores."""

import math
from typing import Any

import numpy as np

from attnsim.experiments.records import Estimate
from attnsim.experiments.spread.records import Growth, Spread
from attnsim.experiments.spread.slopes import slope
from attnsim.figures.headline import growth_words, short
from attnsim.figures.numbers import count, number
from attnsim.figures.readouts import Readout, estimate_card
from attnsim.figures.spread.titles import case_title, left_aside, refusals
from attnsim.figures.summaries import Summary
from attnsim.view import View
from attnsim.words import _, mark

OF_SCORES, OF_GROWTH = mark("Scores over draws"), mark("Growth with d")


def headline(result: Spread, view: View) -> tuple[str, str]:
    """Return how the scenario's spread grows, and its two spreads."""
    theory, s = result.theory, result.scenario
    parts = [_("d = {dim}").format(dim=count(s.dim))]
    pooled, within = float(theory.sd[0]), float(theory.within_sd[0])
    if math.isfinite(pooled):
        parts.append(_("over all pairs σ = {sd}").format(sd=short(pooled)))
    if math.isfinite(within):
        parts.append(_("within a row {sd}").format(sd=short(within)))
    parts += [words for words in (refusals(result), left_aside(result)) if words]
    return growth_words(s, theory, 0), " · ".join(parts)


def readouts(result: Spread, view: View) -> tuple[Readout, ...]:
    """Return the moments at the scenario's dimension, and how fast each case grows."""
    return (*_scores(result), *_slopes(result), *_turn(result))


def _scores(result: Spread) -> tuple[Readout, ...]:
    theory, ensemble, group = result.theory, result.ensemble, _(OF_SCORES)
    sd = float(theory.sd[0])
    scale = sd if math.isfinite(sd) else float(ensemble.sd.value[0])
    wanted: list[tuple[str, str, Estimate, Any, float]] = [
        ("sd", _("Spread over all pairs"), ensemble.sd, theory.sd, scale),
        ("within_sd", _("Spread within rows"), ensemble.within_sd, theory.within_sd, scale),
        ("mean", _("Mean of q·k"), ensemble.mean, theory.mean, scale),
        ("skewness", _("Skewness"), ensemble.skewness, theory.skewness, 1.0),
        ("excess_kurtosis", _("Excess kurtosis"), ensemble.excess_kurtosis, theory.excess_kurtosis, 1.0),
    ]
    return tuple(
        estimate_card(result, key, title, estimate, 0, float(known[0]), size, group=group)
        for key, title, estimate, known, size in wanted
        if ensemble.keys_per_row > 1 or key != "within_sd"
    )


def _slopes(result: Spread) -> tuple[Readout, ...]:
    cards = []
    for growth in result.cases:
        found = slope(growth) if growth.case.everywhere else None
        if found is None:
            continue
        one = np.array([found.value]), np.array([found.error])
        reach = 1.959963984540054 * found.error
        estimate = Estimate(*one, one[0] - reach, one[0] + reach)
        title = _("Slope, {case}").format(case=case_title(growth.case))
        key = f"slope:{growth.case.key}"
        cards.append(estimate_card(result, key, title, estimate, 0, found.theory, 1.0, group=_(OF_GROWTH)))
    return tuple(cards)


def _turn(result: Spread) -> tuple[Readout, ...]:
    cards = []
    for growth in result.cases:
        turn = growth.crossover
        if growth.case.key in ("factors", "scenario") and math.isfinite(turn):
            cards.append(
                Readout(
                    key=f"crossover:{growth.case.key}",
                    group=_(OF_GROWTH),
                    title=_("d*, {case}").format(case=case_title(growth.case)),
                    value=turn,
                    value_text=number(turn),
                    theory_text=_("beyond it d² wins"),
                )
            )
    return tuple(cards)


def order(result: Spread, view: View) -> tuple[str, ...]:
    """Return the cards' keys, the most telling first."""
    return (
        *("sd", "within_sd", "excess_kurtosis", "slope:none", "slope:factors", "crossover:factors"),
        *("slope:scenario", "crossover:scenario", "mean", "slope:rho", "slope:means", "skewness"),
    )


def describe(result: Spread) -> str:
    """Return a caption."""
    s, ensemble = result.scenario, result.ensemble
    return _(
        "Scores of {rows} queries with {keys} keys each, dimension {dim}, law {law}, seed {seed}: their law, and their "
        "spread against d. {title}."
    ).format(
        rows=count(ensemble.rows),
        keys=count(ensemble.keys_per_row),
        dim=count(s.dim),
        law=s.law,
        seed=s.seed,
        title=headline(result, View())[0],
    )


def numbers(result: Spread, view: View) -> dict[str, Any]:
    """Return the cards' numbers, the points of every case, and the quantiles."""
    q = result.quantiles
    cards = {
        card.key: {
            "value": card.value,
            "theory": card.theory,
            "low": card.low,
            "high": card.high,
            "standard_errors": card.deviation,
        }
        for card in readouts(result, view)
    }
    return {
        **cards,
        "rows": result.ensemble.rows,
        "keys_per_row": result.ensemble.keys_per_row,
        "cases": {growth.case.key: _case(growth) for growth in result.cases},
        "refused": {case.key: case.reason for case in result.refused},
        "quantiles": {
            "exact": q.exact,
            "normal": q.normal.tolist(),
            "law": q.scores.tolist(),
            "value": q.value.tolist(),
            "low": q.low.tolist(),
            "high": q.high.tolist(),
        },
    }


def _case(growth: Growth) -> dict[str, Any]:
    s = growth.case.scenario
    return {
        **{name: getattr(s, name) for name in ("rho", "r_q", "r_k", "mean_q", "mean_k")},
        "crossover": growth.crossover,
        "dims": growth.dims.tolist(),
        "rows": growth.rows.tolist(),
        "sd": growth.sd.value.tolist(),
        "sd_low": growth.sd.low.tolist(),
        "sd_high": growth.sd.high.tolist(),
        "theory_sd": growth.theory_sd.tolist(),
        "within_row_sd": growth.within_sd.value.tolist(),
        "within_row_sd_low": growth.within_sd.low.tolist(),
        "within_row_sd_high": growth.within_sd.high.tolist(),
        "theory_within_row_sd": growth.theory_within_sd.tolist(),
    }


SUMMARY = Summary(headline=headline, readouts=readouts, order=order, caption=describe, numbers=numbers)
