"""Results made by hand with numpy, so that the figures are tested apart from the experiments."""

import numpy as np

from attnsim.experiments.records import Ensemble, Estimate, Row, Theory, Walk
from attnsim.scenario import Scenario
from attnsim.vectors import Layer, Vectors

BINS = 80


def checkpoints(dim):
    return np.unique(np.round(np.linspace(0, dim, min(dim, 256) + 1)).astype(np.int64))


def estimate(value, error):
    value = np.asarray(value, dtype=float)
    error = np.broadcast_to(np.asarray(error, dtype=float), value.shape).copy()
    return Estimate(value, error, value - 1.96 * error, value + 1.96 * error)


def theory_of(s, steps):
    """Law over draws of equicorrelation-free components."""
    m = steps.astype(float)
    mean = m * (s.mean_q * s.mean_k + s.rho * s.sigma_q * s.sigma_k)
    cross = (
        s.mean_q**2 * s.sigma_k**2
        + s.mean_k**2 * s.sigma_q**2
        + 2 * s.rho * s.mean_q * s.mean_k * s.sigma_q * s.sigma_k
    )
    variance = m * (s.sigma_q**2 * s.sigma_k**2 * (1 + s.rho**2) + cross)
    within = m * s.sigma_k**2 * (1 - s.rho**2) * (s.sigma_q**2 + s.mean_q**2)
    nothing = np.full(m.size, np.nan)
    half = np.full(m.size, 0.5)
    return Theory(steps, mean, np.sqrt(variance), np.sqrt(within), nothing, nothing.copy(), half)


def row_of(s, steps, rng, drawn=None):
    drawn = s.keys if drawn is None else drawn
    unit = rng.standard_normal(s.dim)
    q = s.mean_q + s.sigma_q * unit
    free = np.sqrt(1.0 - s.rho**2)
    mean, square, sums = np.zeros(s.dim + 1), np.zeros(s.dim + 1), np.zeros((s.dim + 1, drawn))
    k = s.mean_k + s.sigma_k * (s.rho * unit[:, None] + free * rng.standard_normal((s.dim, drawn)))
    sums[1:] = np.cumsum(q[:, None] * k, axis=0)
    mean[1:] = np.cumsum(q * (s.mean_k + s.sigma_k * s.rho * unit))
    square[1:] = np.cumsum(q**2)
    norm = np.sqrt(square[steps])
    sd = norm * s.sigma_k * free
    return Row(steps, sums[steps], mean[steps], sd, mean[steps].copy(), sd.copy(), norm, np.zeros_like(norm), s.keys)


def ensemble_of(s, theory, rng, rows=200):
    """Scores drawn from the normal limit: shapes are what is tested here, not laws."""
    at = theory.steps[1:][:: max(1, (theory.steps.size - 1) // 12)]
    at = np.unique(np.append(at, theory.steps[-1]))
    place = np.searchsorted(theory.steps, at)
    mean, sd = theory.mean[place], theory.sd[place]
    edges = mean[:, None] + sd[:, None] * np.linspace(-6, 6, BINS + 1)
    amount = rows * s.keys
    draws = rng.standard_normal((at.size, amount)) * sd[:, None] + mean[:, None]
    counts = np.stack([np.histogram(d, e)[0] for d, e in zip(draws, edges, strict=True)])
    center = 0.5 * (edges[:, 1:] + edges[:, :-1])
    density = np.exp(-0.5 * ((center - mean[:, None]) / sd[:, None]) ** 2) / (sd[:, None] * np.sqrt(2 * np.pi))
    nothing = estimate(np.full(at.size, np.nan), np.nan)
    return Ensemble(
        at,
        rows,
        s.keys,
        estimate(draws.mean(1), sd / np.sqrt(amount)),
        estimate(draws.std(1), sd / np.sqrt(2 * amount)),
        estimate(theory.within_sd[place] * 1.001, theory.within_sd[place] / np.sqrt(2 * amount)),
        nothing,
        nothing,
        counts.astype(np.int64),
        edges,
        density,
        True,
    )


def walk(seed=7, drawn=None, ensemble=True, **fields):
    """Return a finished result of a scenario of normal components."""
    s = Scenario(seed=seed, **{"keys": 32, **fields})
    steps = checkpoints(s.dim)
    rng = np.random.default_rng(seed)
    theory = theory_of(s, steps)
    row = row_of(s, steps, rng, drawn)
    return Walk(s, row, theory, ensemble_of(s, theory, rng, max(1, min(200, 200_000 // s.keys))) if ensemble else None)


def real_walk(dim=32, keys=24, heads=2):
    """Return a result with real vectors behind it: twice as wide as independent components would be."""
    plain = walk(dim=dim, keys=keys)
    rng = np.random.default_rng(3)
    layer = Layer("layers.1", rng.standard_normal((heads, 8, dim)), rng.standard_normal((heads, keys, dim)))
    row = plain.row
    wide = Row(
        row.steps,
        2.0 * row.walks,
        row.mean * 0.0,
        row.sd,
        row.mean * 0.0,
        row.sd,
        row.query_norm,
        row.kurtosis,
        row.keys_total,
    )
    t = plain.theory
    theory = Theory(
        t.steps, t.mean, t.sd, t.within_sd, t.skewness, t.excess_kurtosis, t.exponent, "components independent"
    )
    return Walk(plain.scenario, wide, theory, plain.ensemble, Vectors("tiny model", (layer,), head=1, row=5))
