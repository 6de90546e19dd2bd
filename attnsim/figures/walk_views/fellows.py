"""The keys of a row that share one law given the query, and what is measured of them at every checkpoint."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.records import Floats, Row, Walk
from attnsim.figures.moment import plain_law
from attnsim.theory.random_walk import mean_distance, mean_score_distance
from attnsim.theory.walk_distances import folded_normal_mean
from attnsim.theory.walk_extremes import (
    beyond_iterated_logarithm,
    iterated_logarithm,
    signs_beyond_iterated_logarithm,
)

ENVELOPE_FROM = 3  # steps: ln ln d has no root below


@dataclass(frozen=True, slots=True, eq=False)
class Distances:
    """How far the walks of a row are from 0, at each checkpoint.

    Attributes
    ----------
    rms, mean : float64 array, shape (checkpoints + 1,)
        Over the keys that share one law.
    law_rms, law_mean : float64 array, shape (checkpoints + 1,)
        The same by the row's own law given its query; nan where it has none.
    draws_rms, draws_mean : float64 array, shape (checkpoints + 1,)
        Over draws; nan where there is no closed form.
    envelope : float64 array, shape (checkpoints + 1,)
        sd sqrt(2 ln ln m) of the row's law, measured from its mean; nan below 3 steps.
    beyond : int64 array, shape (checkpoints + 1,)
        How many walks lie beyond it.
    law_beyond : float64 array, shape (checkpoints + 1,)
        The chance of that; nan below 3 steps.
    beyond_about : str
        What is written before the chance: "≈ " where it is that of the normal limit, and the law is another one.
    keys : int
    """

    rms: Floats
    mean: Floats
    law_rms: Floats
    law_mean: Floats
    draws_rms: Floats
    draws_mean: Floats
    envelope: Floats
    beyond: NDArray[np.int64]
    law_beyond: Floats
    beyond_about: str
    keys: int


def fellows(row: Row) -> NDArray[np.int64]:
    """Return the keys that share one law: all but an aligned one."""
    keys = np.arange(row.keys)
    return keys if row.aligned_key is None or row.keys == 1 else np.delete(keys, row.aligned_key)


def is_sign_walk(result: Walk) -> bool:
    """Whether every walk is the plain one of steps +-1."""
    s = result.scenario
    return result.vectors is None and s.law == "sign" and s.mean_q == s.mean_k == 0.0


@lru_cache(maxsize=4)
def distances(result: Walk) -> Distances:
    """Return the distances of a result, at every checkpoint at once: none is computed while it plays."""
    row, s = result.row, result.scenario
    far = np.abs(np.asarray(row.walks[:, fellows(row)], dtype=np.float64))
    steps = row.steps.astype(np.float64)
    nothing = np.full(steps.shape, np.nan)
    late = row.steps >= ENVELOPE_FROM
    envelope = nothing.copy()
    with np.errstate(divide="ignore", invalid="ignore"):
        envelope[late] = row.sd[late] * iterated_logarithm(steps[late]) / np.sqrt(steps[late])
    middle = np.where(np.isfinite(row.mean), row.mean, 0.0)[:, None]
    away = np.abs(np.asarray(row.walks[:, fellows(row)], dtype=np.float64) - middle)
    sized = s.sigma_q * s.sigma_k
    plain = plain_law(result)
    law_beyond, signs = nothing.copy(), is_sign_walk(result) and s.rho == 0.0
    if signs:
        law_mean = draws_mean = sized * mean_distance(steps)
    elif result.vectors is None and s.law == "normal":
        law_mean = folded_normal_mean(row.mean, row.sd)
        draws_mean = mean_score_distance(steps) if plain else nothing
    else:
        law_mean, draws_mean = nothing, nothing
    law_beyond[late] = (signs_beyond_iterated_logarithm if signs else beyond_iterated_logarithm)(steps[late])
    theory = result.theory
    return Distances(
        rms=np.sqrt((far**2).mean(axis=1)),
        mean=far.mean(axis=1),
        law_rms=np.sqrt(row.mean**2 + row.sd**2),
        law_mean=law_mean,
        draws_rms=np.sqrt(theory.mean**2 + theory.sd**2) if result.vectors is None else nothing,
        draws_mean=draws_mean,
        envelope=envelope,
        beyond=(away > envelope[:, None]).sum(axis=1),
        law_beyond=law_beyond,
        beyond_about="" if signs or (result.vectors is None and s.law == "normal") else "≈ ",
        keys=far.shape[1],
    )
