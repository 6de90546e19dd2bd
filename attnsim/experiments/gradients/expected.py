"""What theory says of the root mean square of gradients over draws."""

import math

import numpy as np

from attnsim.choices.scalings import Rule
from attnsim.experiments.expectations import COMPONENTS, why_none
from attnsim.experiments.gradients.records import QUANTITIES
from attnsim.experiments.records import Floats
from attnsim.scenario import Scenario

WHITE = ("random", "one_key")  # upstream gradients that pass, on average over keys, as a white one of length 1


def rms_by_theory(scenario: Scenario, rules: tuple[Rule, ...], dim: int) -> Floats:
    """Return the root mean squares at a dimension, shape (quantities, rules); nan where there is no closed form.

    Parameters
    ----------
    scenario : Scenario
        With the lab's section.
    rules : tuple of Rule
    dim : int

    Notes
    -----
    With p exchangeable: E |J g|^2 = E |J|_F^2/n for a random g of length 1 and for one key; cross-entropy on one key
    has E |p - 1|^2 = 1 - 2/n + E sum p^2, on the largest 1 - 2 E max p + E sum p^2.
    """
    from attnsim.theory import exchangeable
    from attnsim.theory.row_spread import averaged_expectations, row_spreads

    rms = np.full((len(QUANTITIES), len(rules)), np.nan)
    if scenario.law != "normal" or why_none(scenario) or (scenario.rho and (scenario.r_q or scenario.r_k)):
        return rms  # with both, the rest of a query tells of its first components
    if scenario.keys == 1:  # its weight is 1, whatever its score
        rms[:, np.isfinite([float(rule.factor(dim)) for rule in rules])] = 0.0
        return rms
    keys, kind = float(scenario.keys), scenario.section.upstream
    axes = exchangeable.axes(float(dim), **{name: float(getattr(scenario, name)) for name in COMPONENTS})
    for number, rule in enumerate(rules):
        factor = float(rule.factor(dim))
        if not math.isfinite(factor):
            continue
        spreads, chances = row_spreads(axes, factor)
        means = averaged_expectations(keys, spreads, chances, exact=False)
        norm2, p2 = float(means.jacobian_norm2), float(means.sum_p2)
        rms[0, number] = math.sqrt(norm2)
        scores = {
            "even": 0.0,
            "cross_entropy": 1.0 - 2.0 / keys + p2,
            "cross_entropy_largest": 1.0 - 2.0 * float(means.largest_weight) + p2,
        }
        rms[1, number] = math.sqrt(max(0.0, scores.get(kind, norm2 / keys)))
        if kind == "even":
            rms[2:, number] = 0.0
        elif kind in WHITE and _plain(scenario):
            rms[2:, number] = _by_vectors(scenario, dim, factor)
    return rms


def _plain(scenario: Scenario) -> bool:
    """Whether q and k are independent normals without means."""
    return not any(getattr(scenario, name) for name in ("rho", "r_q", "r_k", "mean_q", "mean_k"))


def _by_vectors(scenario: Scenario, dim: int, factor: float) -> tuple[float, float]:
    """Return the root mean squares by q and by K for a white upstream gradient of length 1 over all keys."""
    from attnsim.theory.gradients import interpolated_along_scores, key_gradient_norm2
    from attnsim.theory.row_spread import query_norms
    from attnsim.theory.softmax_curve import interpolated_expectations

    keys, whole = float(scenario.keys), abs(factor) * scenario.sigma_q * scenario.sigma_k
    norms, chances = query_norms(float(dim))
    spreads = whole * norms
    across = (dim - 1.0) * interpolated_expectations(keys, spreads).jacobian_norm2
    query2 = whole**2 * float((across + interpolated_along_scores(keys, spreads)) @ chances)
    key2 = key_gradient_norm2(float(dim), keys, whole)
    return math.sqrt(query2 / keys) / scenario.sigma_q, math.sqrt(key2 / keys) / scenario.sigma_k
