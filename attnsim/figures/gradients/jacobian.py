"""The softmax's derivative in this row, a matrix a rule."""

from functools import lru_cache

import numpy as np

from attnsim.experiments.gradients.records import Gradients
from attnsim.experiments.gradients.softmax_gradient import jacobian
from attnsim.experiments.records import Floats
from attnsim.figures.gradients.words import roles
from attnsim.figures.marks import Axis, Figure, Heat, Plot
from attnsim.figures.numbers import count, number
from attnsim.figures.softmax import largest_keys
from attnsim.view import View
from attnsim.words import _

MOST_KEYS = 16


def build(result: Gradients, view: View) -> Figure:
    """Return diag(p) - p p^T of the keys of largest score under each rule, two beside each other."""
    return _built(result)


@lru_cache(maxsize=4)
def _built(result: Gradients) -> Figure:
    row = result.row
    keys = largest_keys(row.row.scores(len(row.row.steps) - 1), MOST_KEYS)
    plots = tuple(
        _plot(result, number_, jacobian(row.weights[number_, keys]), keys) for number_ in range(len(result.rules))
    )
    shown = _("all {count} keys") if keys.size == row.row.keys_total else _("the {count} keys of largest score")
    norms = row.norms[0]
    strong, weak = int(np.nanargmax(norms)) if np.isfinite(norms).any() else 0, 0
    if np.isfinite(norms).any():
        weak = int(np.nanargmin(norms))
    return Figure(
        key="gradients_jacobian",
        title=_("What the softmax lets through"),
        subtitle=_("J = diag(p) − p pᵀ of {shown} · each its own colours").format(
            shown=shown.format(count=count(keys.size))
        ),
        note=_("key, largest score first"),
        plots=plots,
        summary=_(
            "The derivative of the weights by the logits has norm {most} under {strong} and {least} under {weak}."
        ).format(
            most=number(float(norms[strong])), strong=result.rules[strong].title,
            least=number(float(norms[weak])), weak=result.rules[weak].title,
        ),
    )  # fmt: skip


def _plot(result: Gradients, place: int, matrix: Floats, keys: np.ndarray) -> Plot:
    rule, size = result.rules[place], keys.size
    largest = float(np.nanmax(np.abs(matrix))) if np.isfinite(matrix).any() else 0.0
    edges = np.arange(size + 1, dtype=np.float64) + 0.5
    every = 1 if size <= 6 else 5
    ticks = tuple((float(rank), count(rank)) for rank in (1, *range(every if every > 1 else 2, size + 1, every)))
    reach = largest or 1.0
    heat = Heat(edges, edges, matrix, -reach, reach, scale="diverging", title="J", bar=False, label=rule.title)
    said = _("‖J‖ = {norm}").format(norm=number(float(result.row.norms[0, place])))
    last_row = place >= len(result.rules) - (1 if len(result.rules) % 2 else 2)
    axis = Axis("", 0.5, size + 0.5, ticks=ticks)
    return Plot(
        key=rule.name,
        x=axis if last_row else Axis("", 0.5, size + 0.5, ticks=()),
        y=Axis("", 0.5, (size + 0.5) * 1.18, ticks=ticks if place % 2 == 0 else ()),
        marks=(heat,),
        heading=((rule.title, roles(result)[place]), (said, "muted")),
        beside=place % 2 == 1,
        keys=keys,
    )
