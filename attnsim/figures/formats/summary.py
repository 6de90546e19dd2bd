"""What is said of the number formats."""

import math
from typing import Any

import numpy as np

from attnsim.experiments.estimates import NORMAL_QUANTILE
from attnsim.experiments.formats.record import NAMES, NARROW, ORDERS, WAYS, Formats
from attnsim.figures.formats import shared
from attnsim.figures.formats.claim import claim_text, summary, verdict
from attnsim.figures.numbers import count, number, signed, some_keys
from attnsim.figures.readouts import DOUBTFUL, GOOD, Readout
from attnsim.figures.summaries import Summary
from attnsim.view import View
from attnsim.words import _, mark

LOST, ERRORS, CLAIM = mark("Rows lost, naive"), mark("Weights against fp64"), mark("The claim")


def headline(result: Formats, view: View) -> tuple[str, str]:
    """Return whether a naive softmax survives in the format that is looked at, and what rounding costs."""
    name, (rule, _role) = shared.format_of(view), shared.rule_shown(result, view)
    title = verdict(result)
    if result.drawn is not None and result.drawn.rows[-1]:
        lost = float(result.drawn.row_overflow[shared.rule_place(result, view), NAMES.index(name), -1])
        title = _("{format}, {rule}: a naive softmax loses {share} of the rows, a stable one none to exp").format(
            format=name, rule=rule.title, share=shared.percent(lost)
        )
    detail = _("d = {dim}, {keys}: exp overflows beyond {limit}").format(
        dim=count(result.scenario.dim), keys=some_keys(result.scenario.keys),
        limit=number(float(result.limits.overflow[NAMES.index(name)])),
    )  # fmt: skip
    if result.scenario.mask != "none":
        detail += " · " + _("the mask is not applied here")
    return title, detail


def readouts(result: Formats, view: View) -> tuple[Readout, ...]:
    """Return rows lost under each rule, errors of weights, the claim's chance."""
    name = shared.format_of(view)
    cards: list[Readout] = []
    if result.drawn is not None and result.drawn.rows[-1]:
        place = NAMES.index(name)
        for at, rule in enumerate(result.rules):
            theory = math.nan if result.own_overflow is None else float(result.own_overflow[at, place])
            value, error = (float(part[at, place, -1]) for part in (result.drawn.row_overflow, result.drawn.row_error))
            rows = int(result.drawn.rows[-1])
            if math.isfinite(theory):  # of a known chance the spread is known, also where no row is lost
                error = (
                    math.sqrt(theory * (1.0 - theory) / rows) if rows * min(theory, 1.0 - theory) > 1.0 else math.nan
                )
            cards.append(_card(f"lost:{rule.name}", LOST, _("{format}, {rule}").format(format=name, rule=rule.title),
                               value, theory, error))  # fmt: skip
        value, error = float(result.drawn.beyond[-1]), float(result.drawn.beyond_error[-1])
        title = _("P(|q·k| > {claim})").format(claim=claim_text(result))
        cards.append(_card("beyond", CLAIM, title, value, result.own_beyond, error))
    cards.extend(_errors(result, view))
    return tuple(cards)


def _errors(result: Formats, view: View) -> list[Readout]:
    found, name = result.rounding, shared.narrow_of(view)
    if found is None:
        return []
    at, column = shared.rule_place(result, view), NARROW.index(name)
    cards = []
    for way, word in enumerate(WAYS):
        value, theory = float(found.error[at, column, way]), float(found.predicted[at, column])
        low, high = float(found.low[at, column, way]), float(found.high[at, column, way])
        error = (high - low) / (2.0 * NORMAL_QUANTILE)
        title = _("{format}, {way}").format(format=name, way=shared.way_title(word))
        cards.append(_card(f"error:{word}", ERRORS, title, value, theory if way == 0 else math.nan, error))
    return cards


