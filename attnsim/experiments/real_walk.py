"""Walk to weights on real vectors: the partial sums of one query with its keys, and all other queries' scores."""

from collections.abc import Iterator

import numpy as np

from attnsim.experiments.checkpoints import Whole, ensemble_checkpoints, row_checkpoints
from attnsim.experiments.ensemble import BINS
from attnsim.experiments.estimates import nothing_known
from attnsim.experiments.records import Ensemble, Floats, Row, Theory, Walk
from attnsim.experiments.requests import reads_norms
from attnsim.scenario import MOST_RULES, Scenario
from attnsim.vectors import Vectors
from attnsim.words import _

MOST_SCORES = 4_000_000  # of the ensemble at one checkpoint; beyond it an even choice of queries


def run(scenario: Scenario, vectors: Vectors) -> Iterator[Walk]:
    """Yield the walk of a real query: first the row, then with all queries of its head.

    Parameters
    ----------
    scenario : Scenario
        Gives the scale rules; the model's own factor joins them.
    vectors : Vectors

    Yields
    ------
    Walk
    """
    scenario = scenario_of(scenario, vectors)
    steps = row_checkpoints(vectors.dim, vectors.visible)
    row, theory = _row(vectors, steps, reads_norms(scenario)), _theory(vectors, steps)
    yield Walk(scenario=scenario, row=row, theory=theory, vectors=vectors, fraction=0.5)
    ensemble = _ensemble(vectors, ensemble_checkpoints(steps), theory)
    yield Walk(scenario=scenario, row=row, theory=theory, ensemble=ensemble, vectors=vectors)


def scenario_of(scenario: Scenario, vectors: Vectors) -> Scenario:
    """Return the scenario with the vectors' dimension and keys, and the model's factor among the rules."""
    rules = scenario.scalings
    scale = vectors.current.scale
    if scale is not None and scale > 0.0:
        factors = [float(rule.multiplier(vectors.dim)) for rule in scenario.rules if rule.is_linear]
        if not np.any(np.isclose(factors, scale, rtol=1e-5)):
            rules = (*rules[: MOST_RULES - 1], f"constant:{1.0 / scale:.9g}")
    return scenario.but(dim=vectors.dim, keys=vectors.visible, scalings=rules, rho=0.0, r_q=0.0, r_k=0.0)


def _row(vectors: Vectors, steps: Whole, norms: bool) -> Row:
    query, keys = vectors.query, vectors.keys[: vectors.visible]
    walks = _running(query * keys, steps)
    mean = _sums(query * keys.mean(axis=0), steps)
    sd = np.sqrt(_sums(query**2 * keys.var(axis=0), steps))
    return Row(
        steps=np.concatenate(([0], steps)),
        walks=walks,
        mean=mean,
        sd=sd,
        aligned_mean=mean.copy(),
        aligned_sd=sd.copy(),
        query_norm=np.sqrt(_sums(query**2, steps)),
        kurtosis=np.full(steps.size + 1, np.nan),
        keys_total=vectors.visible,
        query_sum=_sums(query, steps) if norms else None,
        key_sums=_running(keys, steps) if norms else None,
        key_squares=_running(keys**2, steps) if norms else None,
    )


def _running(values: Floats, steps: Whole) -> Floats:
    """Return running sums over the components of each key, shape (checkpoints + 1, keys)."""
    sums = np.zeros((steps.size + 1, values.shape[0]))
    sums[1:] = np.cumsum(values.T, axis=0)[steps - 1]
    return sums


def _sums(values: Floats, steps: Whole) -> Floats:
    return np.concatenate(([0.0], np.cumsum(values)[steps - 1]))


def _theory(vectors: Vectors, steps: Whole) -> Theory:
    """Return what the components' own means and variances predict if they were independent of each other.

    Means and variances are over the pairs that the ensemble measures: each query with the keys it sees.
    """
    mean, variance, seen = _by_component(vectors)
    nan = np.full(steps.size + 1, np.nan)
    return Theory(
        steps=np.concatenate(([0], steps)),
        mean=_sums(mean, steps),
        sd=np.sqrt(_sums(variance, steps)),
        within_sd=np.sqrt(_sums(seen, steps)),
        skewness=nan,
        excess_kurtosis=nan.copy(),
        exponent=nan.copy(),
        assumption=_("if the components were independent"),
    )


