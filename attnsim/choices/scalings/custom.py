"""A factor that the user types as a formula."""

from typing import Any

import numpy as np

from attnsim.choices.scalings.formula import Expression, Formula
from attnsim.choices.scalings.rule import Floats, Scaling, Setting, Value
from attnsim.words import mark


def multiplier(dims: Floats, value: Value, setting: Setting) -> Floats:
    """Return the formula's value at each dimension."""
    assert isinstance(value, Expression)
    numbers: dict[str, Any] = {
        name: np.float64(getattr(setting, name)) for name in ("d_model", "layer", "sigma_q", "sigma_k", "rho")
    }
    numbers |= {"d": dims, "n": np.float64(setting.keys), "within_sd": setting.within_sd(dims)}
    return np.broadcast_to(value.value(numbers), dims.shape).copy()


SCALING = Scaling(
    key="custom",
    title=mark("× {value}"),
    label=mark("× a formula"),
    formula=r"f(d, n, \ldots)\; q \cdot k",
    source="your own",
    sentences=(
        mark("Multiplies the score by a formula of d, n, d_model, layer, sigma_q, sigma_k, rho and within_sd."),
        mark("A rule of your own stands beside the others on the same draw."),
    ),
    color="rule_custom",
    multiplier=multiplier,
    parameter=Formula(name="formula", default="1/sqrt(d)"),
)
