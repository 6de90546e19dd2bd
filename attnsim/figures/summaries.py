"""What is said of a result beside its figures, for each experiment: headline, cards, caption, numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from attnsim.experiments.result import Record
from attnsim.figures.readouts import Readout
from attnsim.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What an experiment's results say.

    Attributes
    ----------
    headline : callable
        (result, view) -> a sentence true of this scenario, and its numbers at the playhead.
    readouts : callable
        (result, view) -> cards: measured numbers, each beside what theory says of it.
    order : callable
        (result, view) -> keys of the cards, the most telling first: as many are shown as there is room for.
    caption : callable
        (result) -> a sentence for the file: what was drawn, and what is seen.
    numbers : callable
        (result, view) -> what `attnsim run LAB --json` prints under `numbers`: plain numbers, lists and texts.
    moment_text : callable
        (result, moment) -> words for the playhead, such as "d = 12 of 64"; an empty text where nothing moves.
    """

    headline: Callable[[Record, View], tuple[str, str]]
    readouts: Callable[[Record, View], tuple[Readout, ...]]
    order: Callable[[Record, View], tuple[str, ...]]
    caption: Callable[[Record], str]
    numbers: Callable[[Record, View], dict[str, Any]]
    moment_text: Callable[[Record, int], str] = lambda _result, _moment: ""


# experiment -> the module in this room that holds its `SUMMARY`
SUMMARIES: dict[str, str] = {
    "walk": "walk_summary",
    "spread": "spread.summary",
    "scalings": "scalings.summary",
    "phase": "phase.summary",
    "gradients": "gradients.summary",
    "formats": "formats.summary",
    "initialisation": "initialisation.summary",
    "masks": "masks.summary",
    "planted": "planted.summary",
    "derivation": "walk_summary",
    "which_d": "which_d.summary",
}


def summary_of(result: Record) -> Summary:
    """Return what is said of results of this kind."""
    found: Summary = import_module(f"attnsim.figures.{SUMMARIES[result.experiment]}").SUMMARY
    return found
