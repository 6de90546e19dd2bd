"""All formats side by side."""

import math

from attnsim.experiments.formats.record import NAMES, NARROW, WAYS, Formats
from attnsim.figures.formats import shared
from attnsim.figures.marks import Figure, Table
from attnsim.figures.numbers import number
from attnsim.view import View
from attnsim.words import _


def build(result: Formats, view: View) -> Figure:
    """List limits, rows lost and errors of every format under the rule that is looked at."""
    rule, _role = shared.rule_shown(result, view)
    rows, values = zip(*(_row(result, view, name) for name in NAMES), strict=True)
    return Figure(
        key="formats_table",
        title=_("All formats, {rule}").format(rule=rule.title),
        subtitle=_("lost: naive · error: stable · theory: logits rounded only"),
        note="",
        plots=(),
        summary=_("{count} formats: exp overflows beyond {numbers}.").format(
            count=len(NAMES),
            numbers=", ".join(
                f"{limit:.2f} ({name})" for name, limit in zip(NAMES, result.limits.overflow, strict=True)
            ),
        ),
        table=Table(
            heads=(_("format"), _("exp to"), _("lost"), _("error"), _("theory")),
            rows=rows,
            values=values,
        ),
    )  # fmt: skip


def _row(result: Formats, view: View, name: str) -> tuple[tuple[str, ...], tuple[float | str, ...]]:
    place = NAMES.index(name)
    rule = shared.rule_place(result, view)
    lost = math.nan if result.drawn is None else float(result.drawn.row_overflow[rule, place, -1])
    error = theory = math.nan
    if result.rounding is not None and name in NARROW:
        column = NARROW.index(name)
        error = float(result.rounding.error[rule, column, WAYS.index("stable")])
        theory = float(result.rounding.predicted[rule, column])
    overflow = float(result.limits.overflow[place])
    cells = (shared.short(name), f"{overflow:.2f}", shared.percent(lost), _short(error), _short(theory))
    return cells, (name, overflow, lost, error, theory)


def _short(error: float) -> str:
    return number(error) if not 0.0 < error < 1e-3 else number(float(f"{error:.1e}"))
