"""How many keys a row must have had for its mean largest weight to be what somebody names."""

import math
from functools import lru_cache

from attnsim.theory.limits import within
from attnsim.theory.softmax_expectations import expectations

FEWEST_KEYS, MOST_KEYS = 2.0, 1e18


@lru_cache(maxsize=64)
def keys_for(largest_weight: float, score_sd: float) -> float:
    """Return the number of keys for which a largest weight is the exact mean over rows.

    Parameters
    ----------
    largest_weight : float
        In 0..1.
    score_sd : float
        Of the independent normal scores of a row, 0 or more.

    Returns
    -------
    float
        Not a whole number as a rule; nan if none from 2 to 1e18 is it. The mean falls with the number of keys, so
        there is no other.

    Raises
    ------
    ValueError
        If an argument lies outside its limits.
    """
    from scipy.optimize import brentq

    wanted = float(within("largest_weight", largest_weight, 0.0, 1.0))
    sd = float(within("score_sd", score_sd, 0.0))

    def excess(logarithm: float) -> float:
        return float(expectations(math.exp(logarithm), sd).largest_weight) - wanted

    ends = math.log(FEWEST_KEYS), math.log(MOST_KEYS * (1.0 - 1e-12))
    if not excess(ends[1]) <= 0.0 <= excess(ends[0]):
        return math.nan
    return math.exp(float(brentq(excess, *ends, xtol=1e-9)))
