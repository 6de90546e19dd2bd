"""Process CPU time of interleaved runs."""

import time
from collections.abc import Sequence
from statistics import median

from attnsim.bench.item import Call

LONGEST_ROUNDS = 25


def repeats(call: Call, least: float) -> int:
    """Return how often a call must be repeated to last `least` seconds of CPU; the first, uncounted call warms up."""
    call()
    count = 1
    while True:
        spent = seconds(call, count)
        if spent >= least or count >= 1 << 20:
            return count
        count = max(2 * count, int(count * least / max(spent, 1e-6)))


def seconds(call: Call, count: int) -> float:
    """Return the process CPU time of `count` calls."""
    start = time.process_time()
    for _ in range(count):
        call()
    return time.process_time() - start


def interleaved(calls: Sequence[Call], least: float, budget: float, rounds: int = 5) -> list[list[float]]:
    """Time several calls in turn, round by round, so that a slow moment of the machine meets all of them.

    Parameters
    ----------
    calls : sequence of callable
    least : float
        Seconds of CPU each reading must last.
    budget : float
        Seconds after which no further round begins.
    rounds : int
        As many are done whatever the budget, three at least once it is spent.

    Returns
    -------
    list of list of float
        Seconds a call, [round][call].
    """
    counts = [repeats(call, least) for call in calls]
    start = time.process_time()
    readings: list[list[float]] = []
    while len(readings) < LONGEST_ROUNDS:
        spent = time.process_time() - start
        if spent > budget and len(readings) >= min(3, rounds):
            break
        readings.append([seconds(call, count) / count for call, count in zip(calls, counts, strict=True)])
    return readings


def middle(readings: Sequence[Sequence[float]], top: int, bottom: int) -> float:
    """Return the median over rounds of time(top) / time(bottom)."""
    return median(line[top] / line[bottom] for line in readings)
