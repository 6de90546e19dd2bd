"""What is said of gradients."""

import math
from typing import Any

import numpy as np

from attnsim.experiments.gradients.records import QUANTITIES, Gradients
from attnsim.figures.gradients.learnt import learnt_cards, training_numbers
from attnsim.figures.gradients.words import LOSSES, loss_words, quantity_of, symbol
from attnsim.figures.numbers import count, number, signed, some_keys
from attnsim.figures.readouts import DOUBTFUL, GOOD, Readout, Tone
from attnsim.figures.summaries import Summary
from attnsim.view import View
from attnsim.words import _

ROUNDING = 1e-12  # by which equal rows differ, as a share of their value
INTERMITTENT = 4.0  # times the median from which on a root mean square is made by few rows


def headline(result: Gradients, view: View) -> tuple[str, str]:
    """Return how median and root mean square of the first rule compare, and the numbers."""
    quantity, rule = quantity_of(view), result.rules[0]
    spread, sign = result.spread, symbol(quantity)
    place = _("d = {dim}, {keys}").format(dim=count(result.scenario.dim), keys=some_keys(result.scenario.keys))
    if spread is None:
        words = _("{place} · one row alone: many would take too long") if result.too_large else _("{place} · drawing…")
        return _("Gradients of one row"), words.format(place=place)
    median, rms = (float(part[0, quantity, 0, spread.place]) for part in (spread.median, spread.rms))
    detail = _("{place} → {symbol} under {rule}: median {median}, RMS {rms}").format(
        place=place, symbol=sign, rule=rule.title, median=number(median), rms=number(rms)
    )
    if not (math.isfinite(median) and math.isfinite(rms)):
        return _("This gradient is not known under {rule}").format(rule=rule.title), place
    if rms == 0.0:
        return _("No gradient: the softmax ignores what pulls at all keys alike"), detail
    if rms > INTERMITTENT * median:
        title = _("Under {rule} most gradients are small and a few are large: the median dies, the RMS does not")
    else:
        title = _("Under {rule} the gradients of all rows are of one size")
    return title.format(rule=rule.title), detail


def readouts(result: Gradients, view: View) -> tuple[Readout, ...]:
    """Return median, mean and root mean square of the picked gradient under each rule."""
    spread, quantity = result.spread, quantity_of(view)
    if spread is None:
        return ()
    cards = list(learnt_cards(result, view))
    titles = {"median": _("median"), "rms": _("RMS"), "mean": _("mean")}
    for place, rule in enumerate(result.rules):
        for name, title in titles.items():
            value, low, high = (float(part) for part in getattr(spread, name)[:, quantity, place, spread.place])
            theory = float(spread.theory[quantity, place, spread.place]) if name == "rms" else math.nan
            cards.append(_card(f"{name}:{rule.name}", rule.title, title, (value, low, high), theory, symbol(quantity)))
    return tuple(cards)


def _card(key: str, group: str, title: str, found: tuple[float, float, float], theory: float, sign: str) -> Readout:
    value, low, high = found
    error = (high - low) / 3.92
    known = math.isfinite(theory)
    deviation = (value - theory) / error if known and error > ROUNDING * abs(value) else None
    tone: Tone = "plain"
    if deviation is not None:
        tone = "good" if abs(deviation) <= GOOD else "plain" if abs(deviation) <= DOUBTFUL else "warn"
    return Readout(
        key=key,
        group=group,
        title=_("{statistic} {symbol}, {rule}").format(statistic=title, symbol=sign, rule=group),
        value=value,
        value_text=number(value),
        theory=theory if known else None,
        theory_text=_("theory {theory}").format(theory=number(theory)) if known else _("no closed form"),
        low=low if math.isfinite(low) else None,
        high=high if math.isfinite(high) else None,
        deviation=deviation,
        deviation_text="" if deviation is None else _("{deviation} SE").format(deviation=signed(deviation)),
        tone=tone,
    )


def order(result: Gradients, view: View) -> tuple[str, ...]:
    """Return the cards' keys: root mean square and median of each rule, share of runs that learnt, then the means."""
    names = [rule.name for rule in result.rules]
    pairs = [f"{kind}:{name}" for name in names for kind in ("rms", "median", "learnt")]
    return (*pairs, *(f"mean:{name}" for name in names))


def caption(result: Gradients) -> str:
    """Return what was drawn."""
    s = result.scenario
    drawn = _("Gradients through the softmax of {keys}, d = {dim}, law {law}, seed {seed}; {loss}.").format(
        keys=some_keys(s.keys), dim=count(s.dim), law=s.law, seed=s.seed, loss=_(LOSSES[s.section.upstream])
    )
    title, detail = headline(result, View())
    return _("{drawn} {title}: {detail}.").format(drawn=drawn, title=title, detail=detail)


def numbers(result: Gradients, view: View) -> dict[str, Any]:
    """Return the norms of this row, and over many rows median, mean and root mean square with their intervals."""
    names = [rule.name for rule in result.rules]
    found: dict[str, Any] = {
        "row": {
            kind: dict(zip(names, (_plain(x) for x in result.row.norms[at]), strict=True))
            for at, kind in enumerate(QUANTITIES)
        },
        "loss": loss_words(result),
    }
    spread = result.spread
    if spread is not None:
        found["rows"], found["dims"] = spread.rows, spread.dims.tolist()
        found["spread"] = {
            kind: {name: _of(spread, at, place) for place, name in enumerate(names)}
            for at, kind in enumerate(QUANTITIES)
        }
    return found | training_numbers(result, view)


def moment_text(result: Gradients, moment: int) -> str:
    """Return which step of the training run is shown."""
    if not result.moments.size:
        return ""
    return _("step {step} of {last}").format(step=count(moment), last=count(int(result.moments[-1])))


def _of(spread: Any, quantity: int, rule: int) -> dict[str, Any]:
    """Return the statistics of one quantity under one rule, a list over dimensions each."""
    known = {}
    for name in ("median", "mean", "rms"):
        for end, values in zip(("", "_low", "_high"), getattr(spread, name)[:, quantity, rule], strict=True):
            known[name + end] = [_plain(x) for x in values]
    return known | {"rms_theory": [_plain(x) for x in spread.theory[quantity, rule]]}


def _plain(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


SUMMARY = Summary(
    headline=headline, readouts=readouts, order=order, caption=caption, numbers=numbers, moment_text=moment_text
)
