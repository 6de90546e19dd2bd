"""The claim that scores easily reach 100 and exp(100) overflows, taken apart."""

import math

import numpy as np

from attnsim.experiments.estimates import NORMAL_QUANTILE
from attnsim.experiments.formats.record import NAMES, Formats
from attnsim.figures.formats import shared
from attnsim.figures.marks import Axis, Cursor, Dots, Figure, Line, Mark, Plot, Whiskers
from attnsim.figures.numbers import count, number
from attnsim.view import View
from attnsim.words import _

LEAST = 1e-12


def build(result: Formats, view: View) -> Figure:
    """Draw P(|score| > claim) against d, for one score and for the scores of n queries and n keys."""
    claim = claim_text(result)
    keys = result.scenario.keys
    plot = Plot(
        key="beyond",
        x=shared.dims_axis(),
        y=Axis(_("P(|q·k| > {claim})").format(claim=claim), LEAST, 10.0 * max(1.0, keys**2.0), log=True,
               ticks=shared.powers(-12, max(0, 2 * round(math.log10(keys))), 4)),
        marks=tuple(_marks(result)),
        heading=((_("one score"), "ink"), (_("expected among n × n, n = {keys}").format(keys=count(keys)), "muted")),
    )  # fmt: skip
    return Figure(
        key="formats_claim",
        title=_("“exp({claim}) overflows”").format(claim=claim),
        subtitle=verdict(result),
        note=_("dots: drawn"),
        plots=(plot,),
        summary=summary(result),
    )


def _marks(result: Formats) -> list[Mark]:
    marks: list[Mark] = [Cursor(float(result.scenario.dim), "muted", dashed=True), Cursor(1.0, "grid", across=True)]
    if result.chances is not None:
        dims, chance = result.chances.dims, result.chances.beyond
        shown = np.where(chance >= LEAST / 100.0, chance, np.nan)
        many = result.scenario.keys**2.0
        amount = np.where(chance * many >= LEAST / 100.0, chance * many, np.nan)
        marks.append(Line(dims, amount, "muted", dashed=True, label=_("expected number among n × n scores")))
        marks.append(Line(dims, shown, "ink", width=1.5, label=_("exact chance of one score")))
    if result.drawn is not None:
        share, error = result.drawn.beyond, result.drawn.beyond_error
        some = share > 0.0
        x = result.drawn.dims[some]
        low = np.maximum(share - NORMAL_QUANTILE * error, LEAST)[some]
        high = (share + NORMAL_QUANTILE * error)[some]
        marks.append(Whiskers(x, low, high, "rule_none", 1.5, _("drawn, 95 % interval")))
        marks.append(Dots(x, share[some], "rule_none", 5.0, label=_("share of drawn scores")))
    return marks


def claim_text(result: Formats) -> str:
    """Return the claimed score as it was typed."""
    return f"{result.claim:g}"


def holds(result: Formats) -> tuple[list[str], list[str]]:
    """Return the formats in which exp of the claimed score overflows, and those in which it does not."""
    over = [name for name, limit in zip(NAMES, result.limits.overflow, strict=True) if result.claim > limit]
    return over, [name for name in NAMES if name not in over]


def verdict(result: Formats) -> str:
    """Return in which formats exp of the claimed score overflows."""
    over, inside = holds(result)
    claim = claim_text(result)
    if not over:
        return _("exp({claim}) overflows in none of the formats").format(claim=claim)
    if not inside:
        return _("exp({claim}) overflows in all of the formats").format(claim=claim)
    return _("exp({claim}) is finite in {inside}; minus the maximum, in all").format(
        claim=claim, inside=", ".join(shared.short(name) for name in inside)
    )


def summary(result: Formats) -> str:
    """Return what is seen."""
    claim, dim = claim_text(result), count(result.scenario.dim)
    chance = result.own_beyond
    if not math.isfinite(chance):
        return f"{verdict(result)}."
    return _("At d = {dim} one score in {many} is beyond {claim} in size. {verdict}.").format(
        dim=dim, claim=claim, many=number(1.0 / chance, 1e4) if chance > 0.0 else "∞", verdict=verdict(result)
    )
