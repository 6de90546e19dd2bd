"""The table that the first seed prints, beside what its own assumptions give."""

import math
from collections.abc import Iterator
from functools import lru_cache

from attnsim.experiments.scalings.records import SeedLine
from attnsim.experiments.scalings.scan import affordable, expected_at
from attnsim.experiments.table import records_of
from attnsim.scenario import Scenario

# dimension, rule, mean, standard deviation, largest weight: as printed, without keys, draws or intervals
PRINTED = (
    (64, "none", 0.02, 8.1, 0.15),
    (256, "none", -0.03, 16.2, 0.99),
    (512, "none", 0.01, 22.6, 1.0),
    (512, "inverse_sqrt", 0.01, 1.0, 0.25),
)
WORK = 4_000_000  # variates a line may take
FEWEST_KEYS, MOST_KEYS = 2.0, 1e18


def seed_lines(scenario: Scenario, keys: int) -> Iterator[SeedLine]:
    """Yield the printed lines with what independent standard normal components give, as the seed assumes.

    Parameters
    ----------
    scenario : Scenario
        Gives seed and number of rows alone.
    keys : int
        Of a row; the table names none.
    """
    for dim, scaling, mean, sd, largest in PRINTED:
        plain = Scenario(dim=dim, keys=keys, scalings=(scaling,), seed=scenario.seed, rows=scenario.rows)
        rows = max(1, affordable(plain, plain.rows, WORK))
        [record] = records_of(plain.but(rows=rows), f"scalings/seed/{dim}")
        spread = float(plain.rules[0].multiplier(dim)) * math.sqrt(dim)
        most, _entropy = expected_at(plain)
        yield SeedLine(
            dim=dim,
            scaling=scaling,
            mean=mean,
            sd=sd,
            largest=largest,
            measured=record,
            theory_largest=float(most[0]),
            ceiling=mean_largest(FEWEST_KEYS, spread),
            keys=keys_for(largest, spread),
        )


def mean_largest(keys: float, score_sd: float) -> float:
    """Return the exact mean of the largest weight of independent normal scores."""
    from attnsim.theory.softmax_expectations import expectations

    return float(expectations(keys, score_sd).largest_weight)


@lru_cache(maxsize=16)
def keys_for(largest: float, score_sd: float) -> float:
    """Return the number of keys for which a largest weight is the exact mean; nan if none from 2 to 1e18 is.

    Parameters
    ----------
    largest : float
        Of 0..1.
    score_sd : float
        Of independent normal scores.
    """
    from scipy.optimize import brentq

    def excess(logarithm: float) -> float:
        return mean_largest(math.exp(logarithm), score_sd) - largest

    ends = math.log(FEWEST_KEYS), math.log(MOST_KEYS)
    if not excess(ends[1]) <= 0.0 <= excess(ends[0]):
        return math.nan
    return math.exp(brentq(excess, *ends, xtol=1e-6))
