"""What the cases are called and coloured, and what of a scenario this lab leaves aside."""

from attnsim.experiments.spread.cases import Case
from attnsim.experiments.spread.records import Spread
from attnsim.figures.numbers import MINUS
from attnsim.words import _

ROLES = {
    "none": "marked_1",
    "rho": "marked_2",
    "factors": "marked_0",
    "means": "marked_4",
    "mean_q": "marked_4",
    "mean_k": "marked_4",
    "scenario": "marked_5",
}


def plain(value: float) -> str:
    """Write a parameter with as few digits as it has."""
    return f"{value:g}".replace("-", MINUS)


def case_title(case: Case) -> str:
    """Return a case with its numbers, in a few signs."""
    s = case.scenario
    if case.key == "none":
        return _("independent")
    if case.key == "scenario" or s is None:
        return _("as set")
    if case.key == "rho" and s.aligned == "one" and s.keys > 1:
        return _("ρ = {value}, one key").format(value=plain(s.rho))
    if case.key == "rho":
        return _("ρ = {value}").format(value=plain(s.rho))
    if case.key == "factors":
        if s.r_q == s.r_k:
            return _("r = {value}").format(value=plain(s.r_q))
        return _("r = {first}, {second}").format(first=plain(s.r_q), second=plain(s.r_k))
    if case.key == "mean_q":
        return _("μ of q = {value}").format(value=plain(s.mean_q))
    if case.key == "mean_k":
        return _("μ of k = {value}").format(value=plain(s.mean_k))
    if s.mean_q == s.mean_k:
        return _("μ = {value}").format(value=plain(s.mean_q))
    return _("μ = {first}, {second}").format(first=plain(s.mean_q), second=plain(s.mean_k))


def left_aside(result: Spread) -> str:
    """Return what the scenario sets and this lab does not follow, as a sentence; empty where there is nothing."""
    s = result.scenario
    if s.mask != "none" or s.format != "fp64":
        return _("Raw scores of all pairs in double precision: mask and number format do not enter.")
    return ""


def refusals(result: Spread) -> str:
    """Return which cases the law has no room for; empty where it takes all."""
    reasons = dict.fromkeys(case.reason for case in result.refused)
    return _("left out: {reasons}").format(reasons="; ".join(reasons)) if reasons else ""
