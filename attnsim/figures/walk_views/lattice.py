"""Two keys' running sums against each other: a walk in the plane."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from attnsim.experiments.records import Floats, Walk
from attnsim.figures.marks import Axis, Dots, Figure, Line, Mark, Plot
from attnsim.figures.moment import moment
from attnsim.figures.numbers import count, number, ticks
from attnsim.figures.walk_views.fellows import fellows, is_sign_walk
from attnsim.theory.walk_distances import isotropic_distance_factor, lattice_mean_distance
from attnsim.view import View
from attnsim.words import _, several

SHOWN = 6  # pairs of keys whose paths are drawn
MOST_PAIRS = 4096
ROUND = np.linspace(0.0, 2.0 * math.pi, 121)


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """Walks of pairs of keys in the plane.

    Attributes
    ----------
    x, y : float64 array, shape (checkpoints + 1, pairs shown)
    rms, mean : float64 array, shape (checkpoints + 1,)
        Distance from the start over all pairs.
    law_rms, law_mean : float64 array, shape (checkpoints + 1,)
        By the row's own law given its query; nan where it has none.
    reach : float
        Half the width of the plane that is shown.
    pairs : int
    lattice : bool
        Whether each step goes to one of the four neighbours.
    """

    x: Floats
    y: Floats
    rms: Floats
    mean: Floats
    law_rms: Floats
    law_mean: Floats
    reach: float
    pairs: int
    lattice: bool


@lru_cache(maxsize=4)
def plane(result: Walk) -> Plane | None:
    """Return the pairs' walks; None for a row without two keys that share one law."""
    row, s = result.row, result.scenario
    keys = fellows(row)[: 2 * MOST_PAIRS]
    pairs = keys.size // 2
    if not pairs:
        return None
    walks = np.asarray(row.walks[:, keys[: 2 * pairs]], dtype=np.float64)
    first, second = walks[:, ::2], walks[:, 1::2]
    lattice = is_sign_walk(result)
    x, y = (0.5 * (first + second), 0.5 * (first - second)) if lattice else (first, second)
    far2 = x**2 + y**2
    still = np.all(row.mean[np.isfinite(row.mean)] == 0.0)
    law_rms = np.sqrt((1.0 if lattice else 2.0) * (row.sd**2 + row.mean**2))
    if lattice and still:
        law_mean = s.sigma_q * s.sigma_k * lattice_mean_distance(row.steps)
    elif result.vectors is None and s.law == "normal" and still:
        law_mean = float(isotropic_distance_factor(2)) * law_rms
    else:
        law_mean = np.full(law_rms.shape, np.nan)
    shown = np.ascontiguousarray(x[:, :SHOWN]), np.ascontiguousarray(y[:, :SHOWN])
    ends = [float(np.abs(part).max()) for part in shown]
    ends += [float(law_rms[-1])] if math.isfinite(law_rms[-1]) else []
    return Plane(
        *shown, np.sqrt(far2.mean(axis=1)), np.sqrt(far2).mean(axis=1), law_rms, law_mean,
        1.08 * max(ends) or 1.0, pairs, lattice,
    )  # fmt: skip


def build(result: Walk, view: View) -> Figure:
    """Return paths of a few pairs up to the playhead, and the circles of root mean square and mean distance."""
    found, now = plane(result), moment(result, view)
    reach = 1.0 if found is None else found.reach
    sides = ticks(-reach, reach, 6)
    names = _("running sum of key a"), _("running sum of key b")
    if found is not None and found.lattice:
        names = _("(key a + key b)/2"), _("(key a − key b)/2")
    plot = Plot(
        key="plane",
        x=Axis(names[0], -reach, reach, ticks=sides),
        y=Axis(names[1], -reach, 1.15 * reach, ticks=sides),
        marks=() if found is None else _marks(result, found, now.index),
        heading=((_("two keys are needed"), "muted"),) if found is None else _heading(found, now.index),
    )
    pairs = 0 if found is None else found.pairs
    return Figure(
        key="walk_lattice",
        title=_("Walks in the plane"),
        subtitle=_subtitle(found),
        note=several("{count} pair of keys", "{count} pairs of keys", pairs).format(count=count(pairs)),
        plots=(plot,),
        summary=_summary(found, now.index, now.step),
    )


def _marks(result: Walk, found: Plane, index: int) -> tuple[Mark, ...]:
    """Return the paths with a dot at their tips, and the law's circles."""
    marks: list[Mark] = []
    for pair in range(found.x.shape[1]):
        role, x, y = f"marked_{pair}", found.x[: index + 1, pair], found.y[: index + 1, pair]
        marks.append(Line(x, y, role, width=1.0, label=_pair_label(result, pair)))
        marks.append(Dots(x[-1:], y[-1:], role, size=6.0))
    circles = (found.law_rms[index], False, _("RMS distance")), (found.law_mean[index], True, _("mean distance"))
    for radius, dashed, words in circles:
        if math.isfinite(radius):
            x, y = radius * np.cos(ROUND), radius * np.sin(ROUND)
            marks.append(Line(x, y, "ink", dashed=dashed, width=1.2, label=words))
    return tuple(marks)


def _heading(found: Plane, index: int) -> tuple[tuple[str, str], ...]:
    """Return the distances over all pairs, and what the law says."""
    rms, law = (number(float(part[index])) for part in (found.rms, found.law_rms))
    mean, law_mean = (number(float(part[index])) for part in (found.mean, found.law_mean))
    return (
        (_("RMS {rms}, law {law}").format(rms=rms, law=law), "ink"),
        (_("mean {mean}, law {law}").format(mean=mean, law=law_mean), "muted"),
    )


def _pair_label(result: Walk, pair: int) -> str:
    keys = fellows(result.row)
    return _("keys {first} and {second}").format(first=int(keys[2 * pair]), second=int(keys[2 * pair + 1]))


def _subtitle(found: Plane | None) -> str:
    if found is not None and found.lattice:
        return _("±1 of two keys, turned 45°: the square lattice")
    return _("One key against another, same query")


def _summary(found: Plane | None, index: int, step: int) -> str:
    if found is None:
        return _("A walk in the plane needs two keys.")
    return _(
        "After {step} components the pairs are {rms} from the start by root mean square, {mean} on average."
    ).format(step=count(step), rms=number(float(found.rms[index])), mean=number(float(found.mean[index])))
