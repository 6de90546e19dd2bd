"""When an experiment that takes many small steps yields: often enough to be interrupted, not so often as to be slow."""

import time
from collections.abc import Iterable, Iterator
from typing import Any

PACE = 0.05  # seconds


def paced(steps: Iterable[Any], seconds: float = PACE) -> Iterator[None]:
    """Take steps of work, and yield after each that ends some time after the last yield.

    Parameters
    ----------
    steps : iterable
        Does its work as it is iterated.
    seconds : float
        Every result that is yielded is drawn: a hundred of them in a second would hold the window up.
    """
    before = time.monotonic()
    for _step in steps:
        if time.monotonic() - before >= seconds:
            yield
            before = time.monotonic()
