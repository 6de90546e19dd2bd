"""Figures: plain data to draw, made from a Result and a View. A file a figure, a registry line each.

Figures of one lab live in a folder of its name; `FIGURES` names the module, which is loaded when the figure is first
built, so that the window's start waits for none it does not show.
"""

from collections.abc import Callable
from importlib import import_module

from attnsim.experiments.result import Record
from attnsim.figures.marks import Figure
from attnsim.view import View

Builder = Callable[[Record, View], Figure]


def _late(module: str) -> Builder:
    def build(result: Record, view: View) -> Figure:
        made: Figure = import_module(f"attnsim.figures.{module}").build(result, view)
        return made

    build.late = module  # type: ignore[attr-defined]
    return build


FIGURES: dict[str, Builder] = {
    "walk": _late("walk"),
    "scores": _late("scores"),
    "weights": _late("weights"),
    "initialisation_scores": _late("initialisation.scores"),
    "initialisation_signal": _late("initialisation.signal"),
    "initialisation_gradient": _late("initialisation.gradient"),
    "initialisation_collapse": _late("initialisation.collapse"),
    "masks_pattern": _late("masks.pattern"),
    "masks_weights": _late("masks.weights"),
    "masks_spread": _late("masks.spread"),
    "masks_top": _late("masks.top"),
    "masks_position": _late("masks.position"),
    "masks_empty": _late("masks.empty"),
    "planted_dimension": _late("planted.dimension"),
    "planted_keys": _late("planted.keys"),
    "planted_rho": _late("planted.rho"),
    "planted_map": _late("planted.map"),
    "derivation_sum": _late("derivation_pages.sum"),
    "derivation_growth": _late("derivation_pages.growth"),
    "derivation_weights": _late("derivation_pages.weights"),
    "derivation_questions": _late("derivation_pages.questions"),
    "which_d_code": _late("which_d.code"),
    "which_d_symptoms": _late("which_d.symptoms"),
    "which_d_growth": _late("which_d.growth"),
    "which_d_answer": _late("which_d.answer"),
    "which_d_bugs": _late("which_d.bugs"),
}
