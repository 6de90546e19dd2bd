"""Scale rules: the factor each one gives."""

import numpy as np
import pytest

from attnsim.choices.scalings import SCALINGS, parse


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("none", [1, 1, 1]),
        ("inverse_sqrt", [1, 0.5, 0.125]),
        ("inverse_d", [1, 0.25, 1 / 64]),
        ("power:1.5", [1, 1 / 8, 1 / 512]),
        ("power:-1", [1, 4, 64]),
        ("constant:8", [1 / 8, 1 / 8, 1 / 8]),
        ("constant", [1 / 8, 1 / 8, 1 / 8]),
    ],
)
def test_factors_at_dimension_1_4_and_64(name, wanted):
    np.testing.assert_allclose(parse(name).multiplier([1, 4, 64]), wanted, rtol=1e-14)


@pytest.mark.parametrize("name", [name for name, scaling in SCALINGS.items() if scaling.multiplier])
def test_every_factor_is_finite_and_positive_over_all_dimensions(name):
    factors = parse(name).multiplier([0, 1, 65_536])
    assert np.all(np.isfinite(factors) & (factors > 0))


@pytest.mark.parametrize("name", list(SCALINGS))
def test_every_rule_says_what_it_is_where_it_comes_from_and_why(name):
    scaling = SCALINGS[name]
    assert scaling.key == name
    assert scaling.formula
    assert scaling.source
    assert all(sentence.endswith(".") for sentence in scaling.sentences)


def test_the_title_holds_the_parameter():
    assert parse("constant:8").title == "÷ 8"
    assert parse("power:0.25").title == "÷ d^0.25"
    assert parse("inverse_sqrt").title == "÷ √d"
