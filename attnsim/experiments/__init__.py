"""Experiments: a Scenario goes in, ever better frozen Results come out. A file and a registry line each."""

from collections.abc import Callable, Iterator
from importlib import import_module

from attnsim.experiments.result import Record
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

Experiment = Callable[[Scenario, Vectors | None], Iterator[Record]]


def _late(module: str) -> Experiment:
    """Return the `run` of a module that is loaded when it is first called: the window's start waits for none."""

    def run(scenario: Scenario, vectors: Vectors | None = None) -> Iterator[Record]:
        loaded: Experiment = import_module(f"attnsim.experiments.{module}").run
        return loaded(scenario, vectors)

    run.late = module  # type: ignore[attr-defined]
    return run


EXPERIMENTS: dict[str, Experiment] = {
    "walk": _late("walk"),
    "spread": _late("spread"),
    "scalings": _late("scalings"),
    "phase": _late("phase"),
    "gradients": _late("gradients"),
    "formats": _late("formats"),
    "initialisation": _late("initialisation"),
    "masks": _late("masks"),
    "planted": _late("planted"),
    "derivation": _late("derivation"),
    "which_d": _late("which_d"),
}
