"""What theory says about a scenario: which closed form fits it, and its numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnsim.choices.laws import LAWS
from attnsim.choices.laws.initialised import INITIALISATIONS, component_scales
from attnsim.choices.scalings import Rule
from attnsim.experiments.records import Theory, freeze
from attnsim.scenario import Scenario
from attnsim.theory import autoregressive, exchangeable, independent_steps, mixture, projected, score_density
from attnsim.theory.moments import Moments

Floats = NDArray[np.float64]

NUDGE = 1e-4  # in ln dim, for the numerical derivative: its error is 1e-8, its rounding 1e-12


@dataclass(frozen=True, slots=True)
class ScoreMoments:
    """Moments of the raw score q . k over draws.

    Attributes
    ----------
    mean, variance, skewness, excess_kurtosis : float64 array, float or None
        Over all pairs of a row and a key.
    within_row_variance, between_row_variance : float64 array, float or None
        Mean variance among the keys of one row, which softmax sees, and the rest, which it does not.

    Notes
    -----
    Where no closed form exists, or no moment, an array holds nan and a single number is None.
    """

    mean: Floats | float | None
    variance: Floats | float | None
    within_row_variance: Floats | float | None
    between_row_variance: Floats | float | None
    skewness: Floats | float | None
    excess_kurtosis: Floats | float | None

    def __post_init__(self) -> None:
        freeze(self)


def score_moments(scenario: Scenario, dims: ArrayLike | None = None, of_dim: float | None = None) -> ScoreMoments:
    """Return the moments of the raw score.

    Parameters
    ----------
    scenario : Scenario
    dims : array_like, optional
        Components summed; the scenario's dimension when left out.
    of_dim : float, optional
        Components of the whole query that the keys of a row share; each of `dims` when left out.

    Returns
    -------
    ScoreMoments
        Arrays shaped like `dims`, or plain numbers and None without `dims`.
    """
    found = _moments(scenario, scenario.dim if dims is None else dims, of_dim)
    names = ("mean", "variance", "within_row_variance", "between_row_variance", "skewness", "excess_kurtosis")
    if dims is not None:
        return ScoreMoments(**{name: getattr(found, name) for name in names})
    numbers = {name: float(getattr(found, name)) for name in names}
    return ScoreMoments(**{name: value if np.isfinite(value) else None for name, value in numbers.items()})


def theory_at(scenario: Scenario, steps: ArrayLike) -> Theory:
    """Return the closed forms at the checkpoints of a row.

    Parameters
    ----------
    scenario : Scenario
    steps : array_like of int, shape (checkpoints + 1,)
        Components summed, from 0 to the scenario's dimension.

    Returns
    -------
    Theory
        At 0 the score is 0 without spread, and has no shape.
    """
    counts = np.array(steps, dtype=np.int64)
    dims = counts.astype(np.float64)
    found = _moments(scenario, dims, float(scenario.dim))
    start = counts == 0
    return Theory(
        steps=counts,
        mean=np.where(start, 0.0, found.mean),
        sd=np.where(start, 0.0, _root(found.variance)),
        within_sd=np.where(start, 0.0, _root(found.within_row_variance)),
        skewness=np.where(start, np.nan, found.skewness),
        excess_kurtosis=np.where(start, np.nan, found.excess_kurtosis),
        exponent=_exponent(scenario, dims),
    )


def rules_at(scenario: Scenario, steps: ArrayLike) -> tuple[Rule, ...]:
    """Return a scenario's rules with the spread within a row that theory gives at some dimensions."""
    dims = np.atleast_1d(np.asarray(steps, dtype=np.float64))
    return scenario.rules_of(scenario.sight(scenario.keys - 1), steps=dims, spread=theory_at(scenario, dims).within_sd)


