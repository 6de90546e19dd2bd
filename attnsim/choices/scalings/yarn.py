"""YaRN: a temperature for contexts that are longer than those of training."""

import math

import numpy as np

from attnsim.choices.scalings.rule import Floats, Parameter, Scaling, Setting, Value, number
from attnsim.words import mark


def multiplier(dims: Floats, value: Value, setting: Setting) -> Floats:
    """Return (0.1 ln s + 1)^2 / sqrt(d)."""
    return np.asarray((0.1 * math.log(number(value)) + 1.0) ** 2 / np.sqrt(dims))


SCALING = Scaling(
    key="yarn",
    title=mark("YaRN {value}×"),
    formula=r"(0.1 \ln s + 1)^2\, q \cdot k / \sqrt{d}",
    source="Peng et al., YaRN, 2023: 0.1 ln s + 1 on both the query and the key",
    sentences=(
        mark("Sharpens ÷ √d a little when the context is s times as long as in training."),
        mark("At s = 32 the factor is 1.81, whatever the number of keys really is."),
    ),
    color="rule_yarn",
    multiplier=multiplier,
    label=mark("YaRN, longer context"),
    parameter=Parameter(name="context ratio", default=32.0, low=1.0, high=1000000.0),
)
