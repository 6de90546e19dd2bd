"""Gradients: what the softmax lets through in one row, in many rows, and in a small training run."""

from collections.abc import Iterator
from dataclasses import replace

from attnsim.choices.sections.gradients import GradientOptions
from attnsim.experiments.closed_forms import rules_at
from attnsim.experiments.gradients.rates import sweep
from attnsim.experiments.gradients.records import Gradients
from attnsim.experiments.gradients.row import RowDraws
from attnsim.experiments.gradients.spread import SpreadDraws
from attnsim.experiments.gradients.training import train
from attnsim.scenario import Scenario
from attnsim.vectors import Vectors

STATIC, TRAINED = 0.3, 0.6  # shares of the work before the training run and after it, for the progress


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
    kind = scenario.section.training
    if kind != "off":
        until = TRAINED if kind == "rates" else 0.999
        for done, training in train(scenario, rules):
            result = replace(result, training=training, fraction=STATIC + (until - STATIC) * done)
            yield result
    if kind == "rates":
        for done, rates in sweep(scenario, rules):
            result = replace(result, rates=rates, fraction=TRAINED + (0.999 - TRAINED) * done)
            yield result
    yield replace(result, fraction=1.0)
