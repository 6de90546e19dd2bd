"""`attnsim measure`."""


def test_the_numbers_of_the_window_are_printed(attnsim):
    assert attnsim("measure", "--json").json == {"frame_cpu_ms": 1.5, "other": 2.0}


def test_people_read_units(attnsim):
    lines = [line.split() for line in attnsim("measure").out.splitlines()]
    assert ["frame_cpu_ms", "1.500", "ms"] in lines


def test_without_a_display_it_says_so(attnsim, window):
    window.reason = "There is no display."
    outcome = attnsim("measure")
    assert (outcome.code, outcome.error) == (2, "attnsim: measure needs a window: There is no display.\n")
