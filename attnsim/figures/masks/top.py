"""What is left when only the k largest scores are kept."""

import numpy as np

from attnsim.experiments.masks.records import Masks
from attnsim.figures.marks import Axis, Cursor, Figure, Line, Plot, Text
from attnsim.figures.masks.places import dots
from attnsim.figures.numbers import count, ticks
from attnsim.figures.planted.curves import field_axis
from attnsim.view import View
from attnsim.words import _

SHARES = ticks(0.0, 1.0, 4)


def build(result: Masks, view: View) -> Figure:
    """Draw, against k, the spread of the k largest scores and by how many of the k keys the weight is shared."""
    selection, keys = result.selection, float(result.scenario.keys)
    k = selection.at.astype(np.float64)
    x = field_axis("keys", float(k[0]) if k[0] < k[-1] else 0.7 * float(k[0]), max(keys, 2.0))
    x = Axis(_("keys kept, k"), x.low, x.high, log=True, ticks=x.ticks)
    here = Cursor(min(float(result.scenario.mask_size), keys), "muted", dashed=True)
    spread = Plot(
        key="spread",
        x=Axis("", x.low, x.high, log=True, ticks=x.ticks),
        y=Axis(_("spread, of 1"), 0.0, 1.05, ticks=SHARES),
        marks=(
            Line(k, selection.spread.expected, "ink", label=_("theory, many keys")),
            *dots(k, selection.spread, "row_band", _("measured")),
            here,
        ),
    )
    shared = Plot(
        key="shared",
        x=x,
        y=Axis(_("share of k in use"), 0.0, 1.5, ticks=SHARES),
        marks=(
            *dots(k, selection.shared, "rule_inverse_sqrt", _("scale as without a mask")),
            *dots(k, selection.rescaled, "rule_optimal", _("divided by the spread that is left")),
            here,
            Text(x.high / 1.05, 1.4, _("scale as without a mask"), "rule_inverse_sqrt", (1.0, 0.5), bold=True),
            Text(x.high / 1.05, 1.22, _("divided by the spread that is left"), "rule_optimal", (1.0, 0.5), bold=True),
        ),
        weight=1.3,
    )
    return Figure(
        key="masks_top",
        title=_("The k largest scores"),
        subtitle=_("of {keys} keys with scores of spread 1 · dots: measured, 95 %").format(keys=count(int(keys))),
        note=_("line: theory"),
        plots=(spread, shared),
        summary=_summary(result),
    )


def _summary(result: Masks) -> str:
    selection = result.selection
    at = int(np.argmin(np.abs(selection.at - min(result.scenario.mask_size, result.scenario.keys))))
    value = float(selection.spread.value[at])
    if not np.isfinite(value):
        return _("The largest scores are not drawn yet.")
    return _(
        "The {k} largest of {keys} scores of spread 1 have spread {value:.2f}: their weights are nearly alike."
    ).format(k=count(int(selection.at[at])), keys=count(result.scenario.keys), value=value)
