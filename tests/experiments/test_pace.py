import time

from attnsim.experiments.pace import paced


def test_all_steps_are_taken_and_quick_ones_share_a_yield():
    taken = []

    def steps():
        for step in range(40):
            taken.append(step)
            yield

    assert len(list(paced(steps(), seconds=60.0))) == 0
    assert taken == list(range(40))


def test_every_long_step_yields():
    def steps():
        for _step in range(3):
            time.sleep(0.002)
            yield

    assert len(list(paced(steps(), seconds=0.001))) == 3


def test_a_break_between_yields_does_not_count_as_work():
    def steps():
        for _step in range(3):
            yield

    for _pause in paced(steps(), seconds=30.0):
        raise AssertionError("nothing took so long")
