"""How many runs of the training have learnt to find the needle, at a step."""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from attnsim.experiments.estimates import NORMAL_QUANTILE
from attnsim.experiments.gradients.records import Gradients, Training
from attnsim.experiments.records import Floats
from attnsim.experiments.result import moment_index
from attnsim.figures.gradients.rates import LEARNT
from attnsim.figures.readouts import Readout
from attnsim.view import View
from attnsim.words import _, mark

GROUP = mark("Training run")
LATEST = 10  # steps over which a run's accuracy is averaged: one step has some 32 queries


@lru_cache(maxsize=4)
def _running(training: Training) -> Floats:
    """Return each run's mean accuracy over the steps up to each one, shape (steps + 1, rules, runs)."""
    sums = np.cumsum(np.nan_to_num(training.accuracy), axis=0)
    before = np.concatenate((np.zeros((min(LATEST, len(sums)), *sums.shape[1:])), sums[:-LATEST]))
    steps = np.minimum(np.arange(1.0, len(sums) + 1.0), LATEST)[:, None, None]
    return np.where(np.isfinite(training.accuracy), (sums - before) / steps, np.nan)


def learnt(result: Gradients, view: View) -> tuple[Floats, Floats]:
    """Return how many runs of each rule have of late found the needle in 90 % of the queries, and out of how many."""
    if result.training is None:
        return np.zeros(0), np.zeros(0)
    late = _running(result.training)[moment_index(result, view.playhead)]
    with np.errstate(invalid="ignore"):
        return (late >= LEARNT).sum(axis=1), np.isfinite(late).sum(axis=1)


def learnt_cards(result: Gradients, view: View) -> tuple[Readout, ...]:
    """Return the share of runs that have learnt under each rule, with Wilson's 95 % interval."""
    cards = []
    for rule, good, runs in zip(result.rules, *learnt(result, view), strict=False):
        if not runs:
            continue
        low, high = wilson(int(good), int(runs))
        cards.append(
            Readout(
                key=f"learnt:{rule.name}",
                group=_(GROUP),
                title=_("runs that learnt, {rule}").format(rule=rule.title),
                value=float(good / runs),
                value_text=_("{good} of {runs}").format(good=int(good), runs=int(runs)),
                theory_text=_("needle found in 90 %"),
                low=low,
                high=high,
            )
        )
    return tuple(cards)


def wilson(good: int, runs: int) -> tuple[float, float]:
    """Return the ends of the 95 % interval of a share.

    References
    ----------
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.
    """
    z2, share = NORMAL_QUANTILE**2, good / runs
    middle = (share + z2 / (2.0 * runs)) / (1.0 + z2 / runs)
    reach = NORMAL_QUANTILE / (1.0 + z2 / runs) * math.sqrt(share * (1.0 - share) / runs + z2 / (4.0 * runs**2))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def training_numbers(result: Gradients, view: View) -> dict[str, Any]:
    """Return what the training run and the sweep over learning rates have shown."""
    training, names = result.training, [rule.name for rule in result.rules]
    if training is None:
        return {}
    at = moment_index(result, view.playhead)
    found: dict[str, Any] = {
        "dim": training.dim,
        "tokens": training.tokens,
        "step": int(result.moments[at]),
        "runs": training.seeds,
        "learnt": dict(zip(names, (int(good) for good in learnt(result, view)[0]), strict=True)),
    }
    for kind in ("loss", "accuracy", "needle", "score_sd", "gradient"):
        values = getattr(training, kind)[at]
        found[kind] = {name: [_plain(x) for x in values[place]] for place, name in enumerate(names)}
    if result.rates is not None:
        found["rates"] = result.rates.rates.tolist()
        found["rates_steps"] = result.rates.steps
        found["rates_accuracy"] = {
            name: [[_plain(x) for x in runs] for runs in result.rates.accuracy[:, place]]
            for place, name in enumerate(names)
        }
    return {"training": found}


def _plain(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None
