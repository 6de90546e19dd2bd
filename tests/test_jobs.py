"""The worker's policy: the first picture always comes, the queue loses nothing."""

import sys
import threading

import pytest

from attnsim.jobs import Outcome, Worker


class Receiver:
    """Keeps outcomes, and lets a test wait for a number of them."""

    def __init__(self):
        self.outcomes: list[Outcome] = []
        self._changed = threading.Condition()

    def __call__(self, outcome):
        with self._changed:
            self.outcomes.append(outcome)
            self._changed.notify_all()

    def wait(self, wanted):
        with self._changed:
            assert self._changed.wait_for(lambda: wanted(self.outcomes), timeout=10.0), self.outcomes


@pytest.fixture
def receiver():
    return Receiver()


@pytest.fixture
def worker(receiver):
    worker = Worker(receiver)
    yield worker
    worker.stop()


def test_all_results_of_a_lone_job_arrive_in_order_and_then_its_end(worker, receiver):
    worker.show(1, lambda: iter("abc"))
    receiver.wait(lambda seen: seen and seen[-1].last)
    assert [outcome.value for outcome in receiver.outcomes] == ["a", "b", "c", None]
    assert {outcome.label for outcome in receiver.outcomes} == {1}


def test_the_first_result_of_a_started_job_is_delivered_even_when_newer_requests_wait(worker, receiver):
    begun, go = threading.Event(), threading.Event()

    def slow():
        begun.set()
        assert go.wait(10.0)
        yield "first"
        yield "second"

    worker.show(1, slow)
    assert begun.wait(10.0)
    worker.show(2, lambda: iter(["newer"]))
    go.set()
    receiver.wait(lambda seen: seen and seen[-1].last)
    assert [(outcome.label, outcome.value) for outcome in receiver.outcomes] == [(1, "first"), (2, "newer"), (2, None)]


def test_of_requests_that_wait_only_the_newest_runs(worker, receiver):
    go = threading.Event()
    worker.show(0, lambda: iter([go.wait(10.0)]))
    for label in range(1, 50):
        worker.show(label, lambda label=label: iter([label]))
    go.set()
    receiver.wait(lambda seen: seen and seen[-1].label == 49 and seen[-1].last)
    assert {outcome.label for outcome in receiver.outcomes} <= {0, 49}


def test_every_queued_job_is_delivered_though_the_screen_goes_first(worker, receiver):
    begun, go = threading.Event(), threading.Event()

    def gate():
        begun.set()
        return go.wait(10.0)

    worker.queue("gate", gate)
    assert begun.wait(10.0)
    for number in range(20):
        worker.queue(number, lambda number=number: number * number)
        worker.show(number, lambda: iter(["picture"]))
    go.set()
    receiver.wait(lambda seen: any(outcome.label == 19 and outcome.lane == "queue" for outcome in seen))
    done = [outcome.value for outcome in receiver.outcomes if outcome.lane == "queue"]
    assert done == [True, *[number * number for number in range(20)]]
    lanes = [outcome.lane for outcome in receiver.outcomes]
    assert lanes.index("screen") == 1


@pytest.mark.parametrize("lane", ["screen", "queue"])
def test_an_error_is_delivered_and_the_worker_goes_on(worker, receiver, lane):
    def fails():
        raise ValueError("dim must lie in 1..9, not 0")

    (worker.show if lane == "screen" else worker.queue)("bad", fails)
    receiver.wait(lambda seen: seen and seen[-1].last)
    assert str(receiver.outcomes[-1].error) == "dim must lie in 1..9, not 0"
    worker.show("good", lambda: iter([1]))
    receiver.wait(lambda seen: seen[-1].label == "good")


def test_an_error_after_the_first_result_is_delivered_too(worker, receiver):
    def half():
        yield 1
        raise ValueError("no more")

    worker.show(1, half)
    receiver.wait(lambda seen: seen and seen[-1].last)
    assert receiver.outcomes[0].value == 1
    assert str(receiver.outcomes[1].error) == "no more"


def test_stop_waits_for_queued_jobs_and_ends_the_thread(receiver):
    worker = Worker(receiver)
    for number in range(5):
        worker.queue(number, lambda: "written")
    worker.stop()
    assert [outcome.value for outcome in receiver.outcomes] == ["written"] * 5
    assert not worker._thread.is_alive()


def test_stop_leaves_an_endless_screen_job(receiver):
    def endless():
        while True:
            yield 0

    worker = Worker(receiver)
    worker.show(1, endless)
    receiver.wait(lambda seen: len(seen) > 3)
    worker.stop()
    assert not any(outcome.last for outcome in receiver.outcomes)


def test_a_receiver_that_raises_does_not_end_the_worker(monkeypatch):
    reported, calls = [], []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: reported.append(str(error)))

    def deliver(outcome):
        calls.append(outcome.label)
        raise RuntimeError("gone")

    worker = Worker(deliver)
    worker.queue(1, lambda: 1)
    worker.queue(2, lambda: 2)
    worker.stop()
    assert calls == [1, 2]
    assert reported == ["gone", "gone"]
