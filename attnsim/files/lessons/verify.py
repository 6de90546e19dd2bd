"""Whether the numbers that a lesson speaks of are those of the experiment."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from attnsim.experiments import EXPERIMENTS
from attnsim.experiments.result import Record
from attnsim.figures.summaries import summary_of
from attnsim.files.lessons.records import Claim, Lesson, Step
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.words import _


@dataclass(frozen=True, slots=True)
class Found:
    """What the experiment says to a claim.

    Attributes
    ----------
    claim : Claim
    value : float
    """

    claim: Claim
    value: float

    @property
    def holds(self) -> bool:
        """Whether the number lies where the step says."""
        return self.claim.low <= self.value <= self.claim.high


def verified(step: Step) -> tuple[Found, ...]:
    """Run a step's experiment and return what it says to each claim.

    Raises
    ------
    ValueError
        If the scenario cannot be drawn, or a claim names a number that there is not.
    """
    result = _result(LABS[step.lab].experiment, step.scenario)
    numbers = summary_of(result).numbers(result, step.view)
    return tuple(Found(claim, _number(numbers, claim.key)) for claim in step.claims)


@lru_cache(maxsize=2)
def _result(experiment: str, scenario: Scenario) -> Record:
    """Return the best result; kept, since steps often look at one scenario in several ways."""
    best = None
    for best in EXPERIMENTS[experiment](scenario, None):  # noqa: B007
        pass
    return best


def doubts(lesson: Lesson) -> tuple[str, ...]:
    """Return a sentence for each number that is not as a lesson says, and for what it lacks."""
    sentences = []
    for place, step in enumerate(lesson.steps, 1):
        try:
            found = verified(step)
        except ValueError as error:
            sentences.append(_("step {step}: {sentence}").format(step=place, sentence=error))
            continue
        sentences += [
            _("step {step}: {key} is {value:.6g}, not in {low:g}..{high:g}").format(
                step=place, key=each.claim.key, value=each.value, low=each.claim.low, high=each.claim.high
            )
            for each in found
            if not each.holds
        ]
    if not any(step.choices for step in lesson.steps):
        sentences.append(_("no step asks for a prediction"))
    if not lesson.ending:
        sentences.append(_("it does not say what to try next: a line of --- and a few words at the end"))
    return tuple(sentences)


def _number(numbers: Any, key: str) -> float:
    """Return the number at a path; a record with a `value` stands for it, and -1 is the last of a list."""
    at, rest = numbers, key
    while rest:
        names = [str(place) for place in range(-len(at), len(at))] if isinstance(at, list) else at
        if not isinstance(at, (dict, list)):
            raise ValueError(_("check: there is no {key}").format(key=key))
        name = next((name for name in sorted(names, key=len, reverse=True) if f"{rest}/".startswith(f"{name}/")), None)
        if name is None:
            known = ", ".join(map(str, names))
            raise ValueError(_("check: there is no {key}; known are {known}").format(key=rest, known=known))
        at, rest = at[int(name) if isinstance(at, list) else name], rest[len(name) + 1 :]
    if isinstance(at, dict) and "value" in at:
        at = at["value"]
    if isinstance(at, bool) or not isinstance(at, (int, float)):
        raise ValueError(_("check: {key} is no number but {value}").format(key=key, value=repr(at)))
    return float(at)
