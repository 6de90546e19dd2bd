"""Gradients: what the softmax lets through in one row, in many rows, and in a small training run."""

from collections.abc import Iterator
from dataclasses import replace

from attnsim.choices.sections.gradients import GradientOptions
from attnsim.experiments.closed_forms import rules_at
from attnsim.experiments.gradients.records import Gradients
from attnsim.experiments.gradients.row import RowDraws
from attnsim.experiments.gradients.spread import SpreadDraws
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

STATIC = 0.4  # share of the work before the training run, for the progress


def run(scenario: Scenario, vectors: Vectors | None = None) -> Iterator[Gradients]:
    """Yield the gradients of a scenario, ever better: first this row, then many rows, then the training run.

    Parameters
    ----------
    scenario : Scenario
        Its section holds the lab's own options; the usual ones where it has none of this lab.
    vectors : Vectors, optional
        Not looked at.

    Yields
    ------
    Gradients
    """
    if not isinstance(scenario.section, GradientOptions):
        scenario = replace(scenario, section=GradientOptions())
    rules = rules_at(scenario, [scenario.dim])
    row = RowDraws(scenario, rules)
    spread = SpreadDraws(scenario)
    result = Gradients(scenario, rules, row.grow(), fraction=0.0, too_large=spread.too_large)
    yield result
    while row.fraction < 1.0:
        result = replace(result, row=row.grow(), fraction=0.1 * row.fraction)
        yield result
    while not spread.complete:
        spread.grow()
        result = replace(result, spread=spread.result(), fraction=0.1 + (STATIC - 0.1) * spread.fraction)
        yield result
    yield replace(result, fraction=1.0)
