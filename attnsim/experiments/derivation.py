"""The walk to weights with rows of its own to check the lines of the derivation against."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import ClassVar

from attnsim.experiments.evidence import Evidence, evidence
from attnsim.experiments.records import Walk, freeze
from attnsim.experiments.walk import run as run_walk
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

WORK = 400_000  # variates drawn for the weights: some 20 ms
NEARLY = 0.999


@dataclass(frozen=True, slots=True, eq=False)
class Derivation(Walk):
    """A walk, and once it is complete what else was measured.

    Attributes
    ----------
    evidence : Evidence or None
        Rows behind the lines about terms and weights; None until the walk is complete, and for real vectors.
    """

    experiment: ClassVar[str] = "derivation"

    evidence: Evidence | None = None

    def __post_init__(self) -> None:
        freeze(self)


def run(scenario: Scenario, vectors: Vectors | None = None) -> Iterator[Derivation]:
    """Yield the walk ever better, and at the end with the rows that check its lines: a dragged knob waits for none.

    Parameters
    ----------
    scenario, vectors
        As for the walk.

    Yields
    ------
    Derivation
    """
    last = None
    for walk in run_walk(scenario, vectors):
        parts = {f.name: getattr(walk, f.name) for f in fields(Walk)}
        last = Derivation(**parts | {"fraction": min(walk.fraction, NEARLY)})
        yield last
    assert last is not None
    yield replace(last, fraction=1.0, evidence=None if vectors is not None else evidence(scenario, WORK))
