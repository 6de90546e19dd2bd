"""The chunk runner: order, threads, stopping."""

import threading
import time

import pytest

from attnsim.kernels.threads import StoppedError, run_chunks


def slower_first(number):
    time.sleep(0.02 if number % 2 == 0 else 0.0)
    return number


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_parts_come_in_chunk_order_whoever_is_done_first(threads):
    assert list(run_chunks(slower_first, 9, threads)) == list(range(9))


def test_two_threads_work_at_the_same_time():
    meeting = threading.Barrier(2, timeout=20)
    assert len(list(run_chunks(lambda _: meeting.wait(), 2, threads=2))) == 2


@pytest.mark.parametrize("threads", [1, 2])
def test_asking_to_stop_ends_the_run(threads):
    seen = []
    parts = run_chunks(lambda number: number, 1000, threads, stop=lambda: len(seen) >= 3)
    with pytest.raises(StoppedError):
        seen.extend(parts)
    assert seen == [0, 1, 2]


def test_leaving_early_drops_what_has_not_begun():
    begun = []
    for _ in run_chunks(lambda number: begun.append(number), 1000, threads=2):
        break
    assert len(begun) <= 5


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_a_chunk_reaches_the_caller(threads):
    with pytest.raises(ZeroDivisionError):
        list(run_chunks(lambda number: 1 // (number - 2), 5, threads))


def test_no_chunks_give_no_parts():
    assert list(run_chunks(slower_first, 0, 2)) == []


@pytest.mark.parametrize(("chunks", "threads", "named"), [(-1, 1, "chunks"), (1, 0, "threads")])
def test_refusals_name_the_argument_before_anything_runs(chunks, threads, named):
    with pytest.raises(ValueError, match=named):
        run_chunks(slower_first, chunks, threads)
