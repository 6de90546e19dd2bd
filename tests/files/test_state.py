import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given, settings
from states import states

from attnsim.files.state import FORMAT, State, from_json, plain, state_of, to_json
from attnsim.files.vector_reference import MOST_NUMBERS, refer
from attnsim.scenario import Scenario
from attnsim.vectors import Layer, Vectors
from attnsim.view import View


@settings(max_examples=20, deadline=None)
@given(states())
def test_every_state_comes_back_from_its_json_and_nothing_is_said(state):
    assert from_json(to_json(state)) == (state, ())
    assert from_json(to_json(state, indent=2)) == (state, ())


def changed(**parts):
    return json.dumps(plain(State(scenario=Scenario(dim=64, keys=8))) | parts)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"attnsim": FORMAT + 1}, "newer attnsim"),
        ({"attnsim": 0}, "older attnsim"),
        ({"attnsim": None}, "older attnsim"),
        ({"attnsim": "one"}, "older attnsim"),
        ({"lab": "kitchen"}, "no lab 'kitchen'"),
        ({"lab": ["walk"]}, "no lab"),
        ({"sauce": 1}, "sauce is not known here"),
        ({"view": {"zoom": 2}}, r"view\.zoom is not known"),
        ({"view": [1]}, "view is left out"),
        ({"view": {"bits": "maybe"}}, "bits is left out"),
        ({"view": {"bits": 1}}, "bits is left out"),
        ({"view": {"marked": [1, 2, 3, 4, 5, 6, 7]}}, "marked is left out"),
        ({"view": {"marked": [-1]}}, "marked is left out"),
        ({"view": {"marked": [8]}}, "Marks of keys"),
        ({"view": {"playhead": 65}}, "no step 65"),
        ({"view": {"playhead": 1.5}}, "playhead is left out"),
        ({"view": {"figures": ["smell"]}}, "no figure 'smell'"),
        ({"view": {"picks": {"metric": "weight"}}}, "metric is left out"),
        ({"view": {"picks": [["a", "b"]]}}, "picks is left out"),
        ({"hidden": ["rho", "the door"]}, "hidden is left out: it cannot be 'the door'"),
        ({"locked": "rho"}, "locked is left out"),
        ({"title": 5}, "title is left out"),
        ({"vectors": {"layer": -1}}, "real vectors are left out"),
        ({"vectors": 3}, "real vectors are left out"),
        ({"vectors": {"kept": {"dim": 3}}}, "kept in the file are damaged"),
    ],
)
def test_what_cannot_be_restored_is_one_sentence_and_the_rest_is_there(parts, sentence):
    state, said = from_json(changed(**parts))
    assert len(said) == 1
    with pytest.raises(AssertionError, match=sentence):
        raise AssertionError(said[0])
    assert (state.scenario.dim, state.scenario.keys) == (64, 8)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"dim": 0}, "dim stays 256: dim must be a whole number in 1..65536, not 0"),
        ({"dim": 10**30}, "dim stays 256"),
        ({"dim": "64"}, "dim stays 256"),
        ({"dim": True}, "dim stays 256"),
        ({"rho": float("nan")}, "rho stays 0.0"),
        ({"law": "cubic"}, "law stays 'normal'"),
        ({"law": {}}, "law stays 'normal'"),
        ({"scalings": "none"}, "scalings is left out"),
        ({"scalings": [1]}, "scalings is left out"),
        ({"scalings": []}, "scalings stays"),
        ({"scalings": ["none", "half"]}, "scalings stays"),
        ({"colour": "red"}, "scenario.colour is not known here"),
    ],
)
def test_a_field_out_of_its_limits_stays_at_its_first_setting(fields, sentence):
    state, said = from_json(json.dumps({"attnsim": FORMAT, "scenario": {"keys": 8} | fields}))
    assert len(said) == 1
    assert said[0].startswith(sentence)
    assert state.scenario.keys == 8


