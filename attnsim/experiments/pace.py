"""How long an experiment works before it shows what it has."""

import time
from collections.abc import Callable, Iterable, Iterator

BREATH = 0.04  # seconds: a newer request waits no longer than this and one piece of work


def breaths(work: Iterable[Callable[[], None]], seconds: float = BREATH) -> Iterator[float]:
    """Do pieces of work one after the other, and yield the share that is done after each `seconds`.

    Parameters
    ----------
    work : iterable of callables
        Pieces of some milliseconds each.
    seconds : float

    Yields
    ------
    float
        Below 1; the end is the caller's to show.
    """
    pieces = list(work)
    since = time.perf_counter()
    for place, piece in enumerate(pieces, 1):
        piece()
        if time.perf_counter() - since >= seconds and place < len(pieces):
            yield place / len(pieces)
            since = time.perf_counter()


def paced(steps: Iterable[object], seconds: float = BREATH) -> Iterator[None]:
    """Take steps of work whose number is not known before, and yield after the one that ends a breath.

    Parameters
    ----------
    steps : iterable
        Does its work as it is iterated.
    seconds : float
        Every result that is yielded is drawn: a hundred of them in a second would hold the window up.
    """
    since = time.perf_counter()
    for _step in steps:
        if time.perf_counter() - since >= seconds:
            yield
            since = time.perf_counter()
