"""Planted key: one key is correlated with the query; how much weight it gets, and until when it is found."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain

import numpy as np

from attnsim.experiments.pace import breaths
from attnsim.experiments.planted.maps import Chart, Factors
from attnsim.experiments.planted.records import Planted
from attnsim.experiments.planted.sweeps import Along
from attnsim.experiments.planted.theory import planted, rules_for, why_silent
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

MOST = 65_536
RHO_POINTS = 21
MAP_DIMS, MAP_RHOS, MAP_KEYS = 17, 17, 12


def run(scenario: Scenario, vectors: Vectors | None = None) -> Iterator[Planted]:
    """Yield the weight of a planted key along dimension, keys and correlation, and over two of them.

    Parameters
    ----------
    scenario : Scenario
        Key 0 has `rho`, whatever `aligned` says, and the others are independent of the query; mask and number format
        are set aside.
    vectors : Vectors, optional
        Not read: a planted key is drawn.

    Yields
    ------
    Planted
        The first knows a few rows along the dimension; then come the closed forms, all rows and the maps.
    """
    drawn = planted(scenario)
    along = (
        Along(drawn, "dim", dims(drawn)),
        Along(drawn, "keys", doublings(2, MOST, drawn.keys)),
        Along(drawn, "rho", rhos(drawn)),
    )
    charts = (
        Chart(drawn, "dim", grid(4, max(dims(drawn)), MAP_DIMS), grid(2, MOST, MAP_KEYS)),
        Chart(drawn, "rho", [round(x, 4) for x in np.linspace(0.0, 1.0, MAP_RHOS)], grid(2, MOST, MAP_KEYS)),
    )
    factors = Factors(drawn)
    silent, rules = why_silent(drawn), rules_for(drawn)

    def found(fraction: float) -> Planted:
        sweeps, maps = tuple(each.result() for each in along), tuple(chart.result() for chart in charts)
        return Planted(scenario, rules, sweeps, maps, factors.result(), silent, fraction)

    first, others = along[0], along[1:]
    for piece in first.first():
        piece()
    yield found(0.02)
    work: Iterable[Callable[[], None]] = chain(
        first.theory() if not silent else (),
        (partial(factors.weigh, place) for place in range(factors.at.size if not silent else 0)),
        *(each.first() for each in others),
        *(each.theory() for each in others if not silent),
        *(each.rest() for each in along),
        *(chart.work() for chart in charts),
    )
    for fraction in breaths(work):
        yield found(0.02 + 0.97 * fraction)
    yield found(1.0)


def dims(scenario: Scenario) -> list[float]:
    """Return powers of two, up to four times the scenario's own dimension or to 1,024 at least, and that."""
    top = min(MOST, max(1024, 4 * scenario.dim))
    return doublings(1, top, scenario.dim)


def doublings(low: int, high: int, own: int) -> list[float]:
    """Return low, 2 low, 4 low, ... up to high, and one more number."""
    points = {float(own)}
    while low <= high:
        points.add(float(low))
        low *= 2
    return sorted(points)


def rhos(scenario: Scenario) -> list[float]:
    """Return correlations from 0 (or the lower limit for a negative one) to what the scenario allows."""
    low, high = scenario.limits("rho")
    even = np.linspace(low if scenario.rho < 0.0 else 0.0, high, RHO_POINTS)
    return sorted({round(float(x), 6) for x in even[:-1]} | {float(high), scenario.rho})


def grid(low: int, high: float, points: int) -> list[float]:
    """Return whole numbers on an even grid of their logarithms."""
    return [float(x) for x in np.unique(np.round(np.geomspace(low, high, points)))]
