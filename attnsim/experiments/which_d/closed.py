"""What theory says of the symptoms."""

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.sections.which_d import VARIANTS
from attnsim.experiments.expectations import COMPONENTS, expected_weights, why_none
from attnsim.scenario import Scenario

Floats = NDArray[np.float64]


def weight_theory(scenario: Scenario, factors: Floats) -> dict[str, Floats]:
    """Return expected entropy, largest weight and gradient of each variant; nan where there is no closed form.

    Parameters
    ----------
    scenario : Scenario
        Without mask and rounding.
    factors : float64 array, shape (variants,)

    Notes
    -----
    The gradient is the root of E c^2 |diag(p) - p p^T|_F^2, c being the factor.
    """
    unknown = np.full(len(VARIANTS), np.nan)
    found = {"entropy": unknown.copy(), "largest": unknown.copy(), "gradient": unknown.copy()}
    if why_none(scenario):
        return found
    if scenario.keys == 1:
        return {"entropy": np.zeros_like(unknown), "largest": np.ones_like(unknown), "gradient": np.zeros_like(unknown)}
    for place, factor in enumerate(factors):
        if scenario.law == "sign":
            # the exact sum over the values of a walk of signs; their Jacobian has no closed form here
            one = scenario.but(scalings=(f"constant:{1.0 / factor:.17g}",))
            expected = expected_weights(one, [scenario.dim])
            found["entropy"][place], found["largest"][place] = expected.entropy[0, 0], expected.largest_weight[0, 0]
        else:
            found["entropy"][place], found["largest"][place], found["gradient"][place] = _normal(scenario, factor)
    return found


def _normal(scenario: Scenario, factor: float) -> tuple[float, float, float]:
    from attnsim.theory import exchangeable
    from attnsim.theory.row_spread import averaged_expectations, row_spreads

    components = {name: float(getattr(scenario, name)) for name in COMPONENTS}
    spreads, chances = row_spreads(exchangeable.axes(float(scenario.dim), **components), factor)
    means = averaged_expectations(scenario.keys, spreads, chances)
    norm2 = max(0.0, float(means.jacobian_norm2))
    return max(0.0, float(means.entropy)), float(means.largest_weight), factor * norm2**0.5
