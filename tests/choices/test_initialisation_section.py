import pytest

from attnsim.choices.sections.initialisation import Depth
from attnsim.scenario import Scenario


def test_a_field_of_the_section_is_changed_like_one_of_the_scenario():
    changed = Scenario(section=Depth()).but(layers=3, dim=8)
    assert (changed.section.layers, changed.dim) == (3, 8)


@pytest.mark.parametrize(
    ("field", "value"), [("layers", 0), ("width", 257), ("activation", "gelu"), ("weight_sd", 0.0)]
)
def test_a_value_beyond_its_limits_is_refused_by_name(field, value):
    with pytest.raises(ValueError, match=field):
        Depth(**{field: value})
