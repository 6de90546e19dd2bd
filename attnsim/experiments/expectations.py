"""What theory expects of the softmax of a scenario's rows: by exact quadrature, or interpolated for the window."""

import math
import time
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.choices.masks import MASKS
from attnsim.choices.scalings import Rule
from attnsim.experiments.closed_forms import rules_at, score_moments
from attnsim.experiments.records import ExpectedWeights
from attnsim.scenario import Scenario
from attnsim.theory.limits import within
from attnsim.words import _

Floats = NDArray[np.float64]

EXACT_SPREADS = 800  # quadratures that are still waited for, about half a millisecond apiece
EXACT_SD = 100.0  # beyond this spread one of them takes many milliseconds
MOST_SPREADS = 96  # of a row, in an overlay
SIGN_CELLS = 600_000  # sums for signs in an overlay, of 0.1 microseconds each
NARROWEST = 1e-5  # share of the widest spread below which all count as alike
COMPONENTS = ("sigma_q", "sigma_k", "mean_q", "mean_k", "rho", "r_q", "r_k")


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftmaxTheory:
    """Means over draws of the softmax of a row's scaled scores; None where there is no closed form.

    Attributes
    ----------
    scaling : str
        The rule as the user wrote it; empty when the spread was given.
    score_sd : float or None
        Root of the mean variance within a row, after the rule.
    entropy_mean : float or None
        Nats.
    largest_weight_mean, sum_p2_mean, jacobian_norm2_mean : float or None
        E max p, E sum p^2, E ||diag(p) - p p^T||_F^2.
    method : {"quadrature", "interpolation", ""}
        Quadratures are within 1e-9; interpolation within 1e-5 up to 65,536 keys, beyond spread 30 within
        1e-4 of the distance from the one-hot limit.
    seconds : float
        Processor time it took.
    note : str
        Why there is no closed form; else empty.
    """

    scaling: str
    score_sd: float | None
    entropy_mean: float | None = None
    largest_weight_mean: float | None = None
    sum_p2_mean: float | None = None
    jacobian_norm2_mean: float | None = None
    method: str = ""
    seconds: float = 0.0
    note: str = ""


def why_changed(scenario: Scenario) -> str:
    """Return why weights are not those of all keys in double precision; empty where they are."""
    if seen(scenario) < scenario.keys:
        return _("no closed form: the mask {mask} hides keys").format(mask=scenario.mask)
    if scenario.format != "fp64":
        return _("no closed form: {format} rounds every weight").format(format=scenario.format)
    return ""


def seen(scenario: Scenario) -> int:
    """Return how many keys the last query of a row sees."""
    return MASKS[scenario.mask].count(scenario.sight(scenario.keys - 1))


def why_none(scenario: Scenario, rule: Rule | None = None) -> str:
    """Return why the softmax of a scenario's rows has no closed form, under a rule; empty where it has one."""
    if changed := why_changed(scenario):
        return changed
    if rule is not None and not np.isfinite(rule.factor(scenario.dim)):
        return _("no closed form: under {rule} the weights are not the softmax of a multiple of the score").format(
            rule=rule.name
        )
    if scenario.law == "sign" and scenario.mean_q and scenario.keys > 1:
        return _("no closed form: with a mean of the query its components weigh a key's signs unequally")
    if scenario.law not in ("normal", "sign"):
        return _("no closed form: given the query, scores of {law} keys are not normal").format(law=scenario.law)
    if scenario.aligned == "one" and scenario.keys > 1 and scenario.rho:
        return _("no closed form: one key is aligned and the others are not")
    return ""


