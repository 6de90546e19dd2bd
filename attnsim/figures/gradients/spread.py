"""How large gradients are over many rows: a histogram on a logarithmic axis, a plot a rule."""

import math
from functools import lru_cache

import numpy as np

from attnsim.experiments.gradients.records import Gradients
from attnsim.experiments.records import Floats
from attnsim.figures.gradients.words import loss_words, quantity_of, roles, symbol, why_unknown
from attnsim.figures.marks import Axis, Band, Cursor, Figure, Line, Mark, Plot
from attnsim.figures.numbers import count, number
from attnsim.figures.which_d.logarithmic import powers_of_ten
from attnsim.view import View
from attnsim.words import _

BINS = 60
DECADES = 16.0  # of the axis at most; what is smaller stands in the lowest bin
HEADROOM = 1.5


def build(result: Gradients, view: View) -> Figure:
    """Return the histogram of the norms over rows under each rule, with median and root mean square."""
    return _built(result, quantity_of(view))


@lru_cache(maxsize=8)
def _built(result: Gradients, quantity: int) -> Figure:
    spread = result.spread
    axis = None if spread is None else _axis(spread.norms[quantity])
    plots = tuple(_plot(result, quantity, place, axis) for place in range(len(result.rules)))
    rows = _("a single row of this law and size takes too long") if result.too_large else _("drawing…")
    if spread is not None:
        rows = _("{count} rows at d = {dim}").format(count=count(spread.rows), dim=count(result.scenario.dim))
    return Figure(
        key="gradients_spread",
        title=_("{symbol} over draws").format(symbol=symbol(quantity)),
        subtitle=_("{rows} · {loss}").format(rows=rows, loss=loss_words(result, quantity)),
        note=_("solid RMS, dashed median"),
        plots=plots,
        summary=_summary(result, quantity),
    )


def _axis(norms: Floats) -> tuple[float, float] | None:
    """Return the ends of the common axis, as powers of ten; None where nothing is above 0."""
    shown = norms[np.isfinite(norms) & (norms > 0.0)]
    if not shown.size:
        return None
    high = math.log10(float(shown.max())) + 0.1
    low = max(math.log10(float(np.quantile(shown, 0.002))) - 0.1, high - DECADES)
    return min(low, high - 1.0), high


def _plot(result: Gradients, quantity: int, place: int, ends: tuple[float, float] | None) -> Plot:
    rule, role, spread = result.rules[place], roles(result)[place], result.spread
    last = place == len(result.rules) - 1
    norms = np.full(0, np.nan) if spread is None else spread.norms[quantity, place]
    known = norms[np.isfinite(norms)]
    low, high = ends or (-3.0, 0.0)
    x = Axis(
        symbol(quantity) if last else "", 10.0**low, 10.0**high, log=True,
        ticks=powers_of_ten(10.0**low, 10.0**high) if last else (),
    )  # fmt: skip
    heading: tuple[tuple[str, str], ...] = ((rule.title, role),)
    marks: list[Mark] = []
    top = 1.0
    if known.size and spread is not None:
        median, rms = (float(part[0, quantity, place, spread.place]) for part in (spread.median, spread.rms))
        if rms == 0.0:
            heading = (*heading, (_("0 in every row"), "muted"))
        else:
            counts, edges = np.histogram(np.log10(np.maximum(known, 10.0**low)), bins=BINS, range=(low, high))
            shares = counts / known.size
            top = float(shares.max()) or 1.0
            marks += _steps(shares, edges, role, rule.title)
            marks += [Cursor(rms, "ink"), Cursor(max(median, 10.0**low), "ink", dashed=True)]
            words = _("median {median} · RMS {rms}").format(median=number(median), rms=number(rms))
            heading = (*heading, (words, "muted"))
    elif spread is not None:
        heading = (*heading, (why_unknown(result, quantity, place) or _("overflow"), "muted"))
    y = Axis("", 0.0, HEADROOM * top, ticks=())
    return Plot(key=rule.name, x=x, y=y, marks=tuple(marks), heading=heading)


def _steps(shares: Floats, edges: Floats, role: str, label: str) -> list[Mark]:
    """Return the histogram as an area: bars of equal width on a logarithmic axis are not equally wide in it."""
    x = 10.0 ** np.repeat(edges, 2)[1:-1]
    y = np.repeat(shares, 2)
    return [Band(x, np.zeros_like(y), y, role, 0.45, label=label), Line(x, y, role, width=1.0, label=label)]


def _summary(result: Gradients, quantity: int) -> str:
    spread = result.spread
    if spread is None:
        return _("No rows are drawn yet.")
    return "; ".join(
        _("{rule}: median {median}, root mean square {rms}").format(
            rule=rule.title,
            median=number(float(spread.median[0, quantity, place, spread.place])),
            rms=number(float(spread.rms[0, quantity, place, spread.place])),
        )
        for place, rule in enumerate(result.rules)
    )
