"""What is said of a walk to weights."""

from typing import Any

from attnsim.experiments.records import Walk
from attnsim.figures.headline import describe, headline
from attnsim.figures.numbers import count
from attnsim.figures.readouts import readouts
from attnsim.figures.summaries import Summary
from attnsim.view import View
from attnsim.words import _


def order(result: Walk, view: View) -> tuple[str, ...]:
    """Return the cards' keys, the most telling first."""
    rules = result.scenario.scalings
    first = rules[0]
    other = view.rule if view.rule != first else rules[-1]
    return (
        "row_sd",
        "sd",
        "within_sd",
        f"largest_weight:{first}",
        "scaled_sd",
        f"entropy:{other}",
        f"largest_weight:{other}",
        "mean",
        f"entropy:{first}",
        "row_mean",
    )


def numbers(result: Walk, view: View) -> dict[str, Any]:
    """Return each card's number with its prediction, interval and deviation."""
    return {
        card.key: {
            "value": card.value,
            "theory": card.theory,
            "low": card.low,
            "high": card.high,
            "standard_errors": card.deviation,
        }
        for card in readouts(result, view)
    }


def moment_text(result: Walk, moment: int) -> str:
    """Return which dimension is shown."""
    return _("d = {step} of {dim}").format(step=count(moment), dim=count(result.row.dim))


SUMMARY = Summary(
    headline=headline, readouts=readouts, order=order, caption=describe, numbers=numbers, moment_text=moment_text
)