def binned_density(scenario: Scenario, dims: ArrayLike, edges: ArrayLike) -> tuple[Floats, bool]:
    """Return theory's mean density of the raw score in the bins of a histogram.

    Parameters
    ----------
    scenario : Scenario
    dims : array_like of int, shape (checkpoints,)
    edges : array_like, shape (checkpoints, bins + 1)
        Equally spaced in each row.

    Returns
    -------
    density : float64 array, shape (checkpoints, bins)
        nan where the law has no variance and no density is known.
    exact : bool
        Whether this is the law itself; else it is the normal law of the same mean and variance.
    """
    counts = np.atleast_1d(np.asarray(dims, dtype=np.int64))
    walls = np.atleast_2d(np.asarray(edges, dtype=np.float64))
    of_law = _exact_bins(scenario)
    if of_law is not None:
        rows = [_pooled_bins(scenario, of_law, int(dim), row) for dim, row in zip(counts, walls, strict=True)]
        return np.array(rows), True
    found = _moments(scenario, counts, float(scenario.dim))
    sd = _root(found.variance)
    rows = [
        score_density.normal_bins(row, float(mean), float(spread))
        for row, mean, spread in zip(walls, found.mean, sd, strict=True)
    ]
    return np.array(rows), False


def _components(scenario: Scenario) -> dict[str, float]:
    """Return what theory calls the components of a pair of vectors."""
    names = ("sigma_q", "sigma_k", "mean_q", "mean_k", "rho", "r_q", "r_k")
    return {name: float(getattr(scenario, name)) for name in names}


def _one_aligned(scenario: Scenario) -> bool:
    return scenario.aligned == "one" and scenario.keys > 1 and scenario.rho != 0.0


def _moments(scenario: Scenario, dims: ArrayLike, of_dim: float | None) -> Moments:
    """Return the moments of the score of an evenly chosen key of the row."""
    given = _components(scenario)
    aligned = _pair_moments(scenario, dims, of_dim, given)
    if not _one_aligned(scenario):
        return aligned
    independent = _pair_moments(scenario, dims, of_dim, given | {"rho": 0.0})
    if scenario.law == "normal":
        gap = exchangeable.mean_gap_square(dims, of_dim=of_dim, **given)
    elif scenario.law == "ar1":
        gap = autoregressive.mean_gap_square(dims, **_autoregressive(scenario, given))
    else:
        gap = mixture.mean_gap_square(dims, a_moments=_variate_moments(scenario), **given)
    return mixture.pooled(scenario.keys, aligned, independent, gap)


def _pair_moments(scenario: Scenario, dims: ArrayLike, of_dim: float | None, given: dict[str, float]) -> Moments:
    """Return the moments of the score of one query and one key."""
    if scenario.law == "normal":
        return exchangeable.moments(dims, of_dim=of_dim, **given)
    if scenario.law in VECTOR_LAWS:
        return VECTOR_LAWS[scenario.law](scenario, np.asarray(dims, dtype=np.float64), of_dim, given)
    a_moments = _variate_moments(scenario)
    if given["r_q"] or given["r_k"]:
        return independent_steps.factor_moments(dims, a_moments=a_moments, **given)
    steps = {name: value for name, value in given.items() if name not in ("r_q", "r_k")}
    mean_q, spread_q, rho = given["mean_q"], given["sigma_q"], given["rho"]
    own = 1.0 - rho**2  # nothing of the key's own is left at 1, even where the query has no variance
    within = given["sigma_k"] ** 2 * own * (mean_q**2 + spread_q**2 * a_moments[2]) if own else 0.0
    if scenario.law == "sign":
        raw = independent_steps.sign_step(**steps, centred=True)
    else:
        raw = independent_steps.correlated_step(a_moments, **steps, centred=True)
    origin = mean_q * given["mean_k"] + rho * spread_q * given["sigma_k"]
    return independent_steps.moments_from_step(dims, raw, origin=origin, within=within)


def _variate_moments(scenario: Scenario) -> Floats:
    """Return E a^0 .. E a^8 of a law of independent components."""
    moments = LAWS[scenario.law].moments
    assert moments is not None
    return moments(scenario)


def _autoregressive(scenario: Scenario, given: dict[str, float]) -> dict[str, float]:
    kept = {name: value for name, value in given.items() if name not in ("r_q", "r_k")}
    return kept | {"phi_q": scenario.phi_q, "phi_k": scenario.phi_k}