def test_of_fields_that_do_not_go_together_as_many_as_can_are_kept():
    state, said = from_json(json.dumps({"attnsim": 1, "scenario": {"rho": 0.9, "r_q": 0.5, "r_k": 0.5, "dim": 32}}))
    assert (state.scenario.dim, state.scenario.rho) == (32, 0.9)
    assert [sentence.partition(" ")[0] for sentence in said] == ["r_q", "r_k"]


@pytest.mark.parametrize("law", ["ar1", "sign"])
def test_fields_that_fit_only_together_are_kept_beside_a_bad_one(law):
    scenario = Scenario(law=law, rho=0.2, dim=32)
    fields = dataclasses.asdict(scenario) | {"keys": -1}
    del fields["section"]
    state, said = from_json(json.dumps({"attnsim": 1, "scenario": fields}))
    assert state.scenario == scenario
    assert len(said) == 1


def test_a_text_that_was_cut_off_gives_back_what_came_before_the_cut():
    scenario = Scenario(dim=1024, keys=17, rho=0.25)
    text = to_json(State(scenario=scenario, notes="a, b: [c"), indent=2)
    state, said = from_json(text[: text.index('"rows"') + 3])
    assert state.scenario == scenario
    assert "damaged" in said[0]
    for end in range(40, len(text), 37):
        from_json(text[:end])


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "null", "12", "{]", '{"a": 1}', "[" * 100_000, '{"a":' * 50_000, "1" * 5000]
)
def test_what_is_no_state_is_refused_in_a_sentence(text):
    with pytest.raises(ValueError, match="no state of attnsim"):
        from_json(text)


def vectors(dim=8, queries=5, keys=7, heads=2, kind=np.float32, causal=False):
    random = np.random.default_rng(5)
    q = random.normal(size=(heads, queries, dim)).astype(kind).astype(np.float64)
    k = random.normal(size=(heads, keys, dim)).astype(kind).astype(np.float64)
    return Vectors("model", (Layer("layer 0", q, k, 0.5, causal),), head=1, row=3)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_small_head_travels_with_the_state_to_the_last_bit(kind):
    real = vectors(kind=kind)
    state = State(vectors=refer(real))
    back, said = from_json(to_json(state))
    assert (back, said) == (state, ())
    kept = back.vectors.vectors()
    np.testing.assert_array_equal(kept.queries, real.queries)
    np.testing.assert_array_equal(kept.keys, real.keys)
    assert (kept.row, kept.title, kept.current.scale) == (3, "model", 0.5)


def test_of_a_large_head_the_row_that_was_looked_at_travels():
    real = vectors(dim=64, queries=600, keys=100, causal=False)
    kept = refer(real).vectors()
    np.testing.assert_array_equal(kept.query, real.query)
    np.testing.assert_array_equal(kept.keys, real.keys)
    assert kept.queries.shape == (1, 64)
    assert "alone" in kept.note


def test_of_a_row_that_is_large_only_the_hash_travels_and_its_file_is_known_again():
    real = vectors(dim=64, keys=MOST_NUMBERS // 64, queries=4)
    reference = refer(real)
    assert reference.vectors() is None
    elsewhere = real.at(head=0, row=0)
    assert (reference.found_in(elsewhere).head, reference.found_in(elsewhere).row) == (1, 3)
    with pytest.raises(ValueError, match="holds other numbers"):
        reference.found_in(vectors())


def test_vectors_that_were_tampered_with_are_left_out():
    raw = plain(State(vectors=refer(vectors())))
    for change in ({"dim": 9}, {"queries": 10**9}, {"packed": "AAAA"}, {"number": "|O"}, {"packed": 5}, {"scale": "x"}):
        bad = raw | {"vectors": raw["vectors"] | {"kept": raw["vectors"]["kept"] | change}}
        state, said = from_json(json.dumps(bad))
        assert state.vectors.kept is None
        assert len(said) == 1


def test_a_state_is_that_of_the_result_it_shows():
    from attnsim.experiments.walk import last

    result, view = last(Scenario(dim=8, keys=4, rows=10)), View(marked=(1,))
    assert state_of(result, view, "walk") == State(scenario=result.scenario, view=view)
