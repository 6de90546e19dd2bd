"""All formats side by side."""

import math

from attnsim.experiments.formats.record import NAMES, NARROW, WAYS, Formats
from attnsim.figures.formats import shared
from attnsim.figures.marks import Figure, Table
from attnsim.figures.numbers import number
from attnsim.theory.number_formats import format_limits
from attnsim.view import View
from attnsim.words import _


def build(result: Formats, view: View) -> Figure:
    """List limits, rows lost and errors of every format under the rule that is looked at."""
    rule, _role = shared.rule_shown(result, view)
    rows, values = zip(*(_row(result, view, name) for name in NAMES), strict=True)
    return Figure(
        key="formats_table",
        title=_("Number formats under {rule}").format(rule=rule.title),
        subtitle=_("lost: rows with inf or nan, drawn · errors: rms |p′ − p|"),
        note="",
        plots=(),
        summary=_("{count} formats: exp overflows beyond {numbers}.").format(
            count=len(NAMES),
            numbers=", ".join(
                f"{limit:.2f} ({name})" for name, limit in zip(NAMES, result.limits.overflow, strict=True)
            ),
        ),
        table=Table(
            heads=(
                _("format"), _("digits"), _("largest"), _("exp overflows at"), _("exp is 0 below"), _("lost, naive"),
                _("lost, stable"), _("error, stable"), _("logits alone"), _("theory"),
            ),
            rows=rows,
            values=values,
        ),
    )  # fmt: skip


def _row(result: Formats, view: View, name: str) -> tuple[tuple[str, ...], tuple[float | str, ...]]:
    place, known = NAMES.index(name), format_limits(name)
    rule = shared.rule_place(result, view)
    lost = math.nan if result.drawn is None else float(result.drawn.row_overflow[rule, place, -1])
    stable = error = alone = theory = math.nan
    if result.rounding is not None and name in NARROW:
        column = NARROW.index(name)
        stable = float(result.rounding.lost[rule, column, WAYS.index("stable")])
        error = float(result.rounding.error[rule, column, WAYS.index("stable")])
        alone = float(result.rounding.error[rule, column, WAYS.index("scores")])
        theory = float(result.rounding.predicted[rule, column])
    limits = float(result.limits.largest[place]), float(result.limits.overflow[place]), float(result.limits.zero[place])
    cells = (
        name, str(known.digits), number(limits[0]), f"{limits[1]:.2f}", f"{limits[2]:.2f}".replace("-", "−"),
        shared.percent(lost), shared.percent(stable), number(error), number(alone), number(theory),
    )  # fmt: skip
    return cells, (name, float(known.digits), *limits, lost, stable, error, alone, theory)
