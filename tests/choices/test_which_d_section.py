"""The options of the lab "Which d?"."""

import pytest

from attnsim.choices.sections import SECTIONS, section_of
from attnsim.choices.sections.which_d import VARIANTS, WhichD
from attnsim.experiments.which_d.variants import FACTORS
from attnsim.labs import LABS
from attnsim.scenario import Scenario


def test_every_variant_has_a_factor_and_can_be_guessed():
    assert list(FACTORS) == list(VARIANTS)
    for name in VARIANTS:
        assert WhichD(guess=name).guess == name
    offered = dict(LABS["which_d"].controls)["guess"].options
    assert [word for word, _title in offered] == ["none", *VARIANTS]


def test_heads_and_guess_are_refused_with_their_limits():
    with pytest.raises(ValueError, match=r"heads must be a whole number in 1\.\.256, not 0"):
        WhichD(heads=0)
    with pytest.raises(ValueError, match="guess must be one of none, right"):
        WhichD(guess="perhaps")


def test_the_scenario_changes_options_of_the_section_by_name():
    scenario = Scenario(section=section_of("which_d")).but(heads=16, dim=32)
    assert (scenario.section.heads, scenario.dim) == (16, 32)
    assert SECTIONS["which_d"] is WhichD
