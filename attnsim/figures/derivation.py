"""Why: expectation and variance of a score step by step, with a scenario's numbers, each line beside the simulation."""

from attnsim.experiments.evidence import Evidence
from attnsim.experiments.records import Walk
from attnsim.figures.derivation_sum import sum_steps, whole_steps
from attnsim.figures.derivation_weights import real_steps, weight_steps
from attnsim.figures.step import Step


def derivation(result: Walk, evidence: Evidence | None = None) -> tuple[Step, ...]:
    """Return the derivation for a result's scenario.

    Parameters
    ----------
    result : Walk
        With its ensemble, beside whose numbers the lines about whole scores stand.
    evidence : Evidence, optional
        Beside which those about single terms and about the weights stand; without it they have no check.

    Returns
    -------
    tuple of Step
        For real vectors a short one: nothing is known of their law.
    """
    if result.vectors is not None:
        return tuple(real_steps(result))
    return (*sum_steps(result.scenario, evidence), *whole_steps(result), *weight_steps(result, evidence))
