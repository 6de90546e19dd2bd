"""What is said of a planted key."""

import math
from typing import Any

import numpy as np

from attnsim.experiments.planted.records import Planted, Sweep
from attnsim.figures.numbers import count, number, share_text, signed
from attnsim.figures.planted.limits import limits_along, rho_text, set_aside
from attnsim.figures.readouts import DOUBTFUL, GOOD, Readout, Tone
from attnsim.figures.summaries import Summary
from attnsim.view import View
from attnsim.words import _, mark

GROUP = mark("Planted key")
SURE, LOST = 0.95, 0.05  # shares of the rows in which the key is found, for the headline


def headline(result: Planted, view: View) -> tuple[str, str]:
    """Return whether the key can be found, and with which numbers."""
    s = result.scenario
    sweep, at = _own(result)
    share, weights = float(sweep.found[at]), sweep.weight[:, at]
    if s.rho == 0.0:
        title = _("ρ is 0: no key is correlated with the query, and there is none to find")
    elif s.rho < 0.0:
        title = _("ρ is negative: the planted key is the one that attention avoids")
    elif s.keys == 1:
        title = _("One key has all the weight")
    elif share >= SURE and np.nanmax(weights) < 0.5:
        title = _("The planted score is the largest, and no rule here gives it half of the weight")
    elif share >= SURE:
        title = _("The planted key is found, and a rule decides what weight it gets")
    elif share <= LOST:
        title = _("Too many keys: the planted one is lost among the others, whatever the scale")
    else:
        title = _("The planted score is the largest of some rows only, and no scale changes which")
    parts = [_("d = {dim}, n = {keys}, ρ = {rho}").format(dim=count(s.dim), keys=count(s.keys), rho=rho_text(s.rho))]
    if s.rho > 0.0:
        best = limits_along(s, "keys")[0].at
        parts.append(_("limit exp(ρ²d/2) = {most} keys").format(most=number(best, best)))
    if set_aside(s):
        parts.append(set_aside(s))
    return title, " · ".join(parts)


def readouts(result: Planted, view: View) -> tuple[Readout, ...]:
    """Return the mean weight under each rule, how often the key is found, and the limits."""
    sweep, at = _own(result)
    cards = [_weight(result, sweep, at, place) for place in range(len(result.rules))]
    return (*cards, _found(result, sweep, at), *_limits(result))


def order(result: Planted, view: View) -> tuple[str, ...]:
    """Return the cards' keys, the most telling first."""
    weights = tuple(f"weight:{rule.name}" for rule in result.rules)
    return (*weights[:2], "found", "limit:best", "limit:root", *weights[2:])


def numbers(result: Planted, view: View) -> dict[str, Any]:
    """Return the sweeps in full and the numbers of the cards."""
    cards = {
        card.key: {
            "value": _plain(card.value),
            "theory": card.theory,
            "low": card.low,
            "high": card.high,
            "standard_errors": card.deviation,
        }
        for card in readouts(result, view)
    }
    return {"cards": cards, "sweeps": {each.axis: _sweep(result, each) for each in result.sweeps}}


def caption(result: Planted) -> str:
    """Return what was drawn."""
    s = result.scenario
    return _(
        "One of {keys} keys of dimension {dim} has correlation {rho} with the query; law {law}, seed {seed}."
    ).format(keys=count(s.keys), dim=count(s.dim), rho=rho_text(s.rho), law=s.law, seed=s.seed)


def _own(result: Planted) -> tuple[Sweep, int]:
    """Return the sweep with the scenario's own point, and its place."""
    sweep = result.sweep("dim")
    return sweep, sweep.place(float(result.scenario.dim))


def _weight(result: Planted, sweep: Sweep, at: int, place: int) -> Readout:
    rule = result.rules[place]
    value, theory, error = (float(part[place, at]) for part in (sweep.weight, sweep.expected, sweep.error))
    known = math.isfinite(theory)
    return Readout(
        key=f"weight:{rule.name}",
        group=_(GROUP),
        title=_("Weight, {rule}").format(rule=rule.title),
        value=value,
        value_text=share_text(value) if math.isfinite(value) else "–",
        theory=theory if known else None,
        theory_text=_("exact {value}").format(value=share_text(theory)) if known else _("no closed form"),
        **_gauge(value, theory, error, float(sweep.low[place, at]), float(sweep.high[place, at])),
    )


def _found(result: Planted, sweep: Sweep, at: int) -> Readout:
    value, theory = float(sweep.found[at]), float(sweep.found_expected[at])
    known, rows = math.isfinite(theory), max(int(sweep.rows[at]), 1)
    error = math.sqrt(theory * (1.0 - theory) / rows) if known else math.nan
    return Readout(
        key="found",
        group=_(GROUP),
        title=_("Rows where its score is the largest"),
        value=value,
        value_text=share_text(value) if math.isfinite(value) else "–",
        theory=theory if known else None,
        theory_text=_("exact {value}").format(value=share_text(theory)) if known else _("no closed form"),
        **_gauge(value, theory, error, float(sweep.found_low[at]), float(sweep.found_high[at])),
    )


def _gauge(value: float, theory: float, error: float, low: float, high: float) -> dict[str, Any]:
    """Return the 95 % interval and the deviation of a card, where they are known."""
    ends: dict[str, Any] = {}
    if math.isfinite(low) and math.isfinite(high):
        ends = {"low": low, "high": high}
    if not (math.isfinite(value - theory) and math.isfinite(error) and error > 1e-12):
        return ends
    deviation = (value - theory) / error
    tone: Tone = "good" if abs(deviation) <= GOOD else "plain" if abs(deviation) <= DOUBTFUL else "warn"
    words = _("{deviation} SE").format(deviation=signed(deviation))
    return ends | {"deviation": deviation, "deviation_text": words, "tone": tone}


def _limits(result: Planted) -> list[Readout]:
    titles = (("limit:best", _("Most keys, any scale")), ("limit:root", _("Most keys, ÷ √d")))
    limits = limits_along(result.scenario, "keys")
    return [
        Readout(
            key=key,
            group=_(GROUP),
            title=title,
            value=limit.at,
            value_text=number(limit.at, limit.at),
            theory_text=limit.words,
        )
        for (key, title), limit in zip(titles, limits, strict=True)
    ]


def _sweep(result: Planted, sweep: Sweep) -> dict[str, Any]:
    names = ("weight", "low", "high", "expected")
    rules = {
        rule.name: {name: [_plain(x) for x in getattr(sweep, name)[place]] for name in names}
        for place, rule in enumerate(result.rules)
    }
    found = {name: [_plain(x) for x in getattr(sweep, name)] for name in ("found", "found_low", "found_high")}
    found["found_expected"] = [_plain(x) for x in sweep.found_expected]
    return {"at": sweep.at.tolist(), "rows": sweep.rows.tolist(), "rules": rules} | found


def _plain(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


SUMMARY = Summary(headline=headline, readouts=readouts, order=order, caption=caption, numbers=numbers)
