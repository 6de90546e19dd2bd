"""Until where a planted key can be found: with the best factor, and when scores are divided by the root of d."""

import math
from dataclasses import dataclass

from attnsim.figures.numbers import MINUS
from attnsim.scenario import Scenario
from attnsim.words import _


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit: where it stands along a field (nan where it has no place), its words and how it is drawn."""

    at: float
    words: str
    role: str
    dashed: bool


def limits_along(scenario: Scenario, axis: str) -> tuple[Limit, Limit]:
    """Return the limit n = exp(rho^2 d/2) of any factor, and n = exp(rho sqrt(d) - 1/2) of 1/sqrt(d), along a field."""
    log_keys, dim, rho = math.log(scenario.keys), float(scenario.dim), scenario.rho
    if axis == "dim":
        best = 2.0 * log_keys / rho**2 if rho > 0.0 else math.nan
        root = ((log_keys + 0.5) / rho) ** 2 if rho > 0.0 else math.nan
    elif axis == "keys":
        best, root = _grown(0.5 * rho**2 * dim if rho > 0.0 else 0.0), _grown(rho * math.sqrt(dim) - 0.5)
    else:
        best, root = math.sqrt(2.0 * log_keys / dim), (log_keys + 0.5) / math.sqrt(dim)
    return (
        Limit(best, _("n = exp(ρ²d/2)"), "ink", False),
        Limit(root, _("n = exp(ρ√d − ½)"), "muted", True),
    )


def _grown(exponent: float) -> float:
    return math.exp(exponent) if exponent < 700.0 else math.inf


def rho_text(rho: float) -> str:
    """Write a correlation with as few digits as it has."""
    return f"{rho:.4g}".replace("-", MINUS)


def set_aside(scenario: Scenario) -> str:
    """Return what of the scenario this lab does not draw, as a few words; empty where it draws all."""
    parts = []
    if scenario.mask != "none":
        parts.append(_("the mask is set aside here"))
    if scenario.format != "fp64":
        parts.append(_("the number format is set aside here"))
    return " · ".join(parts)
