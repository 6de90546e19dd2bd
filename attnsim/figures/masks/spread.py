"""The spread of the scores that a mask leaves, and the scale that makes it 1."""

import math

import numpy as np

from attnsim.experiments.masks.records import Masks
from attnsim.experiments.tally import Means
from attnsim.figures.marks import Axis, Figure, Plot, Table
from attnsim.figures.masks.places import dots, mask_axis, short_title, strokes
from attnsim.figures.numbers import count, number, ticks
from attnsim.view import View
from attnsim.words import _


def build(result: Masks, view: View) -> Figure:
    """Draw the standard deviation of the seen scores divided by the root of d, and tabulate the factor that gives 1."""
    root = math.sqrt(result.scenario.dim)
    spread = result.spread
    known = np.concatenate([spread.value, spread.expected]) / root
    top = 1.25 * float(np.nanmax(known)) if np.isfinite(known).any() else 1.0
    top = top if top > 0.0 else 1.0
    places = np.arange(len(result.masks), dtype=np.float64)
    marks = (
        *strokes(places, spread.expected / root, 0.25),
        *dots(places, spread, "row_band", _("measured"), factor=1.0 / root),
    )
    y = Axis(_("spread ÷ √d"), 0.0, top, ticks=ticks(0.0, top, 4))
    return Figure(
        key="masks_spread",
        title=_("The spread that is left"),
        subtitle=_("of the scores the last query sees · dots: {rows} rows, 95 %").format(rows=count(result.rows)),
        note=_("stroke: theory"),
        plots=(Plot(key="spread", x=mask_axis(result), y=y, marks=marks),),
        summary=_("A mask that does not look at the scores leaves their spread alone; the largest scores lie closer."),
        table=table(result),
    )


def table(result: Masks) -> Table:
    """Return what is left under each mask, and of sparse components that are scaled up or raw, and what makes it 1."""
    heads = (_("mask"), _("keys seen"), _("spread ÷ √d"), _("theory"), _("c for c/√d"))
    entries = [
        (short_title(name), int(result.seen[place]), result.spread, place) for place, name in enumerate(result.masks)
    ]
    keys = result.scenario.keys
    entries.append((_("sparse"), keys, result.sparse, 0))
    entries.append((_("sparse, raw"), keys, result.sparse, 1))
    rows, values = zip(*(_row(result, *entry) for entry in entries), strict=True)
    return Table(heads, rows, values=values)


def _row(
    result: Masks, title: str, seen: int, means: Means, place: int
) -> tuple[tuple[str, ...], tuple[float | str, ...]]:
    root = math.sqrt(result.scenario.dim)
    value, expected = float(means.value[place]), float(means.expected[place])
    best = expected if math.isfinite(expected) else value
    factor = root / best if best > 0.0 else math.nan
    numbers = (value / root, expected / root, factor)
    return (title, count(seen), *(number(each) for each in numbers)), (title, float(seen), *numbers)
