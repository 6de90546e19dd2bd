"""What reaches the logits, the query and the keys of this row, a plot a rule."""

from functools import lru_cache

import numpy as np

from attnsim.experiments.gradients.records import Gradients
from attnsim.figures.gradients.words import loss_words, quantity_of, roles, symbol, why_unknown
from attnsim.figures.marks import Axis, Bars, Cursor, Figure, Heat, Mark, Plot
from attnsim.figures.numbers import count, number, ticks
from attnsim.figures.softmax import largest_keys
from attnsim.view import View
from attnsim.words import _

MOST_BARS, MOST_ROWS, MOST_COLUMNS = 64, 16, 64


def build(result: Gradients, view: View) -> Figure:
    """Return the gradient by the logits, by q or by K, as it is picked."""
    return _built(result, max(1, quantity_of(view)))


@lru_cache(maxsize=8)
def _built(result: Gradients, quantity: int) -> Figure:
    row = result.row
    keys = largest_keys(row.row.scores(len(row.row.steps) - 1), MOST_BARS)
    plots = tuple(_plot(result, quantity, place, keys) for place in range(len(result.rules)))
    title = (_("Gradient by the logits"), _("Gradient by the query"), _("Gradient by the keys"))[quantity - 1]
    norms = row.norms[quantity]
    said = ", ".join(
        _("{norm} under {rule}").format(norm=number(float(norm)), rule=rule.title)
        for norm, rule in zip(norms, result.rules, strict=True)
    )
    return Figure(
        key="gradients_row",
        title=title,
        subtitle=_("This row · {loss}").format(loss=loss_words(result)),
        note=_note(result, quantity, keys.size),
        plots=plots,
        summary=_("{title} of this row: the norm is {norms}.").format(title=title, norms=said),
    )


def _note(result: Gradients, quantity: int, shown: int) -> str:
    row = result.row.row
    if quantity == 1 and shown < row.keys_total:
        return _("largest {shown} of {total}").format(shown=count(shown), total=count(row.keys_total))
    if quantity > 1 and row.dim > MOST_COLUMNS:
        return _("first {shown} of {total} components").format(shown=count(MOST_COLUMNS), total=count(row.dim))
    return ""


def _plot(result: Gradients, quantity: int, place: int, keys: np.ndarray) -> Plot:
    row, rule, role = result.row, result.rules[place], roles(result)[place]
    last = place == len(result.rules) - 1
    norm = float(row.norms[quantity, place])
    heading = ((rule.title, role), (_("{symbol} = {norm}").format(symbol=symbol(quantity), norm=number(norm)), "muted"))
    why = why_unknown(result, quantity, place) if not np.isfinite(norm) or (row.query is None and quantity == 2) else ""
    if quantity == 3 and row.query is not None and not why:
        return _keys_plot(result, place, keys[:MOST_ROWS], heading, last)
    if quantity == 3 and not why:
        values, label = abs(row.factors[place]) * np.abs(row.score_gradients[place, keys]), _("key, by score")
        values = values * float(row.row.query_norm[-1])
    elif quantity == 2 and row.query_gradients is not None:
        values, label = row.query_gradients[place, :MOST_COLUMNS], _("component of q")
    else:
        values, label = row.score_gradients[place, keys], _("key, by score")
    if why:
        return _empty(rule.name, ((rule.title, role), (why, "muted")))
    return _bars(rule.name, values, label if last else "", role, heading, keys if quantity != 2 else None)


def _bars(key: str, values, label: str, role: str, heading, keys) -> Plot:  # type: ignore[no-untyped-def]
    shown = np.where(np.isfinite(values), values, 0.0)
    low, high = min(0.0, float(shown.min())), max(0.0, float(shown.max()))
    room = high - low or 1.0
    slots = max(8, shown.size)
    y = Axis("", low - 0.06 * room, high + 0.34 * room, ticks=_few(low, high, room))
    marks: tuple[Mark, ...] = (Bars(np.arange(1.0, shown.size + 1.0), shown, 0.82, role, label=heading[0][0]),)
    rank = tuple((float(at), count(at)) for at in range(1, slots + 1) if at == 1 or at % (10 if slots > 16 else 2) == 0)
    x = Axis(label, 0.2, slots + 0.8, ticks=rank if label else ())
    return Plot(
        key=key, x=x, y=y, marks=(*marks, Cursor(0.0, "muted", across=True)), heading=heading,
        heading_side="right", keys=keys,
    )  # fmt: skip


def _few(low: float, high: float, room: float) -> tuple[tuple[float, str], ...]:
    return tuple(tick for tick in ticks(low, high if high > low else low + room, 4))


def _empty(key: str, heading) -> Plot:  # type: ignore[no-untyped-def]
    return Plot(key=key, x=Axis("", ticks=()), y=Axis("", ticks=()), marks=(), heading=heading, heading_side="right")


def _keys_plot(result: Gradients, place: int, keys: np.ndarray, heading, last: bool) -> Plot:  # type: ignore[no-untyped-def]
    """Draw dL/dK of the keys of largest score: as many rows, a column a component."""
    row = result.row
    assert row.query is not None
    query = row.query[:MOST_COLUMNS]
    matrix = row.factors[place] * row.score_gradients[place, keys][:, None] * query
    known = np.abs(matrix[np.isfinite(matrix)])  # none where the format overflowed
    reach = float(known.max(initial=0.0)) or 1.0
    x, y = np.arange(query.size + 1) + 0.5, np.arange(keys.size + 1) + 0.5
    heat = Heat(
        x, y, matrix, -reach, reach, scale="diverging", title="dL/dK", bar=False, label=result.rules[place].title
    )
    columns = tuple((float(at), count(at)) for at in range(1, query.size + 1) if at == 1 or at % 16 == 0)
    return Plot(
        key=result.rules[place].name,
        x=Axis(_("component") if last else "", 0.5, query.size + 0.5, ticks=columns if last else ()),
        y=Axis("", 0.5, keys.size * 1.35 + 0.5, ticks=((1.0, "1"), (float(keys.size), count(keys.size)))),
        marks=(heat,),
        heading=heading,
        heading_side="right",
        keys=keys,
    )
