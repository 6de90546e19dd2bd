"""Scalable-Softmax: the base of the exponential grows with the number of keys."""

import numpy as np

from attnsim.choices.scalings.rule import Floats, Parameter, Scaling, Setting, Value, log_keys, number
from attnsim.words import mark


def multiplier(dims: Floats, value: Value, setting: Setting) -> Floats:
    """Return s ln n / sqrt(d)."""
    return number(value) * log_keys(setting) / np.sqrt(dims)


SCALING = Scaling(
    key="ssmax",
    title=mark("× {value} ln n ÷ √d"),
    formula=r"s \ln n\; q \cdot k / \sqrt{d}",
    source="Nakanishi, Scalable-Softmax Is Superior for Attention, 2025: n^(s z) in place of e^z",
    sentences=(
        mark("Puts n to the power s z where the softmax has e to the power z."),
        mark("Weights no longer flatten with n: independent scores condense on few keys beyond n = e^(2/s²)."),
    ),
    color="rule_ssmax",
    multiplier=multiplier,
    label=mark("× s ln n ÷ √d (SSMax)"),
    parameter=Parameter(name="s", default=0.43, low=1e-06, high=1000000.0),
)