def _autoregressive_pair(scenario: Scenario, dims: Floats, of_dim: float | None, given: dict[str, float]) -> Moments:
    return autoregressive.moments(dims, **_autoregressive(scenario, given))


def _projected(given: dict[str, float]) -> dict[str, Any]:
    return {name: given[name] for name in ("sigma_q", "sigma_k", "mean_q", "mean_k")}


def _low_rank_pair(scenario: Scenario, dims: Floats, of_dim: float | None, given: dict[str, float]) -> Moments:
    tied = scenario.projections == "tied"
    return projected.moments(dims, width=scenario.rank, tied=tied, **_projected(given))


def _initialised_pair(scenario: Scenario, dims: Floats, of_dim: float | None, given: dict[str, float]) -> Moments:
    """Return the moments for the matrices of a head of the scenario's dimension, of which `dims` columns are summed."""
    scale_q, scale_k = component_scales(scenario, scenario.dim if of_dim is None else int(of_dim))
    known = _projected(given)
    known |= {"sigma_q": scale_q * known["sigma_q"], "sigma_k": scale_k * known["sigma_k"]}
    kurtosis = -1.2 if INITIALISATIONS[scenario.initialisation].uniform else 0.0
    return projected.moments(dims, width=scenario.d_model, weight_kurtosis=kurtosis, **known)


VECTOR_LAWS = {"ar1": _autoregressive_pair, "low_rank": _low_rank_pair, "initialised": _initialised_pair}


def _root(variance: Floats) -> Floats:
    return np.sqrt(np.maximum(variance, 0.0))  # rounding may leave -1e-17; nan stays nan


def _exponent(scenario: Scenario, dims: Floats) -> Floats:
    """Return d ln sd / d ln dim; its limit 1/2 at 0, and nan where there is no variance."""
    at = np.maximum(dims, 1e-3)  # near 0 the part of the variance that goes like dim is all there is
    one = _one_aligned(scenario)
    if scenario.law == "normal" and not one:
        return exchangeable.growth(at, **_components(scenario))
    below, above = (_moments(scenario, at * np.exp(side * NUDGE), None).variance for side in (-1.0, 1.0))
    if not (one or scenario.r_q or scenario.r_k or scenario.law in VECTOR_LAWS):
        return np.where(np.isfinite(above), 0.5, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.log(above / below) / (4.0 * NUDGE), dtype=np.float64)


Bins = Callable[[Floats, int, float], Floats]


def _exact_bins(scenario: Scenario) -> Bins | None:
    """Return (edges, dim, rho) -> density of one pair's score, or None where no exact law is known."""
    given: dict[str, Any] = _components(scenario)
    rho = given.pop("rho")
    if scenario.law == "normal":
        return partial(_normal_law_bins, given)
    if scenario.mean_q or scenario.mean_k:
        return None
    if scenario.law == "sign":
        return partial(_sign_law_bins, scenario.sigma_q * scenario.sigma_k)
    if scenario.law == "uniform" and not (rho or scenario.r_q or scenario.r_k):
        return partial(_uniform_law_bins, scenario.sigma_q, scenario.sigma_k)
    return None


def _pooled_bins(scenario: Scenario, of_law: Bins, dim: int, walls: Floats) -> Floats:
    """Return the density of an evenly chosen key's score."""
    aligned = of_law(walls, dim, scenario.rho)
    if not _one_aligned(scenario):
        return aligned
    share = 1.0 / scenario.keys
    return share * aligned + (1.0 - share) * of_law(walls, dim, 0.0)


def _normal_law_bins(given: dict[str, float], walls: Floats, dim: int, rho: float) -> Floats:
    law = partial(score_density.exchangeable_characteristic, dim=dim, rho=rho, **given)
    return score_density.binned_density(walls, law)


def _sign_law_bins(scale: float, walls: Floats, dim: int, rho: float) -> Floats:
    return score_density.sign_bins(walls, dim, scale, rho)


def _uniform_law_bins(sigma_q: float, sigma_k: float, walls: Floats, dim: int, rho: float) -> Floats:
    law = partial(score_density.uniform_characteristic, dim=dim, sigma_q=sigma_q, sigma_k=sigma_k)
    return score_density.binned_density(walls, law)
