"""A query that sees no key: what three conventions make of it, and who keeps to which."""

import numpy as np
from numpy.typing import NDArray

from attnsim.experiments.masks.records import Masks
from attnsim.figures.marks import Figure, Paragraph, Table
from attnsim.figures.numbers import number
from attnsim.view import View
from attnsim.words import _

Floats = NDArray[np.float64]


def build(result: Masks, view: View) -> Figure:
    """Tabulate the weights and the output of a row of which every key is hidden, under three conventions."""
    empty = result.empty
    rows = (
        (_("zeros"), empty.zeros, empty.output[0]),
        (_("nan"), empty.undefined, empty.output[1]),
        (_("uniform"), empty.uniform, empty.output[2]),
    )
    table = Table(
        heads=(_("convention"), _("weights"), _("output")),
        rows=tuple((name, _written(weights), _number(float(output[0]))) for name, weights, output in rows),
    )
    return Figure(
        key="masks_empty",
        title=_("A row that sees nothing"),
        subtitle=_("{keys} keys, all of them hidden").format(keys=empty.zeros.size),
        note=_("computed here"),
        plots=(),
        summary=_("A fully masked row has weights 0, nan or all alike, by the convention of the program."),
        table=table,
        page=_page(),
    )


def _written(weights: Floats) -> str:
    return _("nan") if np.isnan(weights).any() else " ".join(f"{x:.2g}" for x in weights)


def _number(value: float) -> str:
    return _("nan") if np.isnan(value) else number(value)


def _page() -> tuple[Paragraph, ...]:
    return (
        Paragraph(_("Zeros: this program, ONNX Attention, PyTorch's attention from 2.5 on. Nothing was read.")),
        Paragraph(_("nan: the plain formula, PyTorch's attention before. One nan reaches every later layer.")),
        Paragraph(_("Uniform: a large negative number for −∞, as in jax.nn: the query reads what it must not see.")),
        Paragraph("exp(−∞ − (−∞)) / Σ exp(−∞ − (−∞)) = nan", "formula"),
        Paragraph(
            _("Padding makes such rows: a padded query under a padding mask, the first query of a shifted causal mask.")
        ),
        Paragraph(
            _("Sources: ONNX Attention, meaning of 1.23; PyTorch issue 103963 and pull request 131863 (2024); jax.nn.")
        ),
    )
