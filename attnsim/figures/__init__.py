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
    "walk_distance": _late("walk_views.distance"),
    "walk_galton": _late("walk_views.galton"),
    "walk_lattice": _late("walk_views.lattice"),
    "walk_queries": _late("walk_views.queries"),
    "spread_density": _late("spread.density"),
    "spread_qq": _late("spread.quantiles"),
    "spread_growth": _late("spread.growth"),
    "spread_pooled": _late("spread.pooled"),
    "scalings_weights": _late("scalings.weights"),
    "scalings_dimension": _late("scalings.dimension"),
    "scalings_keys": _late("scalings.keys"),
    "scalings_table": _late("scalings.table"),
    "scalings_seed": _late("scalings.seed"),
    "phase_map": _late("phase.map"),
    "phase_simulated": _late("phase.simulated"),
    "phase_difference": _late("phase.difference"),
    "phase_cut": _late("phase.cut"),
    "gradients_training": _late("gradients.training"),
    "gradients_rates": _late("gradients.rates"),
    "gradients_loss": _late("gradients.loss"),
    "gradients_row": _late("gradients.row"),
    "gradients_jacobian": _late("gradients.jacobian"),
    "gradients_spread": _late("gradients.spread"),
    "gradients_dimension": _late("gradients.dimension"),
    "formats_exp": _late("formats.exponentials"),
    "formats_dot": _late("formats.products"),
    "formats_rounding": _late("formats.rounding"),
    "formats_order": _late("formats.orders"),
    "formats_claim": _late("formats.claim"),
    "formats_table": _late("formats.table"),
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
    "planted_scale": _late("planted.scale"),
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
