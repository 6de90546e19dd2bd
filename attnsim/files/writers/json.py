"""JSON: the figures as they are, marks and axes and tables, and under `attnsim` where they come from."""

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from attnsim.figures.marks import Figure
from attnsim.files.writers.series import plain

PREFIX = "attnsim:"
RECORDS = ("state", "scenario", "view", "vectors")  # entries that are JSON themselves


def write(figures: Sequence[Figure], stream: BytesIO, provenance: Mapping[str, str]) -> None:
    """Write figures as strict JSON: full precision, null for what is no finite number."""
    said = {name.removeprefix(PREFIX): text for name, text in provenance.items()}
    source: dict[str, Any] = {name: json.loads(text) if name in RECORDS else text for name, text in said.items()}
    # the source stands first, so that a reader finds it without the numbers
    record = {"attnsim": source, "figures": [_figure(figure) for figure in figures]}
    stream.write(json.dumps(record, ensure_ascii=False, allow_nan=False).encode())


def _figure(figure: Figure) -> dict[str, Any]:
    record: dict[str, Any] = plain(figure)
    for plot, drawn in zip(figure.plots, record["plots"], strict=True):
        for mark, parts in zip(plot.marks, drawn["marks"], strict=True):
            parts["kind"] = type(mark).__name__.lower()
    return record
