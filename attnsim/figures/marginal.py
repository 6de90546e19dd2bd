"""Histogram of one row's scores at the playhead, lying beside the walks."""

import math

import numpy as np

from attnsim.experiments.records import Walk
from attnsim.figures.marks import Axis, Bars, Dots, Line, Mark, Plot
from attnsim.figures.moment import Floats, Moment

MOST_BINS = 160
CURVE_POINTS = 81


def marginal(result: Walk, now: Moment, y: Axis) -> Plot:
    """Draw the row's scores as bars across and the normal curve of the row's own mean and spread.

    The axis is density times the row's spread: the curve keeps one shape while the playhead moves, and bars and
    curve share the unit.
    """
    row = result.row
    marks: list[Mark] = []
    sd, mean = float(row.sd[now.index]), float(row.mean[now.index])
    if now.step > 0:
        scale = sd if np.isfinite(sd) and sd > 0.0 else _spread(now.scores)
        edge, width = bins(result, now, scale, y.high - y.low)
        marks.append(_bars(now.scores, edge, width, scale, y))
        if np.isfinite(sd) and sd > 0.0:
            at = mean + sd * np.linspace(-4.0, 4.0, CURVE_POINTS)
            marks.append(Line(np.exp(-0.5 * ((at - mean) / sd) ** 2) / math.sqrt(2.0 * math.pi), at, "ink", width=1.1))
        for slot, key in now.highlighted:
            marks.append(Dots(np.array([0.0]), now.scores[key : key + 1], f"marked_{slot}", size=6.0))
    beside = Axis("", y.low, y.high, ticks=())
    return Plot(key="marginal", x=Axis("", 0.0, 0.72, ticks=()), y=beside, marks=tuple(marks), weight=0.2, beside=True)


def bins(result: Walk, now: Moment, scale: float, span: float) -> tuple[float, float]:
    """Return one edge and the width of equal bins that suit the scores at the playhead.

    Scores of +-1 components stand on a lattice; bins then hold a whole number of its points, each in the middle of
    its share, so that no bin is full and its neighbour empty by accident.
    """
    s = result.scenario
    width = max(1.9 * scale * max(now.scores.size, 8) ** (-1.0 / 3.0), span / MOST_BINS)
    if result.vectors is None and s.law == "sign" and s.mean_q == s.mean_k == 0.0:
        unit = s.sigma_q * s.sigma_k
        points = max(1, round(width / (2.0 * unit)))
        return unit * (now.step % 2) - unit, 2.0 * unit * points
    return float(result.row.mean[now.index]) - width / 2.0, width


def _bars(scores: Floats, edge: float, width: float, scale: float, y: Axis) -> Bars:
    low, high = max(float(scores.min()), y.low), min(float(scores.max()), y.high)
    first = math.floor((low - edge) / width)
    amount = max(1, min(4 * MOST_BINS, math.floor((high - edge) / width) - first + 1))
    place = np.floor((scores - edge) / width).astype(np.int64) - first
    inside = place[(place >= 0) & (place < amount)]
    counts = np.bincount(inside, minlength=amount)
    centers = edge + width * (first + 0.5 + np.arange(amount))
    return Bars(centers, counts * (scale / (scores.size * width)), width, "walk", across=True, opacity=0.75)


def _spread(scores: Floats) -> float:
    """Return a spread that one far score cannot ruin, for laws without variance."""
    low, high = np.quantile(scores, (0.25, 0.75))
    return float(high - low) / 1.349 or float(np.abs(scores).max()) or 1.0
