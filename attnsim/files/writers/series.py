"""The numbers behind figures, mark by mark, for files of data."""

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attnsim.figures.marks import Bars, Cursor, Figure, Heat, Mark, Paths, Plot, Rug, Table, Text

Columns = dict[str, tuple[str, Any]]  # quantity -> (its axis, with unit; values)


@dataclass(frozen=True, slots=True)
class Block:
    """One mark of a plot, one table or one page of text.

    Attributes
    ----------
    figure, plot : str
        Keys; no plot for what stands under the plots.
    name : str
        Number and kind within the plot, such as `2_line`.
    label : str
        What hovering over it says; may be empty.
    columns : dict of str to (str, array or tuple)
        Quantity to the label of its axis, with unit, and its values.
    """

    figure: str
    plot: str
    name: str
    label: str
    columns: Columns


def blocks(figures: Sequence[Figure]) -> Iterator[Block]:
    """Yield what figures show, in order; every number in full precision."""
    for figure in figures:
        for plot in figure.plots:
            for number, mark in enumerate(plot.marks, start=1):
                name = f"{number}_{type(mark).__name__.lower()}"
                yield Block(figure.key, plot.key, name, getattr(mark, "label", ""), _columns(mark, plot))
        table = figure.table
        if table is not None:
            columns = list(zip(*(table.values or table.rows), strict=True))
            heads = unique(_heads(table, len(columns)))
            cells = {head: ("", column) for head, column in zip(heads, columns, strict=True)}
            yield Block(figure.key, "", "table", "", cells)
        if figure.page:
            kinds, texts = zip(*((each.kind, each.text) for each in figure.page), strict=True)
            yield Block(figure.key, "", "text", "", {"kind": ("", kinds), "text": ("", texts)})


def unique(names: Sequence[str]) -> list[str]:
    """Return names of which those that came before get a number."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return found


def _heads(table: Table, count: int) -> list[str]:
    """Return a head for each column of a table's values: a cell with an interval has three, itself and both ends."""
    if count == len(table.heads):
        return list(table.heads)
    heads: list[str] = []
    for head, cell in zip(table.heads, table.rows[0], strict=True):
        heads += [head, f"{head}, low", f"{head}, high"] if "±" in cell else [head]
    return [*heads, *(f"value {number}" for number in range(len(heads) + 1, count + 1))][:count]


def _columns(mark: Mark, plot: Plot) -> Columns:
    x, y = plot.x.label, plot.y.label
    if isinstance(mark, Bars):
        along, up = (("y", y), ("x", x)) if mark.across else (("x", x), ("y", y))
        keys = {} if plot.keys is None or len(plot.keys) != len(mark.centers) else {"key": ("", plot.keys)}
        return {along[0]: (along[1], mark.centers), up[0]: (up[1], mark.heights)} | keys
    if isinstance(mark, Heat):
        return _cells(mark, x, y)
    if isinstance(mark, Paths):
        shown = {f"y_key_{key}": (y, mark.ys[: mark.shown, i]) for i, key in enumerate(mark.keys)}
        return {"x": (x, mark.x[: mark.shown])} | shown
    if isinstance(mark, Rug):
        return {"x": (x, mark.values)}
    if isinstance(mark, Cursor):
        return {"y": (y, (mark.at,))} if mark.across else {"x": (x, (mark.at,))}
    if isinstance(mark, Text):
        return {"x": (x, (mark.x,)), "y": (y, (mark.y,)), "text": ("", (mark.text,))}
    names = [f.name for f in dataclasses.fields(mark)]
    arrays = [name for name in names if isinstance(getattr(mark, name), np.ndarray)]
    return {name: (x if name == "x" else y, getattr(mark, name)) for name in arrays}


def _cells(mark: Heat, x: str, y: str) -> Columns:
    """Return a line for each cell of a matrix, row by row from the low end of y."""
    rows, columns = np.shape(mark.values)
    edges_x, edges_y = np.asarray(mark.x), np.asarray(mark.y)
    return {
        "x_low": (x, np.tile(edges_x[:-1], rows)),
        "x_high": (x, np.tile(edges_x[1:], rows)),
        "y_low": (y, np.repeat(edges_y[:-1], columns)),
        "y_high": (y, np.repeat(edges_y[1:], columns)),
        "value": (mark.title, np.ravel(mark.values)),
    }


def plain(value: Any) -> Any:
    """Return a record, array or number as what strict JSON can hold; null for what is no finite number."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
