"""How steeply a measured spread rises on logarithmic axes."""

from dataclasses import dataclass

import numpy as np

from attnsim.experiments.spread.records import Growth

DECADES = 64.0  # the last dimensions up to this factor below the last are looked at
FEWEST = 3


@dataclass(frozen=True, slots=True)
class Slope:
    """Slope of ln sd against ln d over the last dimensions, with its standard error, and theory's over the same."""

    value: float
    error: float
    theory: float


def slope(growth: Growth) -> Slope | None:
    """Return the slope of the spread over all pairs, by weighted least squares; None without points enough."""
    ratio = growth.sd.error / growth.sd.value
    known = (growth.dims >= growth.dims[-1] / DECADES) & np.isfinite(ratio) & (ratio > 0.0)
    if known.sum() < FEWEST:
        return None
    x, weight = np.log(growth.dims[known]), ratio[known] ** -2.0
    x = x - (weight * x).sum() / weight.sum()
    total = float((weight * x * x).sum())

    def fit(sd: np.ndarray) -> float:
        return float((weight * x * np.log(sd[known])).sum() / total)

    return Slope(fit(growth.sd.value), total**-0.5, fit(growth.theory_sd))
