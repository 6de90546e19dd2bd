"""Phase diagram: where a row's weight is spread over many keys and where a few take it all."""

from collections.abc import Iterator

import numpy as np

from attnsim.experiments.expectations import why_none
from attnsim.experiments.phase import plane as exact
from attnsim.experiments.phase.record import METRICS, Floats, Phase
from attnsim.experiments.phase.rows import CHUNK, Point, gathered
from attnsim.experiments.phase.signs import sign_means, summed
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

SHARE_OF_THEORY = 0.3  # of the work, for the progress
BETWEEN = 2 * CHUNK  # variates drawn between two results


def run(scenario: Scenario, vectors: Vectors | None = None) -> Iterator[Phase]:
    """Yield the map: a sketch, exact lines of one n each, then the measured grid with ever more rows.

    Parameters
    ----------
    scenario : Scenario
        `section.plane` says what lies across. Over the spread, scores are independent normals whatever the law, mask
        and format, which only place the scenario's rules on the map.
    vectors : None
    """
    if scenario.section is None:
        from attnsim.choices.sections import section_of

        scenario = scenario.but(section=section_of("phase"))
    work = _Work(scenario)
    yield work.result(0.0)
    lines = [-1, *_coarse_to_fine(exact.KEYS.size)]
    for done, row in enumerate(lines, start=1):
        work.compute(row)
        yield work.result(SHARE_OF_THEORY * done / len(lines))
    for _point in work.sum_signs():
        yield work.result(SHARE_OF_THEORY)
    points = [point for row in work.all_points for point in row]
    total, drawn, since = max(1, sum(point.work for point in points)), 0, 0
    for first in (True, False):  # a chunk everywhere, then the rest
        for point in points:
            while point.work > 0:
                took = point.grow()
                drawn, since = drawn + took, since + took
                if since >= BETWEEN:
                    since = 0
                    yield work.result(min(0.999, SHARE_OF_THEORY + (1.0 - SHARE_OF_THEORY) * drawn / total))
                if first:
                    break
    yield work.result(1.0)


def _coarse_to_fine(rows: int) -> list[int]:
    order = [row for step in (8, 4, 2, 1) for row in range(rows - 1, -1, -step)]
    return list(dict.fromkeys(order))


