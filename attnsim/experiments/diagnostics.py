"""Critical scale of one row of raw scores, drawn or real: competitors by gap, and where one key takes over."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.masks import MASKS
from attnsim.experiments.records import Walk, freeze
from attnsim.words import _

Floats = NDArray[np.float64]

POINTS = 121


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """What the gaps of one row say; scores are raw, so that scales are factors of a scale rule.

    Attributes
    ----------
    keys : int
    score_sd : float
        Of the row's raw scores.
    gaps : float64 array, shape (points,)
        From 0 to the widest of the row.
    competitors, normal_competitors : float64 array, shape (points,)
        How many other keys lie within each gap of the largest score: in this row, and on average for
        independent normal scores of the same spread.
    concentration_scale : float
        Factor at which sum p^2 reaches 1/2; inf where two keys share the largest score.
    accumulation_scale : float
        Largest ln N(gap)/gap: above it no gap's competitors outweigh the largest score.
    normal_threshold : float
        sqrt(2 ln n)/score_sd, the threshold of many normal scores.
    rules : tuple of (str, float, bool)
        Name, factor, and whether it is at or beyond `concentration_scale`.
    """

    keys: int
    score_sd: float
    gaps: Floats
    competitors: Floats
    normal_competitors: Floats
    concentration_scale: float
    accumulation_scale: float
    normal_threshold: float
    rules: tuple[tuple[str, float, bool], ...]

    def __post_init__(self) -> None:
        freeze(self)


def visible_scores(result: Walk) -> Floats:
    """Return the row's raw scores at the end of those keys that the mask shows, shape (keys seen,)."""
    scores = result.row.scores(-1)
    flags = MASKS[result.scenario.mask].visible(scores[None, :], result.sight)
    return scores if flags is None else scores[flags[0]]


def diagnose(result: Walk) -> Diagnostics:
    """Return the diagnostics of a result's row at its last checkpoint.

    Raises
    ------
    ValueError
        If the row has one key, which nothing competes with.
    """
    from attnsim.theory import gap_counting

    scores = visible_scores(result)
    if scores.size < 2:
        raise ValueError(
            _("keys must be 2 or more that are seen, to have gaps between scores, not {value}").format(
                value=scores.size
            )
        )
    sd = float(scores.std(ddof=1))
    widest = float(scores.max() - scores.min())
    gaps = np.linspace(0.0, widest, POINTS)
    concentration = float(gap_counting.concentration_scale(scores))
    normal = gap_counting.normal_gap_counts(scores.size, sd, gaps) if sd > 0.0 else np.full(POINTS, scores.size - 1.0)
    factors = [
        (rule.name, float(rule.multiplier(result.row.dim)))
        for rule in result.rules
        if np.isfinite(rule.factor(result.row.dim))
    ]
    return Diagnostics(
        keys=scores.size,
        score_sd=sd,
        gaps=gaps,
        competitors=gap_counting.gap_counts(scores, gaps),
        normal_competitors=normal,
        concentration_scale=concentration,
        accumulation_scale=float(gap_counting.accumulation_scale(scores)),
        normal_threshold=math.sqrt(2.0 * math.log(scores.size)) / sd if sd > 0.0 else math.inf,
        rules=tuple((name, factor, factor >= concentration) for name, factor in factors),
    )
