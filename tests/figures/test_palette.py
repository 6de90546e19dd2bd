from itertools import combinations, product

import numpy as np
import pytest

from attnsim.choices.scalings import SCALINGS
from attnsim.figures.palette import THEMES, color, contrast, scale_color, table


def lab(value):
    """CIE L*a*b* of a colour under D65."""
    rgb = np.array([int(value[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ linear
    f = np.cbrt(xyz / np.array([0.9505, 1.0, 1.089]))
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("theme", THEMES)
def test_words_of_every_role_can_be_read_on_the_card(theme):
    roles = table(theme)
    for role in (*THEMES[theme], "rule_of_the_future", "rule_constant_again_1"):
        assert contrast(color(f"text_{role}", theme), roles["card"]) >= 4.5, role


@pytest.mark.parametrize("theme", THEMES)
def test_every_rule_has_a_colour_and_highlights_differ_from_all_of_them(theme):
    rules = {scaling.color for scaling in SCALINGS.values()}
    named = rules & set(THEMES[theme])
    assert len(named) == 5
    others = ("ink", *(f"marked_{i}" for i in range(6)))
    shown = {role: lab(color(role, theme)) for role in (*rules, *others)}
    pairs = [*combinations((*named, *others), 2), *product(rules - named, others)]
    for first, second in pairs:
        assert np.linalg.norm(shown[first] - shown[second]) > 22, (first, second)


def test_an_unknown_rule_keeps_one_colour_and_other_unknown_roles_are_refused():
    assert color("rule_yarn", "light") == color("rule_yarn", "light")
    with pytest.raises(ValueError, match="role must be one of"):
        color("inkk", "light")
    with pytest.raises(ValueError, match="theme must be one of"):
        color("ink", "sepia")


def test_white_on_black_has_contrast_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)


@pytest.mark.parametrize("theme", THEMES)
def test_lightness_of_the_sequential_scale_changes_by_even_steps_away_from_the_card(theme):
    shown = np.array([lab(scale_color("sequential", share, theme)) for share in np.linspace(0.0, 1.0, 17)])
    steps = np.diff(shown[:, 0])
    np.testing.assert_allclose(steps, steps.mean(), rtol=0.12)
    assert abs(shown[0, 0] - lab(color("card", theme))[0]) < 12 < 70 < abs(shown[-1, 0] - shown[0, 0])


@pytest.mark.parametrize("theme", THEMES)
def test_both_arms_of_the_diverging_scale_are_even_and_leave_a_grey(theme):
    shown = np.array([lab(scale_color("diverging", share, theme)) for share in np.linspace(0.0, 1.0, 17)])
    assert np.abs(shown[8, 1:]).max() < 8  # grey
    for arm in (shown[:9], shown[8:]):
        steps = np.linalg.norm(np.diff(arm, axis=0), axis=1)
        np.testing.assert_allclose(steps, steps.mean(), rtol=0.12)
    assert abs(shown[0, 0] - shown[-1, 0]) < 8  # as strong on one side as on the other
    assert abs(shown[0, 0] - shown[8, 0]) > 45


def test_shares_beyond_a_scale_have_its_ends_and_unknown_scales_are_refused():
    assert scale_color("sequential", -3.0, "light") == scale_color("sequential", 0.0, "light") == "#fbf7d5"
    assert scale_color("sequential", 7.0, "dark") == "#fbf7d5"
    with pytest.raises(ValueError, match="scale must be one of sequential, diverging, not 'rainbow'"):
        scale_color("rainbow", 0.5, "light")
