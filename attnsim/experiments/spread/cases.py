"""The cases that are laid beside each other: nothing set, correlation, common factors, means."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attnsim.choices.sections.spread import SpreadOptions
from attnsim.experiments.closed_forms import score_moments
from attnsim.scenario import Scenario

COMPONENTS = ("rho", "r_q", "r_k", "mean_q", "mean_k")
TRIED = 1000.0  # dimension at which Var = alpha d + beta d^2, read off at 1 and 2, is put to the test
PURE = 1e-9  # share of the variance at 1 from which the quadratic part counts as there


@dataclass(frozen=True, slots=True)
class Case:
    """One way the components can depend on each other.

    Attributes
    ----------
    key : str
        `none`, `rho`, `factors`, `means`, `mean_q`, `mean_k`, or `scenario` for what the user has set together.
    scenario : Scenario or None
        None where the law refuses it.
    everywhere : bool
        Whether it is measured along d; else at the scenario's dimension alone.
    reason : str
        Why the law refuses it; else empty.
    """

    key: str
    scenario: Scenario | None
    everywhere: bool = True
    reason: str = ""

    @property
    def crossover(self) -> float:
        """The dimension at which the parts of Var S = alpha d + beta d^2 are equal; inf without beta, nan unknown."""
        return math.nan if self.scenario is None else crossover(self.scenario)


def options_of(scenario: Scenario) -> SpreadOptions:
    """Return the lab's options, as they begin where the scenario carries another lab's."""
    return scenario.section if isinstance(scenario.section, SpreadOptions) else SpreadOptions()


def cases_of(scenario: Scenario) -> tuple[Case, ...]:
    """Return the cases of a scenario: each takes what the scenario sets, or else what the lab's options say."""
    wanted = _wanted(scenario)
    own = {name: getattr(scenario, name) for name in COMPONENTS}
    alike = (dict.fromkeys(COMPONENTS, 0.0) | given for key, given in wanted if key not in ("mean_q", "mean_k"))
    if own not in alike:
        wanted.append(("scenario", own))
    return tuple(_case(scenario, key, given) for key, given in wanted)


def _wanted(scenario: Scenario) -> list[tuple[str, dict[str, float]]]:
    options = options_of(scenario)
    both = scenario.r_q > 0.0 and scenario.r_k > 0.0
    shifted = scenario.mean_q != 0.0 or scenario.mean_k != 0.0
    means = (scenario.mean_q, scenario.mean_k) if shifted else (options.case_mean, options.case_mean)
    return [
        ("none", {}),
        ("rho", {"rho": scenario.rho or options.case_rho}),
        (
            "factors",
            {"r_q": scenario.r_q if both else options.case_r, "r_k": scenario.r_k if both else options.case_r},
        ),
        ("means", {"mean_q": means[0], "mean_k": means[1]}),
        ("mean_q", {"mean_q": means[0] or options.case_mean}),
        ("mean_k", {"mean_k": means[1] or options.case_mean}),
    ]


def _case(scenario: Scenario, key: str, given: dict[str, float]) -> Case:
    everywhere = key not in ("mean_q", "mean_k")
    try:
        # raw scores know no scale rule, and a typed formula might have no value in a case or at a dimension
        bare = {"scalings": ("none",), **dict.fromkeys(COMPONENTS, 0.0)}
        return Case(key, scenario.but(**(bare | given)), everywhere)
    except ValueError as refusal:
        return Case(key, None, everywhere, str(refusal))


def measured_dims(scenario: Scenario) -> Iterator[int]:
    """Yield the dimensions at which spreads are measured, ascending: powers of two, and the scenario's own.

    Those that the law refuses, because it would have to draw too large matrices, are left out.
    """
    last = max(scenario.dim, options_of(scenario).largest_dim)
    powers = {2**power for power in range(last.bit_length())}
    for dim in sorted(powers | {scenario.dim, last}):
        try:
            scenario.but(dim=dim, scalings=("none",))
        except ValueError:
            continue
        yield dim


def crossover(scenario: Scenario) -> float:
    """Return the dimension d* at which both parts of Var S = alpha d + beta d^2 are equal.

    Returns
    -------
    float
        inf where no part grows like d^2; nan where there is no variance, or it is no such sum.

    Notes
    -----
    With zero means alpha = 1 + rho^2 - r_q r_k and beta = r_q r_k (in units of both variances), so d* is two less than
    where the diagonal of the double sum, d (1 + rho^2), equals the rest, d (d - 1) r_q r_k.
    """
    one, two, far = (float(v) for v in np.asarray(score_moments(scenario, np.array([1.0, 2.0, TRIED])).variance))
    beta = 0.5 * (two - 2.0 * one)
    alpha = one - beta
    if not math.isfinite(far) or abs(alpha * TRIED + beta * TRIED**2 - far) > 1e-6 * abs(far):
        return math.nan
    return alpha / beta if beta > PURE * one else math.inf
