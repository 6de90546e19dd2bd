"""Experiments: a Scenario goes in, ever better frozen Results come out."""

from collections.abc import Callable, Iterator

from attnsim.experiments.records import Walk
from attnsim.experiments.walk import run as run_walk
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

Experiment = Callable[[Scenario, Vectors | None], Iterator[Walk]]

EXPERIMENTS: dict[str, Experiment] = {
    "walk": run_walk,
}
