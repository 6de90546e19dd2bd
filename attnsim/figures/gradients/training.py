"""The training run: how often the needle is found, and how much weight it has, step by step."""

import numpy as np

from attnsim.experiments.gradients.records import Gradients
from attnsim.experiments.result import moment_index
from attnsim.figures.gradients.runs import curve_plot, curves, rule_heading, runs_note, setting
from attnsim.figures.marks import Axis, Figure
from attnsim.figures.numbers import count, number
from attnsim.view import View
from attnsim.words import _

_SHARE = Axis("", 0.0, 1.36, ticks=((0.0, "0"), (0.5, "0.5"), (1.0, "1")))


def build(result: Gradients, view: View) -> Figure:
    """Return accuracy and weight on the needle up to the playhead."""
    return Figure(
        key="gradients_training",
        title=_("Learning to find the needle"),
        subtitle=setting(result),
        note=runs_note(result),
        plots=(
            curve_plot(result, view, "accuracy", _SHARE, rule_heading(result, _("needle found")), last=False),
            curve_plot(result, view, "needle", _SHARE, ((_("weight on the needle"), "ink"),), last=True),
        ),
        summary=_summary(result, view),
    )


def _summary(result: Gradients, view: View) -> str:
    if result.training is None:
        return _("No training run is made.") if result.scenario.section.training == "off" else _("Not trained yet.")
    at = moment_index(result, view.playhead)
    values = curves(result.training, "accuracy").values[0, at]
    said = ", ".join(
        _("{share} under {rule}").format(share="–" if np.isnan(value) else number(float(value)), rule=rule.title)
        for value, rule in zip(values, result.rules, strict=True)
    )
    return _("After {step} steps the needle is found by this share of the queries: {shares}.").format(
        step=count(int(result.moments[at])), shares=said
    )
