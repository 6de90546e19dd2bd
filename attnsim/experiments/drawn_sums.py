"""The end points of rows: what a scale rule needs to make weights."""

import numpy as np

from attnsim.choices.laws import LAWS
from attnsim.choices.scalings import Sums
from attnsim.experiments.requests import check_norms, request_for
from attnsim.scenario import Scenario


def draw_sums(scenario: Scenario, stream: str, first: int, rows: int) -> Sums:
    """Return the raw scores of some rows of a scenario, and what its rules read beside them.

    Parameters
    ----------
    scenario : Scenario
    stream : str
        Keeps draws of different purposes apart.
    first, rows : int
        Rows first .. first + rows - 1; a row does not depend on which others are drawn.

    Returns
    -------
    Sums
        Of shape (rows, keys).
    """
    steps = np.array([scenario.dim], dtype=np.int64)
    drawn = LAWS[scenario.law].draw(
        request_for(scenario, stream, steps, rows=rows, first_row=first, keys=scenario.keys)
    )
    check_norms(scenario, drawn)
    return Sums(
        scores=np.ascontiguousarray(drawn.walks[:, 0]),
        dim=scenario.dim,
        query_sum=drawn.query_sum,
        query_square=drawn.square,
        key_sums=None if drawn.key_sums is None else drawn.key_sums[:, 0],
        key_squares=None if drawn.key_squares is None else drawn.key_squares[:, 0],
    )
