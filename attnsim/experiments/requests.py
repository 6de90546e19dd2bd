"""From a Scenario to what a law is asked to draw."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.laws import LAWS, Draws, Request
from attnsim.scenario import Scenario
from attnsim.words import _


def reads_norms(scenario: Scenario) -> bool:
    """Whether a rule of the scenario reads the lengths of the keys."""
    return any(rule.scaling.needs_norms for rule in scenario.rules)


def check_norms(scenario: Scenario, drawn: Draws) -> None:
    """Raise ValueError if a rule reads the lengths of the keys and the law did not give them."""
    if drawn.key_squares is None:
        for rule in scenario.rules:
            if rule.scaling.needs_norms:
                raise ValueError(
                    _("scalings: {name} needs the lengths of the keys, which the law {law} does not give").format(
                        name=rule.name, law=scenario.law
                    )
                )


def request_for(scenario: Scenario, stream: str, steps: NDArray[np.int64], **which: Any) -> Request:
    """Return the request for rows and keys of a scenario; `which` names them, as in `Request`.

    Norms are asked for where a rule of the scenario reads them, unless `which` says otherwise.
    """
    only_first = scenario.aligned == "one"
    if not only_first:
        which.pop("aligned_share", None)
    which.setdefault("norms", reads_norms(scenario))
    return Request(
        seed=scenario.seed,
        stream=stream,
        steps=steps.copy(),  # those of a result are read-only, and a kernel would be compiled again for them
        sigma_q=scenario.sigma_q,
        sigma_k=scenario.sigma_k,
        mean_q=scenario.mean_q,
        mean_k=scenario.mean_k,
        rho=scenario.rho,
        r_q=scenario.r_q,
        r_k=scenario.r_k,
        only_first=only_first,
        **{name: getattr(scenario, name) for name in LAWS[scenario.law].reads},
        **which,
    )


def work_of(scenario: Scenario, checkpoints: int) -> tuple[int, int]:
    """Return how many random numbers and products a row takes by itself, and how many each of its keys."""
    law = LAWS[scenario.law]
    if law.work is not None:
        return law.work(scenario, checkpoints)
    return 0, checkpoints if law.exact_blocks else scenario.dim
