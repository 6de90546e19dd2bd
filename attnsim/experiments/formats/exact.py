"""The exact half: limits of the formats, and chances over draws against the dimension."""

import math

import numpy as np

from attnsim.choices.scalings import Rule
from attnsim.experiments.formats.record import NAMES, Chances, Floats, Limits
from attnsim.scenario import Scenario
from attnsim.theory.number_formats import beyond_probability, format_limits
from attnsim.theory.score_tail import exchangeable_tail
from attnsim.words import _

DIMS: Floats = np.exp2(np.arange(0, 17))
SIGMAS: Floats = np.exp2(np.arange(-3, 19) * 0.5) * 4.0
RARE = 1e-6  # a chance of one score's overflow that is drawn as a border
HALVINGS = 60
UNREACHED = 1e100  # a score that no row has, for one that is beyond what theory can divide
COMPONENTS = ("sigma_q", "sigma_k", "mean_q", "mean_k", "rho", "r_q", "r_k")


def limits() -> Limits:
    """Return where exp leaves each format, exact and found by trying."""
    known = [format_limits(name) for name in NAMES]
    overflow = np.array([one.overflow_score for one in known])
    zero = np.array([one.zero_score for one in known])
    return Limits(
        largest=np.array([one.largest for one in known]),
        overflow=overflow,
        normal=np.array([one.normal_score for one in known]),
        zero=zero,
        found_overflow=np.array([_found(name, 0.0, 800.0, overflows=True) for name in NAMES]),
        found_zero=np.array([_found(name, 0.0, -800.0, overflows=False) for name in NAMES]),
    )


def _found(name: str, inside: float, outside: float, *, overflows: bool) -> float:
    """Return where exp in a format stops being finite, or stops being above 0, by bisection."""
    from attnsim.kernels.float_rounding import round_to

    for _halving in range(HALVINGS):
        middle = 0.5 * (inside + outside)
        with np.errstate(over="ignore", under="ignore"):
            value = float(round_to(np.exp(np.array([middle])), name)[0])
        held = math.isfinite(value) if overflows else value > 0.0
        inside, outside = (middle, outside) if held else (inside, middle)
    return inside


def why_no_chance(scenario: Scenario) -> str:
    """Return why chances have no closed form; empty where all of them have one."""
    if scenario.law != "normal":
        return _("no closed form: components of the law {law} are not normal").format(law=scenario.law)
    if scenario.aligned == "one" and scenario.rho and scenario.keys > 1:
        return _("no closed form: one key is aligned and the others are not")
    if any(getattr(scenario, name) for name in ("mean_q", "mean_k", "rho", "r_q", "r_k")):
        return _("rows have no closed form with means or correlations; single scores have")
    return ""


def independent(scenario: Scenario) -> bool:
    """Whether the components are independent normals of mean 0, for which chances of whole rows are exact."""
    return not why_no_chance(scenario)


def row_overflow(scenario: Scenario, rules: tuple[Rule, ...], dims: Floats) -> Floats:
    """Return P(exp of some score of a row overflows), shape (rules, formats, dims); nan where there is no closed form.

    Parameters
    ----------
    scenario : Scenario
    rules : tuple of Rule
    dims : float64 array, shape (dims,)
    """
    size = scenario.sigma_q * scenario.sigma_k
    overflow = np.array([format_limits(name).overflow_score for name in NAMES])
    rows = np.full((len(rules), len(NAMES), dims.size), np.nan)
    factors = np.abs([rule.factor(dims) for rule in rules])
    for place, dim in enumerate(dims):
        known = np.flatnonzero(np.isfinite(factors[:, place]))
        if known.size and independent(scenario):
            reach = np.minimum(overflow / np.maximum(factors[known, place, None] * size, 1e-100), UNREACHED)
            rows[known, :, place] = beyond_probability(reach, float(dim), scenario.keys)
    return rows


def start(scenario: Scenario, rules: tuple[Rule, ...]) -> Chances:
    """Return what takes no long integrals: all but P(|score| > claim)."""
    largest = np.array([format_limits(name).largest for name in NAMES])
    scores = np.minimum(largest[:, None] / SIGMAS, UNREACHED)
    product = 2.0 * beyond_probability(scores, float(scenario.dim), 1.0)
    return Chances(
        dims=DIMS.copy(),
        row_overflow=row_overflow(scenario, rules, DIMS),
        beyond=np.full(DIMS.size, np.nan),
        border=np.array([_rare_score(float(dim)) for dim in DIMS]),
        sigmas=SIGMAS.copy(),
        product=product,
    )


def _rare_score(dim: float) -> float:
    """Return the |score| of standard normal vectors that is exceeded with chance `RARE`."""
    scores = math.sqrt(dim) * np.linspace(4.0, 16.0, 97)
    chances = np.log(2.0 * beyond_probability(scores, dim))
    return float(np.interp(-math.log(RARE), -chances, scores))


def beyond(scenario: Scenario, dim: float) -> float:
    """Return P(|score| > claim) at a dimension, exact; nan where there is no closed form."""
    if scenario.law != "normal" or (scenario.aligned == "one" and scenario.rho and scenario.keys > 1):
        return math.nan
    claim = float(scenario.section.claim_score)
    if independent(scenario):
        return float(2.0 * beyond_probability(claim / (scenario.sigma_q * scenario.sigma_k), dim))
    given = {name: float(getattr(scenario, name)) for name in COMPONENTS}
    mirrored = given | {"mean_q": -given["mean_q"], "rho": -given["rho"]}
    if abs(scenario.rho) >= 1.0:
        return math.nan  # the score is a sum of squares, which the integral does not take
    return float(exchangeable_tail(claim, dim, **given)) + float(exchangeable_tail(claim, dim, **mirrored))
