"""Median, mean and root mean square of gradients against the dimension, apart, under each rule."""

from functools import lru_cache

import numpy as np

from attnsim.experiments.gradients.records import Gradients
from attnsim.experiments.records import Floats
from attnsim.figures.gradients.words import loss_words, quantity_of, roles, symbol
from attnsim.figures.marks import Axis, Cursor, Dots, Figure, Line, Mark, Plot, Whiskers
from attnsim.figures.numbers import count
from attnsim.figures.which_d.logarithmic import powers_of_ten, written
from attnsim.view import View
from attnsim.words import _

DECADES = 9.0  # of the median's axis at most
STATISTICS = ("rms", "mean", "median")


def build(result: Gradients, view: View) -> Figure:
    """Return three plots over d: root mean square, mean and median, on one kind of axis."""
    return _built(result, quantity_of(view))


@lru_cache(maxsize=8)
def _built(result: Gradients, quantity: int) -> Figure:
    titles = (_("RMS"), _("mean"), _("median"))
    plots = tuple(
        _plot(result, quantity, name, title, last=name == STATISTICS[-1])
        for name, title in zip(STATISTICS, titles, strict=True)
    )
    known = result.spread is not None and bool(np.isfinite(result.spread.theory[quantity]).any())
    return Figure(
        key="gradients_dimension",
        title=_("{symbol} against d").format(symbol=symbol(quantity)),
        subtitle=loss_words(result, quantity),
        note=_("line at RMS: theory") if known else _("no closed form"),
        plots=plots,
        summary=_summary(result, quantity),
    )


def _plot(result: Gradients, quantity: int, name: str, title: str, *, last: bool) -> Plot:
    spread = result.spread
    if spread is None:
        words = _("too large") if result.too_large else _("drawing…")
        return Plot(
            key=name, x=Axis("", ticks=()), y=Axis("", ticks=()), marks=(), heading=((title, "ink"), (words, "muted"))
        )
    values: Floats = getattr(spread, name)[:, quantity]
    dims = spread.dims.astype(np.float64)
    y = _axis(values[0], spread.theory[quantity] if name == "rms" else values[0])
    marks: list[Mark] = [Cursor(float(result.scenario.dim), "muted", dashed=True)]
    for place, (rule, role) in enumerate(zip(result.rules, roles(result), strict=True)):
        if name == "rms":
            marks.append(Line(dims, _inside(spread.theory[quantity, place], y), "ink", width=1.1, label=_("theory")))
        middle, low, high = (_inside(part[place], y) for part in values)
        marks.append(Line(dims, middle, role, width=0.9, dashed=name == "rms", label=rule.title))
        marks.append(Whiskers(dims, np.maximum(low, y.low), high, role, label=rule.title))
        marks.append(Dots(dims, middle, role, size=4.5, label=rule.title))
    far = max(dims[-1] * 1.3, dims[0] * 2.0)
    shown = dims[:: 2 if dims.size > 7 else 1]
    ticks = tuple((float(dim), written(float(dim))) for dim in shown) if last else ()
    x = Axis(_("dimension d") if last else "", dims[0] * 0.8, far, log=True, ticks=ticks)
    heading: tuple[tuple[str, str], ...] = ((title, "ink"),)
    if name == STATISTICS[0]:
        heading = (*heading, *((rule.title, role) for rule, role in zip(result.rules, roles(result), strict=True)))
    return Plot(key=name, x=x, y=y, marks=tuple(marks), heading=heading)


def _inside(values: Floats, y: Axis) -> Floats:
    """Return the values that a logarithmic axis can show; nan for the others."""
    return np.where(values >= y.low, values, np.nan)


def _axis(values: Floats, theory: Floats) -> Axis:
    both = np.concatenate((values, theory), axis=None)
    shown = both[np.isfinite(both) & (both > 0.0)]
    high = float(shown.max()) if shown.size else 1.0
    low = max(float(shown.min()), high * 10.0**-DECADES) if shown.size else 0.1
    low, high = low * 0.6, high * 1.5 * max(1.0, (high / low) ** 0.28)  # room for the heading
    return Axis("", low, high, log=True, ticks=powers_of_ten(low, high))


def _summary(result: Gradients, quantity: int) -> str:
    spread = result.spread
    if spread is None:
        return _("No rows are drawn yet.")
    said = []
    for place, rule in enumerate(result.rules):
        first, last = (float(part[0, quantity, place, -1]) for part in (spread.median, spread.rms))
        said.append(
            _("{rule}: the root mean square at d = {dim} is {ratio} times the median").format(
                rule=rule.title, dim=count(int(spread.dims[-1])), ratio=written_ratio(last, first)
            )
        )
    return "; ".join(said)


def written_ratio(above: float, below: float) -> str:
    """Write how many times one number is another; "∞" over 0."""
    if not below > 0.0:
        return "–" if not above > 0.0 else "∞"
    ratio = above / below
    return f"{ratio:.2f}" if ratio < 100.0 else f"{ratio:.1e}"
