"""The same training run at many learning rates: where each rule learns, and where it does not."""

from collections.abc import Iterator

import numpy as np

from attnsim.choices.scalings import Rule
from attnsim.experiments.gradients.records import Rates
from attnsim.experiments.gradients.training import Runs, training_dim
from attnsim.scenario import Scenario

LEARNING_RATES = {  # Adam's steps have one size whatever the gradient's, so its rates are smaller
    "sgd": np.array([0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0]),
    "adam": np.array([0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0]),
}
SEEDS, MOST_STEPS = 4, 100
LAST = 10  # steps whose accuracy counts as that of the end


def sweep(scenario: Scenario, rules: tuple[Rule, ...]) -> Iterator[tuple[float, Rates]]:
    """Yield the share of the work that is done, and the accuracies at the end as far as they are known.

    Parameters
    ----------
    scenario : Scenario
        With the lab's section.
    rules : tuple of Rule
    """
    options = scenario.section
    steps, seeds = min(options.training_steps, MOST_STEPS), min(options.training_seeds, SEEDS)
    rates = LEARNING_RATES[options.optimiser]
    accuracy = np.full((rates.size, len(rules), seeds), np.nan)
    if not any(np.isfinite(rule.factor(training_dim(scenario))) for rule in rules):
        return
    for place, rate in enumerate(rates):
        runs = Runs(scenario, rules, 0, seeds, float(rate))
        ending = []
        while runs.step <= steps:
            for _step in range(min(runs.steps_at_once, steps + 1 - runs.step)):
                found = runs.advance()["accuracy"]
                if runs.step > steps + 1 - LAST:
                    ending.append(found)
            if runs.step > steps:
                accuracy[place, runs.linear] = np.mean(ending, axis=0)
            yield (place + runs.step / (steps + 1)) / rates.size, Rates(rates.copy(), steps, accuracy.copy())