def softmax_theory(scenario: Scenario, rule: Rule) -> SoftmaxTheory:
    """Return the exact means over draws of the query and of the keys.

    The query's length is random, so the spread of a row is: the means are averaged over it (a chi law where all
    directions are alike, a mixture of two where they are not).

    Parameters
    ----------
    scenario : Scenario
        Its dimension, keys and components.
    rule : Rule
    """
    started = time.process_time()
    factor = float(rule.factor(scenario.dim))
    seen = score_moments(scenario).within_row_variance
    sd = None if seen is None or math.isnan(factor) else abs(factor) * math.sqrt(float(seen))
    bare = SoftmaxTheory(scaling=rule.name, score_sd=sd, note=why_none(scenario, rule))
    if bare.note or sd is None:
        return bare
    if scenario.law == "sign":
        return _sign_theory(bare, scenario, factor, started)
    spreads, chances = raw_spreads(scenario, scenario.dim, factor)
    exact = spreads.size <= EXACT_SPREADS and float(spreads.max()) <= EXACT_SD
    return _averaged(bare, scenario.keys, spreads, chances, exact, started)


def spread_theory(keys: float, score_sd: float) -> SoftmaxTheory:
    """Return the means for independent normal scores of one given spread, whatever made it.

    Raises
    ------
    ValueError
        If `keys` lies outside 1..1e18, or `score_sd` below 0.
    """
    started = time.process_time()
    within("score_sd", score_sd, 0.0)
    bare = SoftmaxTheory(scaling="", score_sd=float(score_sd))
    return _averaged(bare, keys, np.array([float(score_sd)]), np.ones(1), score_sd <= EXACT_SD, started)


def expected_weights(scenario: Scenario, steps: ArrayLike) -> ExpectedWeights:
    """Return expected largest weight and entropy at checkpoints, interpolated: some milliseconds.

    Parameters
    ----------
    scenario : Scenario
    steps : array_like of int, shape (checkpoints,)
        1 or more.

    Returns
    -------
    ExpectedWeights
        nan where there is no closed form.
    """
    counts = np.array(steps, dtype=np.int64)
    shape = len(scenario.rules), counts.size
    largest, entropy = np.full(shape, np.nan), np.full(shape, np.nan)
    if why_none(scenario):
        return ExpectedWeights(counts, largest, entropy)
    factors = np.abs([rule.factor(counts) for rule in rules_at(scenario, counts)])
    plain = np.isfinite(factors).all(axis=1)
    if scenario.keys == 1:
        largest[plain], entropy[plain] = 1.0, 0.0
        return ExpectedWeights(counts, largest, entropy)
    if scenario.law == "sign":
        return _sign_weights(scenario, counts, factors)
    # the rest of a query with a common factor tells of the first components: not the law of dimension m
    whole_only = scenario.rho != 0.0 and (scenario.r_q > 0.0 or scenario.r_k > 0.0)
    places = [place for place, step in enumerate(counts) if not whole_only or step == scenario.dim]
    laws = [fewer_spreads(*raw_spreads(scenario, int(counts[place]), 1.0)) for place in places]
    means = _interpolated(
        scenario.keys, [factors[plain, place, None] * law[0] for place, law in zip(places, laws, strict=True)]
    )
    for place, (_spreads, chances), (most, nats) in zip(places, laws, means, strict=True):
        largest[plain, place], entropy[plain, place] = most @ chances, nats @ chances
    return ExpectedWeights(counts, largest, entropy)


def scaled_signs(scenario: Scenario, step: int, factor: float) -> tuple[Floats, Floats]:
    """Return values and chances of a key's scaled score, the same given any query of signs, up to a common shift."""
    from attnsim.theory.discrete_softmax import sign_scores

    values, chances = sign_scores(step, scenario.rho)
    scaled = factor * scenario.sigma_q * scenario.sigma_k
    return (scaled * values, chances) if scaled >= 0.0 else (scaled * values[::-1], chances[::-1])


def _sign_theory(bare: SoftmaxTheory, scenario: Scenario, factor: float, started: float) -> SoftmaxTheory:
    from attnsim.theory.discrete_softmax import MOST_CELLS, cells, discrete_expectations

    values, chances = scaled_signs(scenario, scenario.dim, factor)
    if cells(scenario.keys, values) > MOST_CELLS:
        return replace(
            bare,
            note=_("the exact sum over the values of a walk of {dim} signs is too long here").format(dim=scenario.dim),
        )
    means = discrete_expectations(scenario.keys, values, chances)
    return replace(
        bare,
        entropy_mean=float(means.entropy),
        largest_weight_mean=float(means.largest_weight),
        sum_p2_mean=float(means.sum_p2),
        method="quadrature",
        seconds=time.process_time() - started,
        note=_("jacobian_norm2_mean: not computed for signs"),
    )


