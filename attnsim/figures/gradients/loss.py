"""The training run: its loss, the spread of its scores and the size of its gradients, step by step."""

from attnsim.experiments.gradients.records import Gradients
from attnsim.experiments.result import moment_index
from attnsim.figures.gradients.runs import curve_plot, curves, rule_heading, runs_note, setting
from attnsim.figures.marks import Axis, Figure
from attnsim.figures.numbers import count, number
from attnsim.figures.which_d.logarithmic import powers_of_ten
from attnsim.view import View
from attnsim.words import _

DECADES = 5.0


def build(result: Gradients, view: View) -> Figure:
    """Return loss, standard deviation of the scaled scores and norm of the gradient up to the playhead."""
    parts = (("loss", _("loss")), ("score_sd", _("sd of the scaled scores")), ("gradient", _("norm of the gradient")))
    plots = tuple(
        curve_plot(
            result,
            view,
            name,
            _axis(result, name),
            rule_heading(result, title) if name == "loss" else ((title, "ink"),),
            last=name == "gradient",
        )
        for name, title in parts
    )
    return Figure(
        key="gradients_loss",
        title=_("Loss, scores, gradients"),
        subtitle=setting(result),
        note=runs_note(result),
        plots=plots,
        summary=_summary(result, view),
    )


def _axis(result: Gradients, name: str) -> Axis:
    low, high = 0.1, 1.0
    if result.training is not None:
        found = curves(result.training, name)
        high, low = found.most, max(found.least, found.most * 10.0**-DECADES)
    low, high = 0.8 * low, 1.25 * high * (high / low) ** 0.35  # room for the heading
    return Axis("", low, high, log=True, ticks=powers_of_ten(low, high))


def _summary(result: Gradients, view: View) -> str:
    if result.training is None:
        return _("No training run is made.") if result.scenario.section.training == "off" else _("Not trained yet.")
    at = moment_index(result, view.playhead)
    loss, spread = (curves(result.training, name).values[0, at] for name in ("loss", "score_sd"))
    said = "; ".join(
        _("{rule}: loss {loss}, scores spread {sd}").format(
            rule=rule.title, loss=number(float(one)), sd=number(float(other))
        )
        for rule, one, other in zip(result.rules, loss, spread, strict=True)
    )
    return _("After {step} steps, in the middle run: {said}.").format(step=count(int(result.moments[at])), said=said)