def _by_component(vectors: Vectors) -> tuple[Floats, Floats, Floats]:
    """Return mean, variance and variance within rows of each product q_i k_i over visible pairs, shape (dim,)."""
    chosen = _chosen(vectors)
    q, k = vectors.queries[chosen], vectors.keys
    count = np.array([vectors.visible_to(int(row)) for row in chosen])
    center = k.mean(axis=0)  # taken off first, so that large means lose no digits of the variances
    order = np.arange(1.0, len(k) + 1.0)[:, None]
    first, second = (np.cumsum(part, axis=0) / order for part in (k - center, (k - center) ** 2))
    mean_k, spread_k = first[count - 1], np.maximum(second[count - 1] - first[count - 1] ** 2, 0.0)
    share = (count / count.sum())[:, None]
    row_mean = q * (mean_k + center)
    mean = (share * row_mean).sum(axis=0)
    variance = (share * (q**2 * spread_k + (row_mean - mean) ** 2)).sum(axis=0)
    several = count > 1
    if not several.any():
        return mean, variance, np.full_like(mean, np.nan)
    correction = (count / np.maximum(count - 1, 1))[several, None]
    return mean, variance, np.mean(correction * q[several] ** 2 * spread_k[several], axis=0)


def _chosen(vectors: Vectors) -> Whole:
    """Return the queries of the ensemble: all, or an even choice where there are too many."""
    queries = len(vectors.queries)
    most = max(1, MOST_SCORES // vectors.keys.shape[0])
    return np.unique(np.linspace(0, queries - 1, min(queries, most)).round().astype(np.int64))


def _ensemble(vectors: Vectors, steps: Whole, theory: Theory) -> Ensemble:
    """Measure the scores of all queries with the keys each sees; of an even choice where there are too many."""
    queries, keys = vectors.queries, vectors.keys
    chosen = _chosen(vectors)
    seen = np.array([vectors.visible_to(int(i)) for i in chosen])
    mask = np.arange(keys.shape[0]) < seen[:, None]
    scores = np.zeros((chosen.size, keys.shape[0]))
    start = 0
    lines = []
    for step in steps:
        scores += queries[chosen, start:step] @ keys[:, start:step].T
        start = int(step)
        lines.append(_measure(scores, mask))
    numbers = np.array([line[0] for line in lines]).T
    mean, sd, within, skewness, kurtosis = (nothing_known(values) for values in numbers)
    return Ensemble(
        steps=steps,
        rows=int(chosen.size),
        keys_per_row=max(1, round(float(seen.mean()))),
        mean=mean,
        sd=sd,
        within_sd=within,
        skewness=skewness,
        excess_kurtosis=kurtosis,
        counts=np.array([line[1] for line in lines]),
        edges=np.array([line[2] for line in lines]),
        density=np.full((steps.size, BINS), np.nan),
        exact=False,
    )


def _measure(scores: Floats, mask: np.ndarray) -> tuple[list[float], np.ndarray, Floats]:
    """Return mean, sd, within-row sd, skewness and excess kurtosis of the visible scores, and their histogram."""
    values = scores[mask]
    mean, sd = float(values.mean()), float(values.std())
    count = mask.sum(axis=1)
    row_mean = np.where(mask, scores, 0.0).sum(axis=1) / count
    squares = np.where(mask, (scores - row_mean[:, None]) ** 2, 0.0).sum(axis=1)
    several = count > 1
    within = float(np.sqrt(np.mean(squares[several] / (count[several] - 1)))) if several.any() else float("nan")
    scale = sd if sd > 0.0 else max(abs(mean), 1.0) * 1e-9
    x = (values - mean) / scale
    skewness, kurtosis = float((x**3).mean()), float((x**4).mean() - 3.0)
    low, high = float(values.min()), float(values.max())
    edges = np.linspace(low - 0.05 * scale, high + 0.05 * scale, BINS + 1)
    return [mean, sd, within, skewness, kurtosis], np.histogram(values, edges)[0].astype(np.int64), edges
