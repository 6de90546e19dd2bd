"""Sums by the order of adding up."""

import numpy as np

from attnsim.experiments.estimates import NORMAL_QUANTILE
from attnsim.experiments.formats.record import NAMES, NARROW, ORDERS, Formats
from attnsim.figures.formats import shared
from attnsim.figures.marks import Axis, Dots, Figure, Line, Mark, Plot, Text, Whiskers
from attnsim.figures.numbers import count, number
from attnsim.theory.number_formats import stagnation
from attnsim.view import View
from attnsim.words import _

# format -> where its name stands: count, share, anchor; clear of the lines and dots
LABELLED = {
    "fp16": (65_536.0, 0.3, (1.0, 0.5)),
    "bf16": (3000.0, 0.018, (0.5, 0.5)),
    "fp8_e4m3": (200.0, 0.3, (0.5, 0.5)),
    "fp8_e5m2": (100.0, 0.05, (1.0, 0.5)),
}
STYLES = (("ink", False), ("ink", True), ("accent", False))  # role and hollow, by order


def build(result: Formats, view: View) -> Figure:
    """Draw what n ones add up to, and the error of q . k against d, for each order."""
    name = shared.narrow_of(view)
    return Figure(
        key="formats_order",
        title=_("The order of adding up"),
        subtitle=_("filled: left to right · hollow: pairwise · colour: fp32 inside"),
        note=_("line: theory"),
        plots=(_flat(result), _products(result, name)),
        summary=_summary(result, name),
    )


def _flat(result: Formats) -> Plot:
    marks: list[Mark] = []
    if result.sums is not None:
        counts = result.sums.counts
        for name, (x, y, anchor) in LABELLED.items():
            place = NAMES.index(name)
            label = _("{format}: n ones from left to right stop at 2^p").format(format=name)
            marks.append(Line(counts, result.sums.flat_exact[place], "ink", label=label))
            found = result.sums.flat[place, 0]
            label = _("{format}, {order}").format(format=name, order=shared.order_title(ORDERS[0]))
            marks.append(Dots(counts, found, "ink", size=4.0, label=label))
            marks.append(Text(x, y, shared.short(name), "ink", anchor, bold=True))
        label = _("{format}, {order}").format(format="fp16", order=shared.order_title(ORDERS[1]))
        marks.append(Dots(counts, result.sums.flat[NAMES.index("fp16"), 1], "ink", size=6.0, hollow=True, label=label))
    return Plot(
        key="flat",
        x=shared.dims_axis(label=_("n ones")),
        y=Axis(_("their sum / n"), 6e-5, 2.5, log=True, ticks=shared.powers(-4, 0, 1)),
        marks=tuple(marks),
    )


def _products(result: Formats, name: str) -> Plot:
    marks: list[Mark] = []
    low, high = 1e-3, 1.0
    if result.sums is not None:
        sums, place = result.sums, NARROW.index(name)
        known = np.concatenate([part[place].ravel() for part in (sums.error, sums.predicted)])
        known = known[np.isfinite(known) & (known > 0.0)]
        if known.size:
            low, high = float(known.min()) / 3.0, float(known.max()) * 8.0
        for order, (role, hollow) in enumerate(STYLES):
            title = shared.order_title(ORDERS[order])
            label = _("theory, {order}").format(order=title)
            marks.append(Line(sums.dims, sums.predicted[place, order], "ink", label=label))
            error, reach = sums.error[place, order], NORMAL_QUANTILE * sums.spread[place, order]
            label = _("computed, {order}").format(order=title)
            marks.append(Whiskers(sums.dims, np.maximum(error - reach, low), error + reach, role, 1.5, label))
            marks.append(Dots(sums.dims, error, role, size=5.0, hollow=hollow, label=label))
    first, last = int(np.ceil(np.log10(low))), int(np.floor(np.log10(high)))
    every = max(1, (last - first + 2) // 3)
    return Plot(
        key="products",
        x=shared.dims_axis(2.8),
        y=Axis(
            _("rms error / √d"),
            low,
            high,
            log=True,
            ticks=shared.powers(first, last, every),
        ),
        marks=tuple(marks),
        heading=((shared.short(name), "ink"), (_("q·k of standard normals"), "muted")),
    )


def _summary(result: Formats, name: str) -> str:
    sentence = _("From left to right n ones stop growing at {stop} in {format}.").format(
        stop=count(int(stagnation(name))), format=name
    )
    if result.sums is None or not np.isfinite(result.sums.error[NARROW.index(name), :, -1]).any():
        return sentence
    worst = result.sums.error[NARROW.index(name), :, 4]
    detail = _(
        "At d = 1,024 q·k errs by {chain} standard deviations from left to right and {once} with fp32 inside."
    ).format(chain=number(float(worst[0])), once=number(float(worst[2])))
    return f"{sentence} {detail}"
