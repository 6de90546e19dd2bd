"""From stored arrays to queries and keys of shape (heads, rows, dim): checks, axes, number types."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnsim.files.readers.arrays import Pair
from attnsim.files.readers.entries import Entry, Form, ReadError
from attnsim.scenario import knobs
from attnsim.words import _

HEADS_FIRST = ("bhnd", "bhsd", "bhtd", "bhld")  # names by which people mark (batch, heads, rows, dim)
ROWS_FIRST = ("bnhd", "bshd", "bthd", "blhd")  # and (batch, rows, heads, dim)
LARGEST = 1e100  # beyond it a product of two components may overflow

Shape = tuple[int, int, int, int]  # batch, heads, rows, dim
Layout = tuple[bool, bool]  # whether q, k have their rows before their heads


def check_form(entry: Entry, form: Form) -> None:
    """Raise ReadError unless an array may be q or k as far as its header tells."""
    kind = form.dtype.kind
    wanted = _("float16, float32 or float64 vectors were wanted")
    if form.dtype.hasobject:
        came = _("holds pickled Python objects, which are never opened")
    elif kind in "iu":
        came = _("holds whole numbers ({type}), which are quantised vectors without their scale").format(
            type=form.dtype.name
        )
    elif kind != "f" or form.dtype.itemsize > 8:
        came = _("holds {type} values").format(type=form.dtype.name)
    elif not 2 <= len(form.shape) <= 4:
        came = _("has the shape {shape}").format(shape=form.shape)
        wanted = _("(rows, dim), (heads, rows, dim) or (batch, heads, rows, dim) was wanted")
    elif 0 in form.shape:
        came = _("is empty: its shape is {shape}").format(shape=form.shape)
        wanted = _("at least one row of one component was wanted")
    else:
        return
    raise ReadError(f"{entry.label} {came}; {wanted}")


def read_pair(pair: Pair) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Read a layer, one batch after the other.

    Yields
    ------
    q : float64 array, shape (query heads, queries, dim)
    k : float64 array, shape (key heads, keys, dim)
        Contiguous, all values finite.
    """
    layout = layout_of(pair)[0]
    arrays = [_stacked(entry, rows_first) for entry, rows_first in zip((pair.q, pair.k), layout, strict=True)]
    for q, k in zip(*arrays, strict=True):
        yield np.ascontiguousarray(q), np.ascontiguousarray(k)


def layout_of(pair: Pair) -> tuple[Layout, str]:
    """Decide which axis is which, from the headers alone.

    Returns
    -------
    layout : pair of bool
        Whether q, k have their rows before their heads.
    note : str
        How a shape of four axes was read when another reading was possible too, or empty.

    Raises
    ------
    ReadError
        If no reading makes q and k fit each other.
    """
    entries = (pair.q, pair.k)
    forms = [entry.describe() for entry in entries]
    for entry, form in zip(entries, forms, strict=True):
        check_form(entry, form)
    named = [_named(entry.name, form) for entry, form in zip(entries, forms, strict=True)]
    layouts = _candidates(named)
    problems = [_misfit(pair, _axes(forms[0], q), _axes(forms[1], k)) for q, k in layouts]
    fitting = [layout for layout, problem in zip(layouts, problems, strict=True) if not problem]
    if not fitting:
        raise ReadError(problems[0])
    if len(fitting) > 1 or any(fitting[0]):
        return fitting[0], _layout_note(fitting[0], doubtful=len(fitting) > 1)
    return fitting[0], ""


def _named(name: str, form: Form) -> bool | None:
    """Whether rows come before heads, where shape or name settle it."""
    words = {word.lower() for word in re.findall(r"[A-Za-z]+", name)}
    if len(form.shape) < 4 or words & set(HEADS_FIRST):
        return False
    return True if words & set(ROWS_FIRST) else None


def _candidates(named: list[bool | None]) -> list[Layout]:
    """Return the layouts to try, the likeliest first: q and k are mixed only where one of them is settled."""
    q, k = named
    if q is None and k is None:
        return [(False, False), (True, True)]
    if q is None:
        return [(bool(k), bool(k)), (not k, bool(k))]
    if k is None:
        return [(q, q), (q, not q)]
    return [(q, k)]


def _axes(form: Form, rows_first: bool) -> Shape:
    batch, heads, rows, dim = (1,) * (4 - len(form.shape)) + form.shape
    return (batch, rows, heads, dim) if rows_first else (batch, heads, rows, dim)


def _misfit(pair: Pair, q: Shape, k: Shape) -> str:
    """Say why queries and keys do not fit each other or the limits, or return empty."""
    label = pair.q.file if pair.q.file != pair.k.file else f"{pair.q.file} ({pair.name})"
    most = {name: int(knobs()[name].high) for name in ("dim", "keys")}
    if q[3] != k[3]:
        return _("{label}: q and k must have the same dim, not {q} and {k}").format(label=label, q=q[3], k=k[3])
    if q[1] % k[1]:
        return _("{label}: the {q} heads of q must be a multiple of the {k} heads of k").format(
            label=label, q=q[1], k=k[1]
        )
    if q[0] != k[0]:
        return _("{label}: q and k must have the same batch, not {q} and {k}").format(label=label, q=q[0], k=k[0])
    for name, value in (("dim", k[3]), ("keys", k[2])):
        if value > most[name]:
            return _("{label}: {name} must lie in 1..{most}, not {value}").format(
                label=label, name=name, most=most[name], value=value
            )
    return ""


def _layout_note(layout: Layout, doubtful: bool) -> str:
    heads, rows = _("batch, heads, rows, components"), _("batch, rows, heads, components")
    q, k = (rows if rows_first else heads for rows_first in layout)
    if q != k:
        return _("q was read as {q} and k as {k}").format(q=q, k=k)
    return (
        _("four axes were read as {axes}, though their order could be another").format(axes=q)
        if doubtful
        else _("four axes were read as {axes}").format(axes=q)
    )


def _stacked(entry: Entry, rows_first: bool) -> NDArray[np.float64]:
    """Read an array as (batch, heads, rows, dim), native float64, refusing what is not finite."""
    values: NDArray[Any] = entry.read()
    values = values.reshape((1,) * (4 - values.ndim) + values.shape)
    with np.errstate(invalid="ignore"):  # a signalling nan, told of below
        ordered = np.ascontiguousarray(values.swapaxes(1, 2) if rows_first else values, dtype=np.float64)
    fine = np.abs(ordered) <= LARGEST  # nan fails here too
    if not fine.all():
        batch, head, row, component = np.unravel_index(int(np.argmin(fine)), fine.shape)
        raise ReadError(
            _(
                "{label} holds {count} values that are not finite or beyond {largest:g},"
                " the first in batch {batch}, head {head}, row {row}, component {component}"
            ).format(
                label=entry.label,
                count=int(fine.size - np.count_nonzero(fine)),
                largest=LARGEST,
                batch=batch,
                head=head,
                row=row,
                component=component,
            )
        )
    return ordered
