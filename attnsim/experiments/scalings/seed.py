"""The table that the first seed prints, beside what its own assumptions give."""

import math
from collections.abc import Iterator
from typing import Any

from attnsim.experiments.scalings.records import SeedLine
from attnsim.experiments.scalings.scan import CHUNK_WORK, affordable, expected_at
from attnsim.experiments.table import fill_records
from attnsim.scenario import Scenario

# dimension, rule, mean, standard deviation, largest weight: as printed, without keys, draws or intervals
PRINTED = (
    (64, "none", 0.02, 8.1, 0.15),
    (256, "none", -0.03, 16.2, 0.99),
    (512, "none", 0.01, 22.6, 1.0),
    (512, "inverse_sqrt", 0.01, 1.0, 0.25),
)
WORK = 4_000_000  # variates a line may take


def fill_seed(lines: list[SeedLine], scenario: Scenario, keys: int) -> Iterator[None]:
    """Append the printed lines with what independent standard normal components give, as the seed assumes.

    Parameters
    ----------
    lines : list
    scenario : Scenario
        Gives seed and number of rows alone.
    keys : int
        Of a row; the table names none.
    """
    from attnsim.theory.keys_for_weight import FEWEST_KEYS, keys_for
    from attnsim.theory.softmax_expectations import expectations

    for dim, scaling, mean, sd, largest in PRINTED:
        plain = Scenario(dim=dim, keys=keys, scalings=(scaling,), seed=scenario.seed, rows=scenario.rows)
        rows = max(1, affordable(plain, plain.rows, WORK))
        records: list[dict[str, Any]] = []
        yield from fill_records(records, plain.but(rows=rows), f"scalings/seed/{dim}", CHUNK_WORK)
        spread = float(plain.rules[0].multiplier(dim)) * math.sqrt(dim)
        most, _entropy = expected_at(plain)
        lines.append(
            SeedLine(
                dim=dim,
                scaling=scaling,
                mean=mean,
                sd=sd,
                largest=largest,
                measured=records[0],
                theory_largest=float(most[0]),
                ceiling=float(expectations(FEWEST_KEYS, spread).largest_weight),
                keys=keys_for(largest, spread),
            )
        )
        yield
