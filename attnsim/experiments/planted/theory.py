"""What theory says of a planted key in a scenario."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.choices.scalings import Rule
from attnsim.experiments.closed_forms import score_moments
from attnsim.scenario import Scenario
from attnsim.theory import planted_weights as exact
from attnsim.words import _

Floats = NDArray[np.float64]


def planted(scenario: Scenario) -> Scenario:
    """Return what the lab draws: key 0 alone is aligned, every key is seen, nothing is rounded."""
    return scenario.but(aligned="one", mask="none", format="fp64", section=None)


def why_silent(scenario: Scenario) -> str:
    """Return why the planted key's mean weight has no closed form; empty where it has one."""
    if scenario.law not in ("normal", "sign"):
        return _("no closed form: given the query, scores of {law} keys are not normal").format(law=scenario.law)
    if scenario.mean_q:
        return _("no closed form here: the query has a mean")
    if scenario.r_q or scenario.r_k:
        return _("no closed form here: components of one vector are correlated")
    return ""


def rules_for(scenario: Scenario) -> tuple[Rule, ...]:
    """Return the rules at a scenario's own dimension and keys."""
    if not any(rule.scaling.reads_spread for rule in scenario.rules):
        return scenario.rules
    variance = score_moments(scenario).within_row_variance
    spread = np.array([np.nan if variance is None else np.sqrt(variance)])
    return scenario.rules_of(scenario.sight(scenario.keys - 1), steps=np.array([float(scenario.dim)]), spread=spread)


def mean_weights(scenario: Scenario) -> Floats:
    """Return the exact mean weight of the planted key under each rule, shape (rules,); nan where there is none."""
    rules = rules_for(scenario)
    found = np.full(len(rules), np.nan)
    if why_silent(scenario):
        return found
    for place, factor in enumerate(factors(scenario, rules)):
        if np.isfinite(factor) and factor > 0.0:
            found[place] = float(of_keys(scenario, [scenario.keys], factor)[0])
    return found


def factors(scenario: Scenario, rules: tuple[Rule, ...]) -> list[float]:
    """Return the rules' factors of a score of components of unit variance; nan for a rule that is no factor."""
    scale = scenario.sigma_q * scenario.sigma_k
    return [scale * float(rule.factor(scenario.dim)) for rule in rules]


def of_keys(scenario: Scenario, keys: ArrayLike, factor: float) -> Floats:
    """Return the exact mean weight for some numbers of keys, shape (keys,)."""
    if scenario.law == "sign":
        return exact.sign_planted_weights(scenario.dim, keys, scenario.rho, factor)
    return exact.planted_weights(scenario.dim, keys, scenario.rho, factor)


def found_chances(scenario: Scenario, keys: ArrayLike) -> Floats:
    """Return the exact chance that the planted score is the largest, for some numbers of keys; nan where none is."""
    if why_silent(scenario):
        return np.full(np.shape(keys), np.nan)
    if scenario.law == "sign":
        return exact.sign_found_chances(scenario.dim, keys, scenario.rho)
    return exact.found_chances(scenario.dim, keys, scenario.rho)
