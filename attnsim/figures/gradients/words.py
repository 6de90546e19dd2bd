"""What the figures of gradients have in common: whose gradient, which loss, which rules."""

import math

from attnsim.experiments.gradients.records import QUANTITIES, Gradients
from attnsim.figures.moment import rule_roles
from attnsim.view import View
from attnsim.words import _, mark

SYMBOLS = {"jacobian": "‖J‖", "scores": "|dL/dx|", "query": "|dL/dq|", "keys": "|dL/dK|"}
LOSSES = {
    "random": mark("upstream: a random direction of length 1"),
    "one_key": mark("loss: minus the weight on key 0"),
    "cross_entropy": mark("loss: cross-entropy on key 0"),
    "cross_entropy_largest": mark("loss: cross-entropy on the largest key"),
    "even": mark("upstream: alike for every key"),
}


def quantity_of(view: View) -> int:
    """Return the number of the quantity that is picked."""
    return QUANTITIES.index(view.pick("gradient", "query"))


def symbol(quantity: int) -> str:
    """Return the sign of a quantity's norm."""
    return SYMBOLS[QUANTITIES[quantity]]


def loss_words(result: Gradients, quantity: int = 1) -> str:
    """Return which loss pulls at the weights; the Jacobian knows of none."""
    return _("whatever the loss") if quantity == 0 else _(LOSSES[result.scenario.section.upstream])


def roles(result: Gradients) -> tuple[str, ...]:
    """Return the colour of each rule."""
    return rule_roles(result.rules)


def why_unknown(result: Gradients, quantity: int, rule: int) -> str:
    """Return why a norm is not known under a rule, in a few words; empty where it is."""
    if quantity < 2:
        return ""
    if not math.isfinite(result.row.factors[rule]):
        return _("not a factor of q·k")
    return _("components not drawn one by one") if quantity == 2 else ""
