"""Galton's board: each key is a ball that falls through d rows of pins, and the bins fill with end points."""

import math
from functools import lru_cache

import numpy as np

from attnsim.experiments.records import Floats, Walk, Whole
from attnsim.figures.marginal import bins
from attnsim.figures.marks import Axis, Bars, Dots, Figure, Line, Mark, Plot
from attnsim.figures.moment import key_label, moment
from attnsim.figures.numbers import count, number, step_ticks, ticks
from attnsim.figures.walk_views.fellows import fellows, is_sign_walk
from attnsim.theory.random_walk import end_points
from attnsim.view import View
from attnsim.words import _

TRAIL = 12  # paths of the balls that fell last
HEADROOM = 1.2


def build(result: Walk, view: View) -> Figure:
    """Return the paths of the balls that fell last, and below them the bins with those that have fallen.

    The playhead drops the balls one after the other, each through all components; at its end all keys have fallen.
    """
    row, now = result.row, moment(result, view)
    fallen = row.keys if now.step == row.dim else now.step * row.keys // max(1, row.dim)
    _edges, low, high = _board(result)
    board = Plot(
        key="board",
        x=Axis("", low, high, ticks=()),
        y=Axis(_("d"), -float(row.dim), 0.0, ticks=_downward(row.dim)),
        marks=_paths(result, fallen, now.highlighted),
    )
    law, exact = _law(result)
    words = _("no closed form") if law is None else _("line: exact law given q") if exact else _("line: normal limit")
    return Figure(
        key="walk_galton",
        title=_("Galton's board"),
        subtitle=_("The keys fall one by one while it plays"),
        note=words,
        plots=(board, _bins_plot(result, fallen, now.highlighted)),
        summary=_("{fallen} of {keys} end points lie in the bins; the largest is {largest}.").format(
            fallen=count(fallen),
            keys=count(row.keys),
            largest=number(float(row.scores(len(row.steps) - 1)[:fallen].max())) if fallen else "–",
        ),
    )


def _bins_plot(result: Walk, fallen: int, highlighted: tuple[tuple[int, int], ...]) -> Plot:
    """Return the bins with the end points of the balls that have fallen, and as many by the law."""
    edges, low, high = _board(result)
    row, top, (law, _exact) = result.row, _tallest(result), _law(result)
    counts = _landed(result, fallen)
    marks: list[Mark] = [Bars(0.5 * (edges[1:] + edges[:-1]), counts, float(edges[1] - edges[0]), "walk", opacity=0.75)]
    if law is not None:
        marks.append(Line(law[0], law[1] * fallen, "ink", width=1.2, label=_("law given q, times the balls")))
    for slot, key in highlighted:
        if key < fallen:
            marks.append(Dots(row.scores(len(row.steps) - 1)[key : key + 1], np.zeros(1), f"marked_{slot}", size=6.0))
    said = _("{fallen} of {keys} fallen").format(fallen=count(fallen), keys=count(row.keys))
    return Plot(
        key="bins",
        x=Axis(_("end point, the score q·k"), low, high, ticks=ticks(low, high, 6)),
        y=Axis(_("keys"), 0.0, top, ticks=ticks(0.0, top, 4)),
        marks=tuple(marks),
        weight=1.2,
        heading=((said, "muted"),),
    )


def _downward(dim: int) -> tuple[tuple[float, str], ...]:
    return tuple((0.0 - at, words) for at, words in step_ticks(dim))


@lru_cache(maxsize=4)
def _board(result: Walk) -> tuple[Floats, float, float]:
    """Return the edges of the bins and the ends of the common axis."""
    row, final = result.row, moment(result, View())
    scores = final.scores
    sd = float(row.sd[-1])
    scale = sd if math.isfinite(sd) and sd > 0.0 else float(scores.std()) or 1.0
    low, high = float(scores.min()), float(scores.max())
    if row.keys <= 500:  # the paths are seen: they fit in
        low, high = min(low, float(row.walks.min())), max(high, float(row.walks.max()))
    edge, width = bins(result, final, scale, max(high - low, scale))
    first, last = math.floor((low - edge) / width), math.floor((high - edge) / width)
    edges = np.asarray(edge + width * np.arange(first - 1, min(last, first + 400) + 3), dtype=np.float64)
    return edges, float(edges[0]), float(edges[-1])


@lru_cache(maxsize=4)
def _places(result: Walk) -> Whole:
    """Return the bin of each key's end point."""
    edges = _board(result)[0]
    scores = result.row.scores(len(result.row.steps) - 1)
    places = np.floor((scores - edges[0]) / (edges[1] - edges[0]))
    return np.asarray(np.clip(places, 0, edges.size - 2), dtype=np.int64)


def _landed(result: Walk, fallen: int) -> Floats:
    return np.bincount(_places(result)[:fallen], minlength=_board(result)[0].size - 1).astype(np.float64)


@lru_cache(maxsize=4)
def _tallest(result: Walk) -> float:
    law, _exact = _law(result)
    tallest = float(_landed(result, result.row.keys).max())
    return HEADROOM * max(tallest, 0.0 if law is None else float(law[1].max()) * result.row.keys, 1.0)


def _paths(result: Walk, fallen: int, highlighted: tuple[tuple[int, int], ...]) -> tuple[Mark, ...]:
    """Return the last paths, the newest strongest, downward from the top."""
    row = result.row
    depth = _depth(result)
    roles = {key: f"marked_{slot}" for slot, key in highlighted}
    marks: list[Mark] = []
    for key in range(max(0, fallen - TRAIL), fallen):
        newest = key == fallen - 1
        role = roles.get(key, "walk" if newest else "row_band")
        marks.append(Line(row.walks[:, key], depth, role, width=1.6 if newest else 0.7, label=key_label(key)))
    if fallen:
        end = float(row.walks[-1, fallen - 1])
        marks.append(Dots(np.array([end]), np.array([-float(row.dim)]), roles.get(fallen - 1, "walk"), size=8.0))
    return tuple(marks)


@lru_cache(maxsize=4)
def _depth(result: Walk) -> Floats:
    return 0.0 - result.row.steps.astype(np.float64)


@lru_cache(maxsize=4)
def _law(result: Walk) -> tuple[tuple[Floats, Floats] | None, bool]:
    """Return the chance of each bin given the query, for keys that share one law, and whether it is exact."""
    row, s, edges = result.row, result.scenario, _board(result)[0]
    mean, sd = float(row.mean[-1]), float(row.sd[-1])
    centers = 0.5 * (edges[1:] + edges[:-1])
    if is_sign_walk(result) and fellows(row).size == row.keys:
        places, chances = end_points(row.dim, (1.0 + s.rho) / 2.0)
        unit = s.sigma_q * s.sigma_k
        return (centers, np.histogram(unit * places, bins=edges, weights=chances)[0]), True
    if not (math.isfinite(sd) and sd > 0.0):
        return None, False
    from attnsim.theory.walk_distances import normal_shares

    return (centers, normal_shares(edges, mean, sd)), result.vectors is None and s.law == "normal"
