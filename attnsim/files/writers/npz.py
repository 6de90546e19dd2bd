"""NPZ: an array for each quantity of each mark, named `figure.plot.mark.quantity`.

`contents` is JSON: by mark, its label and the axis (with unit) of each quantity. `attnsim` is JSON too: where the
figures come from. `numpy.load(file)` reads it without pickle.
"""

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

import numpy as np

from attnsim.figures.marks import Figure, Heat
from attnsim.files.writers.series import blocks


def write(figures: Sequence[Figure], stream: BytesIO, provenance: Mapping[str, str]) -> None:
    """Write the arrays behind figures."""
    arrays: dict[str, Any] = {"attnsim": np.array(json.dumps(dict(provenance)))}
    contents = {}
    for block in blocks(figures):
        name = ".".join(filter(None, (block.figure, block.plot, block.name)))
        contents[name] = {"label": block.label} | {key: axis for key, (axis, _values) in block.columns.items()}
        for key, (_axis, values) in block.columns.items():
            arrays[f"{name}.{key.replace('/', '_')}"] = _array(values)
    for heat, name in _matrices(figures):  # as the matrix it is, beside the list of its cells
        arrays[f"{name}.matrix"] = np.asarray(heat.values)
    arrays["contents"] = np.array(json.dumps(contents, ensure_ascii=False))
    np.savez_compressed(stream, **arrays)


def _array(values: Any) -> Any:
    array = np.asarray(values)
    return array.astype(str) if array.dtype == object else array


def _matrices(figures: Sequence[Figure]) -> list[tuple[Heat, str]]:
    return [
        (mark, f"{figure.key}.{plot.key}.{number}_heat")
        for figure in figures
        for plot in figure.plots
        for number, mark in enumerate(plot.marks, start=1)
        if isinstance(mark, Heat)
    ]