def _sign_weights(scenario: Scenario, counts: NDArray[np.int64], factors: Floats) -> ExpectedWeights:
    """Return the exact means for signs, from the last checkpoint on backwards as far as a short time allows."""
    from attnsim.theory.discrete_softmax import cells, discrete_expectations

    shape, left = (len(scenario.rules), counts.size), SIGN_CELLS
    largest, entropy = np.full(shape, np.nan), np.full(shape, np.nan)
    for place in range(counts.size - 1, -1, -1):
        for which in np.flatnonzero(np.isfinite(factors[:, place])):
            values, chances = scaled_signs(scenario, int(counts[place]), float(factors[which, place]))
            needed = cells(scenario.keys, values)
            if needed > left:
                continue
            left -= needed
            means = discrete_expectations(scenario.keys, values, chances)
            largest[which, place], entropy[which, place] = float(means.largest_weight), float(means.entropy)
        if np.all(np.isnan(largest[:, place])):
            break
    return ExpectedWeights(counts, largest, entropy)


def _interpolated(keys: int, spreads: list[Floats]) -> list[tuple[Floats, Floats]]:
    """Return largest weight and entropy for several arrays of spreads, from one interpolation."""
    from attnsim.theory.softmax_curve import interpolated_expectations

    if not spreads:
        return []
    means = interpolated_expectations(keys, np.concatenate([part.ravel() for part in spreads]))
    ends = np.cumsum([part.size for part in spreads])[:-1]
    parts = zip(spreads, np.split(means.largest_weight, ends), np.split(means.entropy, ends), strict=True)
    return [(most.reshape(part.shape), nats.reshape(part.shape)) for part, most, nats in parts]


def fewer_spreads(spreads: Floats, chances: Floats) -> tuple[Floats, Floats]:
    """Return few spreads of nearly the same law: in each of some groups by size, two with its mean and variance."""
    if spreads.size <= MOST_SPREADS or not spreads.max() > 0.0:
        return spreads, chances
    depth = -np.log(np.maximum(spreads / spreads.max(), NARROWEST)) / -math.log(NARROWEST)
    groups = MOST_SPREADS // 2
    group = np.minimum(depth * groups, groups - 1).astype(np.int64)
    total = np.bincount(group, chances, groups)
    kept = total > 0.0
    means = np.bincount(group, chances * spreads, groups)[kept] / total[kept]
    squares = np.bincount(group, chances * spreads**2, groups)[kept] / total[kept]
    half = np.sqrt(np.maximum(squares - means**2, 0.0))
    half = np.minimum(half, means)  # a spread is 0 or more
    return np.concatenate([means - half, means + half]), 0.5 * np.concatenate([total[kept], total[kept]])


def raw_spreads(scenario: Scenario, dim: int, factor: float) -> tuple[Floats, Floats]:
    """Return the spreads a row of normal components can have at a dimension, times a factor, and their chances."""
    from attnsim.theory import exchangeable
    from attnsim.theory.row_spread import row_spreads

    components = {name: float(getattr(scenario, name)) for name in COMPONENTS}
    return row_spreads(exchangeable.axes(float(dim), **components), factor)


def _averaged(
    bare: SoftmaxTheory, keys: float, spreads: Floats, chances: Floats, exact: bool, started: float
) -> SoftmaxTheory:
    from attnsim.theory.row_spread import averaged_expectations

    means = averaged_expectations(keys, spreads, chances, exact=exact)
    return SoftmaxTheory(
        scaling=bare.scaling,
        score_sd=bare.score_sd,
        entropy_mean=max(0.0, float(means.entropy)),
        largest_weight_mean=float(means.largest_weight),
        sum_p2_mean=float(means.sum_p2),
        jacobian_norm2_mean=float(means.jacobian_norm2),
        method="quadrature" if exact else "interpolation",
        seconds=time.process_time() - started,
    )
