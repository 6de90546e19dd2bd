"""Measures items side by side: one process, one thread, CPU time, the median of interleaved rounds."""

import importlib.util
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

from attnsim.bench.clock import interleaved, middle, seconds
from attnsim.bench.item import Item
from attnsim.words import _

QUICK_READING, QUICK_BUDGET = 2e-3, 0.45  # seconds of CPU: of a reading, of an item's rounds
READING, BUDGET = 2e-2, 3.0


def measure(items: Sequence[Item], quick: bool = False, only: Collection[str] = ()) -> Iterator[dict[str, Any]]:
    """Yield one record an id, in the order of the items.

    Parameters
    ----------
    items : sequence of Item
    quick : bool
        Shorter readings, fewer rounds, and without the items that say so.
    only : collection of str
        Ids wanted; all when empty.

    Yields
    ------
    dict
        `id against ratio target limit fraction_of_limit`, and `case` (the worst one), `seconds` (of one run of
        ours) and `reason` (why there is no ratio).

    Raises
    ------
    ValueError
        If `only` names an id that does not exist.
    """
    known = list(dict.fromkeys(item.id for item in items))
    if unknown := sorted(set(only) - set(known)):
        raise ValueError(
            _("only must name some of {known}, not {value}").format(known=", ".join(known), value=", ".join(unknown))
        )
    for name in known:
        cases = [item for item in items if item.id == name]
        if (only and name not in only) or (quick and not only and not any(item.quick for item in cases)):
            continue
        yield _worst([_record(item, quick) for item in cases])


def _worst(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the case with the smallest ratio; one without a ratio only if there is no other."""
    return min(records, key=lambda record: (record["ratio"] is None, record["ratio"]))


def _record(item: Item, quick: bool) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": item.id,
        "against": item.against,
        "ratio": None,
        "target": item.target,
        "limit": item.limit or None,
        "fraction_of_limit": None,
        "case": item.case or None,
        "seconds": None,
        "reason": None,
    }
    if item.needs and importlib.util.find_spec(item.needs) is None:
        return record | {"reason": _("{module} is not installed").format(module=item.needs)}
    if item.needs == "torch":
        _hold_torch()
    if item.theirs is None:
        spent = seconds(item.ours, 1)
        if spent > item.allowed_seconds:  # it may have compiled its kernels
            spent = min(spent, seconds(item.ours, 1))
        return record | {"ratio": item.allowed_seconds / spent, "seconds": spent}
    calls = [item.ours, item.theirs] + ([item.limit_run] if item.limit_run is not None else [])
    reading, budget = (QUICK_READING, QUICK_BUDGET) if quick else (READING, BUDGET)
    readings = interleaved(calls, reading, budget)
    record |= {"ratio": item.share * middle(readings, 1, 0), "seconds": median(line[0] for line in readings)}
    if item.limit_run is not None:
        record["fraction_of_limit"] = middle(readings, 2, 0)
    return record


def _hold_torch() -> None:
    import torch

    torch.set_num_threads(1)


@contextmanager
def one_thread() -> Iterator[str]:
    """Hold linear algebra to one thread meanwhile, and say how far that went.

    Notes
    -----
    CPU time counts what waiting threads burn: a BLAS with two threads would make the other side look slow.
    """
    if importlib.util.find_spec("threadpoolctl") is None:
        yield (
            _("BLAS runs on one thread.")
            if os.environ.get("OPENBLAS_NUM_THREADS") == "1"
            else _("BLAS may use more threads: set OPENBLAS_NUM_THREADS=1 before the start to hold it to one.")
        )
        return
    import threadpoolctl

    with threadpoolctl.threadpool_limits(1):
        yield _("BLAS is held to one thread.")
