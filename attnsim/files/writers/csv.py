"""CSV: a block of columns for each mark, side by side, with the scenario in comment lines above.

`pandas.read_csv(file, comment="#")` reads it in one call. A column is named `figure/plot/mark/quantity [axis]`, the
mark with its number, kind and label; blocks are as long as their data, so shorter ones end in empty cells. Numbers are
written to the last digit (`repr`).
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from itertools import zip_longest
from typing import Any

import numpy as np

from attnsim.figures.marks import Figure
from attnsim.files.writers.series import Block, blocks, unique

NEW_LINES = str.maketrans("\r\n", "  ")
READING = 'a block of columns a mark, named figure/plot/mark/quantity [axis]; pandas: read_csv(file, comment="#")'


def write(figures: Sequence[Figure], stream: BytesIO, provenance: Mapping[str, str]) -> None:
    """Write the numbers behind figures."""
    text = io.StringIO(newline="")
    for line in (provenance.get("attnsim:footer", ""), READING):
        text.write(f"# {line}\n")
    for name, entry in provenance.items():
        text.write(f"# {name} {entry.translate(NEW_LINES)}\n")
    columns = [column for block in blocks(figures) for column in _columns(block)]
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(unique([head for head, _cells in columns]))
    writer.writerows(zip_longest(*(cells for _head, cells in columns), fillvalue=""))
    stream.write(text.getvalue().encode())


def _columns(block: Block) -> Iterator[tuple[str, list[str]]]:
    label = f" ({block.label})" if block.label else ""
    where = "/".join(filter(None, (block.figure, block.plot, block.name + label)))
    for quantity, (axis, values) in block.columns.items():
        yield _line(f"{where}/{quantity}" + (f" [{axis}]" if axis else "")), _cells(values)


def _cells(values: Any) -> list[str]:
    plain = np.asarray(values, dtype=object).tolist()
    return [repr(value) if isinstance(value, (int, float)) else _line(str(value)) for value in plain]


def _line(text: str) -> str:
    """Return a text that no reader takes for a new line or a comment."""
    return " ".join(text.split()).replace("#", "№")
