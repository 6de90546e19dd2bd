"""What is said of masks."""

import math
from typing import Any

from attnsim.experiments.masks.records import Masks
from attnsim.experiments.tally import Means
from attnsim.figures.masks.places import NORMAL, deviation, short_title, shown_rule
from attnsim.figures.numbers import count, number, share_text, signed
from attnsim.figures.readouts import DOUBTFUL, GOOD, Readout, Tone
from attnsim.figures.summaries import Summary
from attnsim.view import View
from attnsim.words import _, mark

SPREADS, WEIGHTS = mark("Spread of what is seen"), mark("Largest weight")


def headline(result: Masks, view: View) -> tuple[str, str]:
    """Return what masks do to spread and weights, and the sizes."""
    s = result.scenario
    if s.keys == 1:
        title = _("One key: a mask can only show it or hide it")
    elif s.mask_size >= s.keys:
        title = _("The masks' number is as large as the row: window, random and top k hide nothing")
    else:
        title = _("A mask changes n and not the spread; keeping the largest scores shrinks it")
    words = _("d = {dim}, n = {keys}, mask size {size} · the row of the last query")
    detail = words.format(dim=count(s.dim), keys=count(s.keys), size=count(s.mask_size))
    if s.aligned == "one" and s.rho and s.keys > 1:
        detail += _(" · one aligned key: no theory for the weights")
    return title, detail


def readouts(result: Masks, view: View) -> tuple[Readout, ...]:
    """Return, for each mask, spread and largest weight under the view's rule."""
    number_of, _rule = shown_rule(result, view)
    names = tuple(enumerate(result.masks))
    spreads = [_card(result, "spread", result.spread, (place,), name) for place, name in names]
    weights = [_card(result, "largest", result.largest, (place, number_of), name) for place, name in names]
    return (*spreads, *weights)


def order(result: Masks, view: View) -> tuple[str, ...]:
    """Return the cards' keys, the most telling first."""
    first = [name for name in ("none", "top_k", "window") if name in result.masks]
    rest = [name for name in result.masks if name not in first]
    return tuple(f"{kind}:{name}" for name in (*first, *rest) for kind in ("spread", "largest"))


def numbers(result: Masks, view: View) -> dict[str, Any]:
    """Return spread, largest weight and entropy of each mask, under each rule."""
    masks = {
        name: {
            "seen": int(result.seen[place]),
            "spread": _numbers(result.spread, (place,)),
            "rules": {
                rule.name: {
                    "largest_weight": _numbers(result.largest, (place, at)),
                    "entropy": _numbers(result.entropy, (place, at)),
                }
                for at, rule in enumerate(result.rules)
            },
        }
        for place, name in enumerate(result.masks)
    }
    sparse = {name: _numbers(result.sparse, (at,)) for at, name in enumerate(("scaled_up", "as_they_are"))}
    empty = {"zeros": result.empty.zeros.tolist(), "nan": None, "uniform": result.empty.uniform.tolist()}
    top = {
        "k": result.selection.at.tolist(),
        "spread": [_plain(x) for x in result.selection.spread.value],
        "theory": [_plain(x) for x in result.selection.spread.expected],
    }
    return {"rows": result.rows, "masks": masks, "sparse": sparse, "top_k": top, "empty_row": empty}


def caption(result: Masks) -> str:
    """Return what was drawn."""
    s = result.scenario
    return _(
        "{rows} rows of {keys} keys of dimension {dim} under every mask of size {size}; law {law}, seed {seed}."
    ).format(
        rows=count(result.rows), keys=count(s.keys), dim=count(s.dim), size=count(s.mask_size), law=s.law, seed=s.seed
    )


def _card(result: Masks, kind: str, means: Means, place: tuple[int, ...], name: str) -> Readout:
    value, expected, error = (float(part[place]) for part in (means.value, means.expected, means.error))
    group, write = (SPREADS, number) if kind == "spread" else (WEIGHTS, share_text)
    silent = kind == "largest" and name == "top_k"
    approximate = kind == "spread" and name == "top_k" and int(result.seen[place[0]]) < result.scenario.keys
    z = None if approximate else deviation(value, expected, error)  # theory of many keys: no error to be judged by
    tone: Tone = "plain"
    if z is not None:
        tone = "good" if abs(z) <= GOOD else "plain" if abs(z) <= DOUBTFUL else "warn"
    theory = _("theory {value}") if not approximate else _("many keys {value}")
    known = math.isfinite(expected)
    return Readout(
        key=f"{kind}:{name}",
        group=_(group),
        title=_("{what}, {mask}").format(
            what=_("Spread") if kind == "spread" else _("Largest weight"), mask=short_title(name)
        ),
        value=value,
        value_text=write(value) if math.isfinite(value) else "–",
        theory=expected if known else None,
        theory_text=theory.format(value=write(expected))
        if known
        else _("depends on the scores")
        if silent
        else _("no closed form"),
        low=value - NORMAL * error if math.isfinite(error) else None,
        high=value + NORMAL * error if math.isfinite(error) else None,
        deviation=z,
        deviation_text="" if z is None else _("{deviation} SE").format(deviation=signed(z)),
        tone=tone,
    )


def _numbers(means: Means, place: tuple[int, ...]) -> dict[str, float | None]:
    value, expected, error = (float(part[place]) for part in (means.value, means.expected, means.error))
    return {
        "value": _plain(value),
        "low": _plain(value - NORMAL * error),
        "high": _plain(value + NORMAL * error),
        "theory": _plain(expected),
        "standard_errors": deviation(value, expected, error),
    }


def _plain(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


SUMMARY = Summary(headline=headline, readouts=readouts, order=order, caption=caption, numbers=numbers)
