"""Histogram of one row's own logits, for a rule that is no factor of the score."""

import math
from functools import lru_cache

import numpy as np

from attnsim.choices.scalings import Rule
from attnsim.experiments.records import Walk
from attnsim.figures.marks import Bars, Mark, Rug
from attnsim.figures.moment import Floats, Moment, attention_of

FEWEST_BINS, MOST_BINS = 8, 40
ROOM = 0.5  # standard deviations beyond the outermost logit
CHECKPOINTS = (1.0, 0.5, 0.25)  # shares of the walk at which the range is looked up
HEADROOM = 1.12


def seen_logits(result: Walk, rule: Rule, now: Moment) -> Floats:
    """Return the finite logits of the keys that are seen, shape (seen,)."""
    logits = attention_of(rule, result, now.index).logits[0]
    return np.asarray(logits[np.isfinite(logits)])


@lru_cache(maxsize=4)
def logit_span(result: Walk, place: int) -> tuple[float, float]:
    """Return the range of a rule's logits over the later part of the walk.

    Parameters
    ----------
    result : Walk
    place : int
        Which of its rules.
    """
    rule, row = result.rules[place], result.row
    indices = {row.index(max(1, int(row.dim * share))) for share in CHECKPOINTS}
    values = np.concatenate([rule.logits(row.sums(index)) for index in sorted(indices)])
    room = ROOM * float(values.std()) or 1.0
    return float(values.min()) - room, float(values.max()) + room


def logit_marks(logits: Floats, span: tuple[float, float], role: str) -> tuple[list[Mark], float]:
    """Return the histogram of logits as bars, with strokes, and the top of its axis."""
    if not logits.size:
        return [], 1.0
    bins = min(max(int(2.0 * math.sqrt(logits.size)), FEWEST_BINS), MOST_BINS)
    counts, edges = np.histogram(logits, bins, span)
    width = float(edges[1] - edges[0])
    heights = counts / (logits.size * width)
    peak = float(heights.max())
    top = HEADROOM * math.sqrt(2.0) ** math.ceil(2.0 * math.log2(peak) - 1e-9) if peak > 0.0 else 1.0
    every = -(-logits.size // 512)
    strokes = logits[::every]
    opacity = max(0.12, min(0.5, 2.7 / math.sqrt(strokes.size)))
    bars = Bars(edges[:-1] + 0.5 * width, heights, width, role, opacity=0.75)
    return [bars, Rug(strokes, "ink", height=0.045, opacity=opacity)], top
