"""Everything theory says of one scenario and one rule, by the names that programs read."""

import math
from dataclasses import asdict
from typing import Any

from attnsim.choices.scalings import Rule
from attnsim.experiments.closed_forms import ScoreMoments, score_moments
from attnsim.experiments.expectations import SoftmaxTheory, seen, softmax_theory, spread_theory
from attnsim.scenario import Scenario
from attnsim.words import _

RAW = ("mean", "variance", "within_row_variance", "between_row_variance", "skewness", "excess_kurtosis")


def closed_record(scenario: Scenario, rule: Rule) -> dict[str, Any]:
    """Return moments of the raw score, and the softmax under a rule.

    Parameters
    ----------
    scenario : Scenario
    rule : Rule

    Returns
    -------
    dict
        `mean variance within_row_variance between_row_variance skewness excess_kurtosis` of the raw score,
        `score_sd entropy_mean largest_weight_mean sum_p2_mean jacobian_norm2_mean condensation_threshold
        optimal_scale scaling multiplier method seconds notes`. None where there is no closed form, or the
        moment does not exist; `notes` says which.
    """
    moments = score_moments(scenario)
    softmax = softmax_theory(scenario, rule)
    within = None if moments.within_row_variance is None else float(moments.within_row_variance)
    best = 1.0 / math.sqrt(within) if within and scenario.keys > 1 else None
    return (
        {name: getattr(moments, name) for name in RAW}
        | _softmax(softmax, max(1, seen(scenario)))
        | {
            "optimal_scale": best,
            "multiplier": float(rule.multiplier(scenario.dim)) if rule.is_linear else None,
            "notes": [note for note in (_missing(scenario, moments), softmax.note) if note],
        }
    )


def spread_record(keys: float, score_sd: float) -> dict[str, Any]:
    """Return the same for a given spread of the scaled scores: the raw score's moments are None.

    Raises
    ------
    ValueError
        If `keys` or `score_sd` lies outside what theory covers.
    """
    softmax = spread_theory(keys, score_sd)
    return (
        dict.fromkeys(RAW)
        | _softmax(softmax, keys)
        | {
            "optimal_scale": 1.0 / score_sd if score_sd > 0.0 else None,
            "multiplier": None,
            "notes": [
                _("the spread is given: nothing is said of raw scores, and optimal_scale is a factor of these scores")
            ],
        }
    )


def _softmax(found: SoftmaxTheory, keys: float) -> dict[str, Any]:
    known = asdict(found)
    known.pop("note")
    return known | {"condensation_threshold": math.sqrt(2.0 * math.log(keys))}


def _missing(scenario: Scenario, moments: ScoreMoments) -> str:
    """Return which moments of the raw score are None, and why."""
    missing = [name for name in RAW if getattr(moments, name) is None]
    if not missing:
        return ""
    if scenario.law == "student_t":
        return _("{names}: with {nu:g} degrees of freedom they do not exist, or have no closed form").format(
            names=", ".join(missing), nu=scenario.nu
        )
    return _("{names}: no closed form for this combination").format(names=", ".join(missing))