def _card(key: str, group: str, title: str, value: float, theory: float, error: float) -> Readout:
    words = number(value)
    bare: dict[str, Any] = {"theory_text": _("no closed form")}
    if math.isfinite(theory):
        bare = {"theory": theory, "theory_text": _("theory {theory}").format(theory=number(theory))}
    if math.isfinite(error) and error > 0.0 and math.isfinite(value):
        bare |= {"low": value - NORMAL_QUANTILE * error, "high": value + NORMAL_QUANTILE * error}
        if math.isfinite(theory):
            z = (value - theory) / error
            tone = "good" if abs(z) <= GOOD else "plain" if abs(z) <= DOUBTFUL else "warn"
            bare |= {"deviation": z, "deviation_text": _("{deviation} SE").format(deviation=signed(z)), "tone": tone}
    return Readout(key=key, group=group, title=title, value=value, value_text=words, **bare)


def order(result: Formats, view: View) -> tuple[str, ...]:
    """Return rows lost first."""
    return (
        *(f"lost:{rule.name}" for rule in result.rules),
        "beyond",
        *(f"error:{way}" for way in ("stable", "scores", "wide", "naive", "online")),
    )


def describe(result: Formats) -> str:
    """Return a caption."""
    s = result.scenario
    return _("Softmax in {count} number formats at d = {dim}, {keys}, law {law}, seed {seed}. {said}").format(
        count=len(NAMES), dim=count(s.dim), keys=some_keys(s.keys), law=s.law, seed=s.seed, said=summary(result)
    )


def numbers(result: Formats, view: View) -> dict[str, Any]:
    """Return everything that is computed, by format."""
    chances = result.chances
    return {
        "scaling": shared.rule_shown(result, view)[0].name,
        "claim": result.claim,
        "beyond_claim": _plain(result.own_beyond),
        "dims": [] if chances is None else chances.dims.tolist(),
        "beyond_claim_by_dim": [] if chances is None else [_plain(value) for value in chances.beyond],
        "formats": {name: _of_format(result, name) for name in NAMES},
        "cards": {
            card.key: {
                "value": _plain(card.value),
                "theory": card.theory,
                "low": card.low,
                "high": card.high,
                "standard_errors": card.deviation,
            }
            for card in readouts(result, view)
        },
        "note": result.note,
    }


def _of_format(result: Formats, name: str) -> dict[str, Any]:
    """Return the numbers of one format."""
    place, limits, found = NAMES.index(name), result.limits, result.rounding
    one: dict[str, Any] = {
        "largest": float(limits.largest[place]),
        "exp_overflow": float(limits.overflow[place]),
        "exp_overflow_found": float(limits.found_overflow[place]),
        "exp_normal": float(limits.normal[place]),
        "exp_zero": float(limits.zero[place]),
    }
    if result.drawn is not None:
        one["rows_lost_naive"] = _by_rule(result, result.drawn.row_overflow[:, place, -1])
    if result.own_overflow is not None:
        one["rows_lost_naive_theory"] = _by_rule(result, result.own_overflow[:, place])
    if found is not None and name in NARROW:
        column = NARROW.index(name)
        one["weight_error"] = {
            each.name: {
                **{way: _plain(found.error[at, column, number_of]) for number_of, way in enumerate(WAYS)},
                "theory": _plain(found.predicted[at, column]),
                "lost_after_product": _plain(found.lost_after[at, column]),
            }
            for at, each in enumerate(result.rules)
        }
    if result.sums is not None:
        one["sum_of_65536_ones"] = {
            order: _plain(65536.0 * result.sums.flat[place, at, -1]) for at, order in enumerate(ORDERS)
        }
    return one


def _by_rule(result: Formats, values: np.ndarray) -> dict[str, float | None]:
    return {rule.name: _plain(value) for rule, value in zip(result.rules, values, strict=True)}


def _plain(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


SUMMARY = Summary(headline=headline, readouts=readouts, order=order, caption=describe, numbers=numbers)
