"""Exact means for rows of signs, point by point: their scores take few values, and the law is no normal one."""

import math
from collections.abc import Iterator

import numpy as np

from attnsim.experiments.expectations import scaled_signs, why_none
from attnsim.experiments.phase.plane import factors_along
from attnsim.experiments.phase.record import METRICS, Floats
from attnsim.scenario import Scenario

MOST_CELLS = 300_000  # sums of a point, of 0.1 microseconds each


def summed(scenario: Scenario) -> bool:
    """Whether rows of this scenario have exact sums."""
    return scenario.law == "sign" and not why_none(scenario)


def sign_means(scenario: Scenario, dim: int, keys: int) -> Iterator[Floats]:
    """Yield the three exact means under each rule in turn, shape (3,) each; nan where the sum would be too long."""
    from attnsim.theory.discrete_softmax import cells, discrete_expectations

    for factor in factors_along(scenario, np.array([float(dim)]), keys)[:, 0]:
        found = np.full(len(METRICS), np.nan)
        if math.isfinite(factor):
            values, chances = scaled_signs(scenario, dim, float(factor))
            if cells(keys, values) <= MOST_CELLS:
                means = discrete_expectations(keys, values, chances)
                share = float(means.entropy) / math.log(keys) if keys > 1 else math.nan
                found[:] = float(means.sum_p2), share, float(means.largest_weight)
        yield found
