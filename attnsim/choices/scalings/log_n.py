"""Log n: sharper with more keys, so that the entropy of the weights stays."""

import math

import numpy as np

from attnsim.choices.scalings.rule import Floats, Parameter, Scaling, Setting, Value, log_keys, number
from attnsim.words import mark


def multiplier(dims: Floats, value: Value, setting: Setting) -> Floats:
    """Return ln n / ln(length) / sqrt(d)."""
    return np.asarray(log_keys(setting) / math.log(number(value)) / np.sqrt(dims))


SCALING = Scaling(
    key="log_n",
    title=mark("× ln n / ln {value} ÷ √d"),
    formula=r"\frac{\ln n}{\ln n_0}\, q \cdot k / \sqrt{d}",
    source="Su, on the entropy invariance of softmax attention, 2021; n_0 = 512 is the usual length",
    sentences=(
        mark("Multiplies ÷ √d by the logarithm of the number of keys over that of a usual length."),
        mark("The spread grows like ln n, which offsets the dilution by more keys."),
    ),
    color="rule_log_n",
    multiplier=multiplier,
    label=mark("× ln n ÷ √d"),
    parameter=Parameter(name="usual length", default=512.0, low=2.0, high=1000000000.0),
)
