"""Theory against simulation over all knobs."""

import pytest

from attnsim.experiments.agreement import LIMIT, QUANTITIES, random_scenarios, report


def test_theory_and_simulation_agree_within_five_standard_errors():
    found = report(16)
    assert found.beyond == 0, [line for line in found.lines if any(abs(z) > LIMIT for z in line.z.values())]
    assert found.false_alarm < 1e-4
    assert {name for line in found.lines for name in line.z} == set(QUANTITIES)


@pytest.mark.soak
def test_theory_and_simulation_agree_on_three_hundred_scenarios():
    found = report(300)
    assert found.beyond == 0
    assert 0.9 < found.mean_square < 1.1


def test_sixty_scenarios_turn_every_knob():
    many = random_scenarios(60)
    for field in ("law", "aligned"):
        assert len({getattr(s, field) for s in many}) >= 2
    for field in ("dim", "keys", "sigma_q", "sigma_k", "mean_q", "mean_k", "rho", "r_q", "r_k", "scalings", "seed"):
        assert len({getattr(s, field) for s in many}) > 10


def test_a_longer_table_begins_with_the_shorter_one():
    assert random_scenarios(9)[:4] == random_scenarios(4)
