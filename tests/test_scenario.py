"""The Scenario: limits, impossible combinations, and sentences that name the field."""

import math
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnsim.choices.laws import LAWS
from attnsim.scenario import Scenario, knobs, options


@pytest.mark.parametrize("name", list(knobs()))
def test_both_ends_of_every_knob_are_allowed_and_the_next_number_is_refused(name):
    limits = knobs()[name]
    others = {"rho": 0.0, "r_q": 0.0, "r_k": 0.0}
    for end in (limits.low, limits.high):
        assert getattr(Scenario(**{**others, name: end}), name) == end
    for beyond in (limits.low - 1, limits.high * 2 + 1):
        with pytest.raises(ValueError, match=rf"^{name} must .* in \S+\.\.\S+.*not "):
            Scenario(**{**others, name: beyond})


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "12", None, True, 1.5])
def test_what_is_no_whole_number_is_refused_as_a_dimension(value):
    with pytest.raises(ValueError, match=r"dim must be a whole number in 1\.\.65536"):
        Scenario(dim=value)


@pytest.mark.parametrize("name", list(options()))
def test_an_unknown_word_is_refused_with_the_known_ones(name):
    with pytest.raises(ValueError, match=rf"{name} must be one of .*{options()[name][0]}.*not 'nonsense'"):
        Scenario(**{name: "nonsense"})


def test_correlation_must_leave_each_vector_its_own_variance():
    with pytest.raises(ValueError, match=r"rho must lie in -0\.5\.\.0\.5 when r_q is 0\.5 and r_k is 0\.5, not 0\.8"):
        Scenario(rho=0.8, r_q=0.5, r_k=0.5)
    assert Scenario(rho=0.5, r_q=0.5, r_k=0.5).rho == 0.5


@given(r_q=st.floats(0, 1), r_k=st.floats(0, 1))
def test_the_limits_of_rho_are_allowed_themselves(r_q, r_k):
    low, high = Scenario(r_q=r_q, r_k=r_k).limits("rho")
    for end in (low, high):
        assert Scenario(r_q=r_q, r_k=r_k, rho=end).rho == end


@given(rho=st.floats(-1, 1), r_k=st.floats(0, 0.99))
def test_the_limits_of_a_common_factor_are_allowed_themselves(rho, r_k):
    if rho**2 > 1 - r_k:
        return
    low, high = Scenario(rho=rho, r_k=r_k).limits("r_q")
    for end in (low, high):
        assert Scenario(rho=rho, r_k=r_k, r_q=end).r_q == end


@given(phi_q=st.floats(-0.99, 0.99), phi_k=st.floats(-0.99, 0.99))
def test_the_limits_of_rho_between_autoregressive_vectors_are_allowed_themselves(phi_q, phi_k):
    low, high = Scenario(law="ar1", phi_q=phi_q, phi_k=phi_k).limits("rho")
    for end in (low, high):
        assert Scenario(law="ar1", phi_q=phi_q, phi_k=phi_k, rho=end).rho == end


def test_autoregressive_vectors_correlate_no_further_than_their_innovations():
    with pytest.raises(ValueError, match=r"lie in -0\.2603\.\.0\.2603 when phi_q is 0\.9 and phi_k is -0\.5, not 0\.5"):
        Scenario(law="ar1", phi_q=0.9, phi_k=-0.5, rho=0.5)
    assert Scenario(law="ar1", phi_q=0.9, phi_k=0.9, rho=1.0).limits("rho") == (-1.0, 1.0)


@pytest.mark.parametrize("law", [name for name, law in LAWS.items() if law.refuses])
def test_what_makes_no_sense_for_a_law_is_refused_with_the_reason(law):
    for name in LAWS[law].refuses:
        with pytest.raises(ValueError, match=rf"^{name} must be 0 for the law {law}, {LAWS[law].reason}, not 0\.2$"):
            Scenario(law=law, **{name: 0.2})
        assert Scenario(law=law).limits(name) == (0.0, 0.0)


def test_matrices_too_large_to_be_drawn_entry_by_entry_are_refused():
    with pytest.raises(ValueError, match=r"33554432 or less for the initialisation xavier_fused.*not 8192 times 8192"):
        Scenario(law="initialised", dim=8192, d_model=8192)
    assert Scenario(law="initialised", initialisation="kaiming", dim=8192, d_model=8192).d_model == 8192


def test_a_parameter_of_another_law_disturbs_none():
    assert Scenario(law="normal", phi_q=0.9, phi_k=-0.9, rho=0.9).rho == 0.9


def test_signs_cannot_share_a_factor():
    with pytest.raises(ValueError, match=r"r_q must be 0 for the law sign.*not 0\.2"):
        Scenario(law="sign", r_q=0.2)
    assert Scenario(law="sign").limits("r_k") == (0.0, 0.0)


@pytest.mark.parametrize(
    ("scalings", "message"),
    [
        ((), "1..6 rules, not 0"),
        (("none",) * 2, "differ from each other"),
        (("power:0.25", "power"), "differ from each other"),
        (("half",), "among none, inverse_sqrt.*not 'half'"),
        (("none:3",), "none takes no parameter, not '3'"),
        (("constant:0",), "divisor of constant must lie in"),
        (("power:nan",), "exponent of power must lie in -2..4, not nan"),
        (("power:x",), "exponent of power must lie in"),
        (tuple(f"constant:{c}" for c in range(1, 8)), "1..6 rules, not 7"),
    ],
)
def test_wrong_rules_are_refused_with_the_reason(scalings, message):
    with pytest.raises(ValueError, match=message):
        Scenario(scalings=scalings)


def test_equal_scenarios_are_equal_and_hash_alike():
    assert Scenario(dim=8.0, scalings=["none"]) == Scenario(dim=8, scalings=("none",))
    assert hash(Scenario(dim=8, scalings=["none"])) == hash(Scenario(dim=8, scalings=("none",)))


def test_a_scenario_cannot_be_written():
    with pytest.raises(FrozenInstanceError):
        Scenario().dim = 3


def test_a_change_is_checked_like_a_new_scenario():
    assert Scenario().but(dim=64).dim == 64
    with pytest.raises(ValueError, match="dim must"):
        Scenario().but(dim=0)


@pytest.mark.parametrize(
    ("fields", "changed"),
    [
        ({"law": "uniform"}, False),
        ({"law": "uniform", "rho": 0.1}, True),
        ({"law": "student_t", "r_k": 0.1}, True),
        ({"law": "normal", "rho": 0.5, "r_q": 0.1}, False),
        ({"law": "sign", "rho": 0.5}, False),
        ({"law": "ar1", "rho": 0.5}, False),
        ({"law": "laplace", "rho": 0.5}, True),
    ],
)
def test_only_correlated_laws_beside_normal_sign_and_ar1_lose_their_name(fields, changed):
    assert Scenario(**fields).marginal_changed is changed


@pytest.mark.parametrize("law", ["ar1", "low_rank", "initialised"])
def test_a_rule_that_reads_lengths_is_refused_for_laws_that_do_not_give_them(law):
    with pytest.raises(ValueError, match=f"rmsnorm_qk needs the lengths .* {law} does not give"):
        Scenario(law=law, scalings=("none", "rmsnorm_qk"))


@pytest.mark.parametrize("formula", ["1e307", "1e-307", "10**200/d"])
def test_a_formula_of_no_sensible_size_is_refused(formula):
    with pytest.raises(ValueError, match=r"must lie in 1e-100\.\.1e\+100 at every d"):
        Scenario(scalings=(f"custom:{formula}",))
