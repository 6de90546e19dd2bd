"""What the playhead points at."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from attnsim.choices.scalings import Rule
from attnsim.experiments.attention import Attention, row_attention
from attnsim.experiments.records import Walk
from attnsim.figures.numbers import count
from attnsim.figures.palette import color
from attnsim.view import View
from attnsim.words import _

Floats = NDArray[np.float64]

MOST_TRIES = 40  # names from which a free colour is chosen


@dataclass(frozen=True, slots=True)
class Moment:
    """One result at one dimension.

    Attributes
    ----------
    index : int
        Checkpoint of the row.
    step : int
        Its dimension m: how many components are summed.
    scores : float64 array, shape (keys,)
        Raw scores of the row there.
    highlighted : tuple of (int, int)
        Marked and hovered keys that exist: (number of the highlight colour, key).
    """

    index: int
    step: int
    scores: Floats
    highlighted: tuple[tuple[int, int], ...]


def moment(result: Walk, view: View) -> Moment:
    """Return what the playhead points at: the checkpoint at or just below it."""
    row = result.row
    index = max(0, row.index(view.playhead))
    marked = tuple((slot, key) for slot, key in enumerate(view.highlighted) if 0 <= key < row.keys)
    return Moment(index=index, step=int(row.steps[index]), scores=row.scores(index), highlighted=marked)


def rule_of(result: Walk, view: View) -> Rule:
    """Return the rule the view asks for, or the first one."""
    rules = result.rules
    return next((rule for rule in rules if rule.name == view.rule), rules[0])


def attention_of(rule: Rule, result: Walk, index: int) -> Attention:
    """Return what one of the result's rules makes of the row at a checkpoint."""
    return row_attention(result, index, result.scenario.scalings.index(rule.name))


def rule_roles(rules: tuple[Rule, ...]) -> tuple[str, ...]:
    """Return the colour role of each rule: one whose colour another one has before it takes a colour of its own."""
    return _free_roles(tuple(rule.scaling.color for rule in rules))


@lru_cache(maxsize=16)
def _free_roles(wanted: tuple[str, ...]) -> tuple[str, ...]:
    roles: list[str] = []
    for first in wanted:
        names = (first, *(f"{first}_again_{number}" for number in range(1, MOST_TRIES)))
        taken = {color(role, "light") for role in roles}
        roles.append(next((name for name in names if color(name, "light") not in taken), names[-1]))
    return tuple(roles)


def role_of(rule: Rule, rules: tuple[Rule, ...]) -> str:
    """Return the colour role of one of the rules."""
    return rule_roles(rules)[rules.index(rule)]


def title_of(rule: Rule, result: Walk, step: int) -> str:
    """Return the name of a rule, and whether it is what a real model multiplies by, at a dimension."""
    scale = None if result.vectors is None else result.vectors.current.scale
    if scale is not None and rule.is_linear and np.isclose(float(rule.multiplier(step)), scale, rtol=1e-5):
        return _("{rule} (model)").format(rule=rule.title)
    return rule.title


def key_label(key: int) -> str:
    """Return the words beside a highlighted key."""
    return _("key {number}").format(number=key)


def shown_of(shown: int, total: int, drawn: int) -> str:
    """Return how many of the row's keys are meant, or an empty string when it is all of them."""
    if drawn < total:
        return _("first {drawn} of {total} keys").format(drawn=count(drawn), total=count(total))
    if shown < total:
        return _("{shown} of {total} keys").format(shown=count(shown), total=count(total))
    return ""


def plain_law(result: Walk) -> bool:
    """Whether the law over draws is the plain one: mean 0, spread the root of the dimension."""
    theory = result.theory
    return (
        result.vectors is None
        and not np.any(theory.mean)
        and bool(np.allclose(theory.sd, np.sqrt(theory.steps), rtol=1e-6, atol=0.0))
    )
