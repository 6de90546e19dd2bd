"""Chunks of work on a small pool, handed back in chunk order: one thread and two give equal bits."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Part = TypeVar("Part")


class StoppedError(Exception):
    """The caller asked to stop before all chunks were done."""


def run_chunks(
    chunk: Callable[[int], Part],
    chunks: int,
    threads: int = 1,
    stop: Callable[[], bool] | None = None,
) -> Iterator[Part]:
    """Yield chunk(0), chunk(1), ... in this order, computed by a pool of threads.

    Parameters
    ----------
    chunk : callable
        Takes a chunk's number and calls a `nogil` kernel. What it gives must depend on the number
        alone, and it must write to nothing that another chunk reads.
    chunks : int
        How many.
    threads : int
        1 works in the caller's thread.
    stop : callable, optional
        Asked before each chunk.

    Yields
    ------
    object
        Merging them as they come is what makes a sum independent of the number of threads. At most
        two chunks a thread are held at a time, so memory stays flat. Leaving the loop early drops
        what has not begun.

    Raises
    ------
    ValueError
        If `chunks` is negative or `threads` is less than 1.
    StoppedError
        If `stop` says so.
    """
    if chunks < 0:
        raise ValueError(f"chunks must be 0 or more, not {chunks}")
    if threads < 1:
        raise ValueError(f"threads must be 1 or more, not {threads}")
    return _in_turn(chunk, chunks, stop) if threads == 1 else _pooled(chunk, chunks, threads, stop)


def _check(stop: Callable[[], bool] | None) -> None:
    if stop is not None and stop():
        raise StoppedError


def _in_turn(chunk: Callable[[int], Part], chunks: int, stop: Callable[[], bool] | None) -> Iterator[Part]:
    for number in range(chunks):
        _check(stop)
        yield chunk(number)


def _pooled(chunk: Callable[[int], Part], chunks: int, threads: int, stop: Callable[[], bool] | None) -> Iterator[Part]:
    waiting: deque[Future[Part]] = deque()
    pool = ThreadPoolExecutor(threads, thread_name_prefix="attnsim-chunk")
    try:
        for number in range(chunks):
            _check(stop)
            waiting.append(pool.submit(chunk, number))
            if len(waiting) >= 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            _check(stop)
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
