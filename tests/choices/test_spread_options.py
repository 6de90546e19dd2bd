import pytest

from attnsim.choices.sections import SECTIONS, lab_of, section_of
from attnsim.choices.sections.spread import SpreadOptions
from attnsim.scenario import Scenario


def test_the_section_belongs_to_its_lab():
    assert lab_of(SpreadOptions()) == "spread"
    assert section_of("spread") == SpreadOptions() == SECTIONS["spread"]()


def test_its_fields_are_changed_like_those_of_the_scenario():
    changed = Scenario(section=SpreadOptions()).but(case_r=0.1, dim=8)
    assert (changed.section.case_r, changed.dim) == (0.1, 8)


@pytest.mark.parametrize(
    ("name", "value"), [("case_rho", 1.5), ("case_r", -0.1), ("case_mean", 1e3), ("largest_dim", 8)]
)
def test_what_lies_outside_is_refused_by_its_name(name, value):
    with pytest.raises(ValueError, match=name):
        SpreadOptions(**{name: value})
