"""What initialisers and stacks are called, and their colours, which are not those of scale rules."""

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.initialisation.records import Initialised
from attnsim.experiments.tally import Means
from attnsim.figures.marks import Axis, Dots, Line, Mark, Text, Whiskers
from attnsim.figures.numbers import ticks
from attnsim.figures.which_d.logarithmic import powers_of_ten
from attnsim.words import _, mark

Floats = NDArray[np.float64]

NORMAL = 1.96  # 95 % of means over nets
TITLES = {
    "lecun": mark("LeCun"),
    "xavier_square": mark("Xavier, D × D"),
    "xavier_per_head": mark("Xavier, per head"),
    "xavier_fused": mark("Xavier, fused Q K V"),
    "xavier_gain_inverse_sqrt_2": mark("Xavier, gain 1/√2"),
    "linear_default": mark("PyTorch nn.Linear"),
    "kaiming_normal": mark("Kaiming"),
    "normal_0_02": mark("N(0, 0.02²)"),
    "small": mark("SmallInit"),
    "t5": mark("T5, made for no ÷ √d"),
}
STACKS = {
    "none": mark("N(0, σ²)"),
    "xavier": mark("Xavier 1/N"),
    "kaiming": mark("Kaiming 2/N"),
    "layer_norm": mark("LayerNorm"),
    "batch_norm": mark("BatchNorm"),
}
ROLES = {
    "none": "marked_3",
    "xavier": "marked_1",
    "kaiming": "marked_0",
    "layer_norm": "marked_2",
    "batch_norm": "marked_4",
}
LARGEST, LEAST = 1e30, 1e-30  # of a logarithmic axis; beyond it a curve leaves the picture


def layer_axis(result: Initialised) -> Axis:
    """Return the axis of layers, the input at 0."""
    layers = float(result.section.layers)
    marks = tuple(each for each in ticks(0.0, layers, 5) if each[0] == int(each[0]))
    return Axis(_("layer"), -0.02 * layers, 1.02 * layers, ticks=marks)


def decades(label: str, values: Floats, room: float) -> Axis:
    """Return a logarithmic axis around positive values, with room above them for names, as a share of its height."""
    shown = values[np.isfinite(values) & (values > 0.0)]
    low, high = (float(shown.min()), float(shown.max())) if shown.size else (0.5, 2.0)
    low, high = max(low, LEAST) * 0.6, min(high, LARGEST) * 1.6
    if high <= low:
        low, high = 0.5 * high, high
    top = low * (high / low) ** (1.0 / (1.0 - room))
    return Axis(label, low, top, log=True, ticks=powers_of_ten(low, high))


def stack_marks(means: Means, place: int, role: str, label: str) -> list[Mark]:
    """Return theory as a line in ink, and the means over nets as dots with 95 % whiskers."""
    x = np.arange(means.value.shape[1], dtype=np.float64)
    value, error, expected = means.value[place], means.error[place], means.expected[place]
    low = np.maximum(value - NORMAL * error, 1e-3 * value)  # a logarithmic axis has no 0
    inside = (value > LEAST) & (value < LARGEST)
    line = np.where((expected > LEAST) & (expected < LARGEST), expected, np.nan)
    value = np.where(inside, value, np.nan)
    return [
        Line(x, line, "ink", width=0.9, label=_("{name}: theory").format(name=label)),
        Whiskers(x, np.where(inside, low, np.nan), value + NORMAL * error, role, label=label),
        Dots(x, value, role, size=4.0, label=label),
    ]


def names_above(x: Axis, y: Axis, names: list[tuple[str, str]], room: float) -> list[Mark]:
    """Return (words, role) in the room above the curves, two a line."""
    lines = -(-len(names) // 2)
    marks: list[Mark] = []
    for number, (words, role) in enumerate(names):
        share = 1.0 - room * (number // 2 + 0.5) / lines
        height = y.low * (y.high / y.low) ** share
        marks.append(
            Text(x.low + (0.02 + 0.5 * (number % 2)) * (x.high - x.low), height, words, role, (0.0, 0.5), True)
        )
    return marks