class _Work:
    """What is known so far."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario, self.plane = scenario, scenario.section.plane
        spread = self.plane == "spread"
        self.x = exact.SPREADS if spread else exact.DIMS
        self.sample_x = exact.SAMPLE_SPREADS if spread else exact.SAMPLE_DIMS
        self.maps, rules = 1 if spread else len(scenario.scalings), len(scenario.scalings)
        self.theory = exact.sketch(scenario, self.plane, self.x)
        self.exact = np.zeros(exact.KEYS.size, dtype=np.bool_)
        self.cut = np.full((self.maps, len(METRICS), self.x.size), np.nan)
        own = np.array([float(scenario.dim)])
        self.spreads = exact.spreads_along(scenario, own, scenario.keys)[:, 0]
        self.limits = exact.limits(self.x, scenario.keys) if spread else np.full((len(METRICS), self.x.size), np.nan)
        self.thresholds = exact.thresholds(exact.KEYS)
        self.own_maximum = float(exact.thresholds(np.array([float(scenario.keys)]))[1, 0])
        self.borders = self._borders()
        grid = [[self._point(x, n) for x in self.sample_x] for n in exact.SAMPLE_KEYS]
        cut = [[self._point(x, scenario.keys) for x in self.sample_x]]
        here = [[Point(scenario, "dimension", scenario.dim, scenario.keys, rules)]]
        self.all_points = [*here, *cut, *grid]
        self.at_here = np.full((rules, len(METRICS), 1, 1), np.nan)
        self.at_cut = np.full((self.maps, len(METRICS), 1, self.sample_x.size), np.nan)
        self.at_grid = np.full((self.maps, len(METRICS), exact.SAMPLE_KEYS.size, self.sample_x.size), np.nan)
        self._reach_here = exact.reach(scenario, "dimension", own, scenario.keys)[:, None]
        self._reach_cut = self._reach(scenario.keys)[:, None]
        self._reach_grid = np.stack([self._reach(keys) for keys in exact.SAMPLE_KEYS], axis=1)

    def _point(self, x: float, keys: float) -> Point:
        return Point(self.scenario, self.plane, float(x), int(keys), self.maps)

    def _reach(self, keys: float) -> Floats:
        return exact.reach(self.scenario, self.plane, self.sample_x, keys)

    def _borders(self) -> Floats:
        if self.plane == "spread":
            return self.thresholds[None].copy()
        found = np.full((self.maps, 2, exact.KEYS.size), np.nan)
        for row, keys in enumerate(exact.KEYS):
            for place, spreads in enumerate(exact.spreads_along(self.scenario, self.x, keys)):
                found[place, :, row] = [exact.border(self.x, spreads, at) for at in self.thresholds[:, row]]
        return found

    def compute(self, row: int) -> None:
        """Compute the exact line of one n: a row of the map, or for -1 the cut at the scenario's own n."""
        s = self.scenario
        if row < 0:
            self.cut = exact.line(s, self.plane, self.x, s.keys)
            self.at_cut = exact.line(s, self.plane, self.sample_x, s.keys)[:, :, None]
            own = np.array([float(s.dim)])
            self.at_here = exact.line(s, "dimension", own, s.keys)[:, :, None]
            return
        keys = float(exact.KEYS[row])
        self.theory[:, :, row] = exact.line(s, self.plane, self.x, keys)
        self.exact[row] = True
        if keys in exact.SAMPLE_KEYS:
            at = int(np.searchsorted(exact.SAMPLE_KEYS, keys))
            self.at_grid[:, :, at] = exact.line(s, self.plane, self.sample_x, keys)

    def sum_signs(self) -> Iterator[None]:
        """Compute the exact means of signs, a point at a time: at the scenario's place, on the cut, at drawn points."""
        s = self.scenario
        if not summed(s):
            return
        places = [(self.at_here[:, :, 0, 0], s.dim, s.keys)]
        if self.plane == "dimension":
            cut, at = self.at_cut[:, :, 0], self.sample_x
            places += [(self.cut[:, :, column], int(x), s.keys) for column, x in enumerate(self.x)]
            places += [(cut[:, :, column], int(x), s.keys) for column, x in enumerate(at)]
            places += [
                (self.at_grid[:, :, row, column], int(x), int(n))
                for row, n in enumerate(exact.SAMPLE_KEYS)
                for column, x in enumerate(at)
            ]
        for target, dim, keys in places:
            for rule, means in enumerate(sign_means(s, dim, keys)):
                target[rule] = means
            yield

    def result(self, fraction: float) -> Phase:
        """Return a frozen result."""
        s = self.scenario
        note = why_none(s) if self.plane == "spread" else exact.why_no_map(s)
        return Phase(
            scenario=s,
            plane=self.plane,
            rules=s.rules,
            x=self.x.copy(),
            keys=exact.KEYS.copy(),
            theory=self.theory.copy(),
            exact=self.exact.copy(),
            cut=self.cut.copy(),
            limits=self.limits.copy(),
            thresholds=self.thresholds.copy(),
            borders=self.borders.copy(),
            own_maximum=self.own_maximum,
            spreads=self.spreads.copy(),
            sample_x=self.sample_x.copy(),
            sample_keys=exact.SAMPLE_KEYS.copy(),
            sample=gathered(self.all_points[2:], self.at_grid, self._reach_grid),
            cut_sample=gathered(self.all_points[1:2], self.at_cut, self._reach_cut),
            here=gathered(self.all_points[:1], self.at_here, self._reach_here),
            note=note,
            fraction=fraction,
        )
