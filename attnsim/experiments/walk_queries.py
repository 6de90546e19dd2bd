"""Some more queries, each with keys of its own: what one row shares and what it does not."""

import numpy as np

from attnsim.choices.laws import LAWS
from attnsim.experiments.records import Queries, Whole
from attnsim.experiments.requests import request_for, work_of
from attnsim.scenario import Scenario

ROWS, KEYS = 6, 24
MOST_WORK = 2_000_000  # random numbers of all rows: some 20 ms


def queries_of(scenario: Scenario, steps: Whole) -> Queries | None:
    """Return the walks of a few queries at some checkpoints; None where they would take too long.

    Parameters
    ----------
    scenario : Scenario
    steps : int64 array
        Checkpoints, from 1 to the dimension.

    Notes
    -----
    Rows of a stream of their own, of the same law as the row on screen.
    """
    row, key = work_of(scenario, steps.size)
    keys = min(scenario.keys, KEYS, max(2, (MOST_WORK // ROWS - row) // max(1, key)))
    if ROWS * (row + keys * key) > MOST_WORK:
        return None
    drawn = LAWS[scenario.law].draw(request_for(scenario, "queries", steps, rows=ROWS, keys=keys, norms=False))
    return Queries(
        steps=np.concatenate(([0], steps)),
        walks=_from_zero(drawn.walks),
        mean=_from_zero(drawn.mean),
        sd=_from_zero(drawn.sd),
    )


def _from_zero(values: np.ndarray) -> np.ndarray:
    """Put the start, where every sum is 0, before each row's values."""
    return np.concatenate((np.zeros_like(values[:, :1]), values), axis=1)
