import string
from dataclasses import replace

import pytest
from hypothesis import given, settings
from states import states

from attnsim.files.link import from_link, is_link, to_link
from attnsim.files.state import State
from attnsim.scenario import Scenario
from attnsim.view import View


@settings(max_examples=20, deadline=None)
@given(states())
def test_every_state_comes_back_from_its_link(state):
    link = to_link(state)
    assert is_link(link)
    assert from_link(link) == (state, ())


@settings(max_examples=20, deadline=None)
@given(states())
def test_a_link_is_one_word_of_plain_letters(state):
    assert set(to_link(state)) <= set(string.ascii_letters + string.digits + ":?&=%,/*().-_~")


def test_a_link_says_only_what_is_not_usual_and_can_be_read():
    state = State(scenario=Scenario(dim=64, keys=16, rho=-0.5), view=View(marked=(1, 2)), hidden=("rho",))
    assert to_link(state) == "attnsim:1?dim=64&keys=16&rho=-0.5&marked=1,2&hidden=rho"
    assert to_link(State()) == "attnsim:1"
    formula = to_link(State(scenario=Scenario(scalings=("none", "custom:max(d,n)/d"))))
    assert formula == "attnsim:1?scalings=none,custom:max(d,n)/d"


def test_a_link_that_a_mail_broke_into_lines_is_read():
    assert from_link(" attnsim:1?dim=64\n&keys=16 ")[0].scenario == Scenario(dim=64, keys=16)


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("attnsim:2?dim=64", "newer attnsim"),
        ("attnsim:1?dim=64&colour=red", "scenario.colour is not known"),
        ("attnsim:1?dim=64&lab=kitchen", "no lab 'kitchen'"),
        ("attnsim:1?dim=64&keys=many", "keys stays 64"),
        ("attnsim:1?dim=64&keys=1e99", "keys stays 64"),
        ("attnsim:1?dim=64&bits=perhaps", "bits is left out"),
        ("attnsim:1?dim=64&marked=a", "marked is left out"),
        ("attnsim:1?dim=64&pick.metric=weight", "metric is left out"),
    ],
)
def test_what_a_link_cannot_say_is_a_sentence_and_the_rest_is_there(link, sentence):
    state, said = from_link(link)
    assert len(said) == 1
    assert sentence in said[0]
    assert state.scenario.dim == 64


@pytest.mark.parametrize(
    "text", ["", "dim=64", "attnsim:", "attnsim:?dim=64", "attnsim:x?dim=64", "attnsim:1?" + "a" * 30_000]
)
def test_what_is_no_link_is_refused(text):
    with pytest.raises(ValueError, match=r"a link begins with attnsim:1\?"):
        from_link(text)


def test_a_section_s_field_that_is_called_like_a_view_s_is_told_apart():
    state = State(scenario=Scenario(dim=64), view=replace(View(), bits=True))
    assert from_link(to_link(state))[0].view.bits
