import pytest

from attnsim.choices.sections import lab_of, section_of
from attnsim.choices.sections.scalings import ScalingsOptions


def test_the_section_belongs_to_its_lab():
    assert lab_of(ScalingsOptions()) == "scalings"
    assert section_of("scalings") == ScalingsOptions()


@pytest.mark.parametrize(("name", "value"), [("up_to_dim", 8), ("up_to_keys", 100_000), ("seed_keys", 1)])
def test_what_lies_outside_is_refused_by_its_name(name, value):
    with pytest.raises(ValueError, match=name):
        ScalingsOptions(**{name: value})
