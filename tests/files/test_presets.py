import re

import pytest

from attnsim.experiments import EXPERIMENTS
from attnsim.figures.summaries import summary_of
from attnsim.files import presets
from attnsim.files.presets import all_presets, keep, named, own_folder
from attnsim.files.state import State
from attnsim.labs import LABS
from attnsim.scenario import Scenario


@pytest.fixture(autouse=True)
def own(tmp_path, monkeypatch):
    """The user's folder, empty."""
    monkeypatch.setattr(presets.sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "attnsim" / "presets"


def test_the_built_in_questions_are_many_whole_and_have_a_title_and_two_sentences():
    found, said = all_presets()
    assert said == ()
    assert len(found) >= 14
    assert len({preset.state.title for preset in found}) == len(found)
    for preset in found:
        sentences = re.findall(r"[.?!](?= |$)", preset.state.notes)
        assert len(sentences) == 2, preset.name
        assert preset.state.title[0].isupper()
    assert found[0].name == "why-root-d"


@pytest.mark.parametrize("preset", all_presets()[0], ids=lambda preset: preset.name)
def test_every_question_has_a_picture(preset):
    state = preset.state
    result = next(EXPERIMENTS[LABS[state.lab].experiment](state.scenario, None))
    title, _detail = summary_of(result).headline(result, state.view)
    assert title


@pytest.mark.parametrize(("name", "low", "high"), [("table-without-n", 0.83, 0.86), ("why-not-d", 0.90, 1.0)])
def test_numbers_that_a_question_names_are_those_of_the_theory(name, low, high):
    from attnsim.theory.softmax_expectations import expectations

    scenario = named(name).state.scenario
    assert low < expectations(keys=scenario.keys, score_sd=scenario.dim**0.5).largest_weight < high


def test_the_users_own_stand_behind_and_come_back(own):
    state = State(scenario=Scenario(dim=64), title="Übung 3: √d?", notes="Mein Satz.")
    written = keep(state)
    assert [path.name for path in own.iterdir()] == [f"{written.name}.json"]
    found, said = all_presets()
    assert said == ()
    assert (found[-1].state, found[-1].own) == (state, True)
    assert named(written.name).state == state


def test_a_users_preset_goes_before_a_built_in_one_of_its_name(own):
    keep(State(title="why root d", notes="Mine."))
    assert named("why-root-d").own


def test_bad_files_are_skipped_with_a_sentence(own):
    own.mkdir(parents=True)
    (own / "noise.json").write_bytes(b"\x00\xff")
    (own / "list.json").write_text("[1]")
    (own / "old.json").write_text('{"attnsim": 1, "scenario": {"dim": -1}, "title": "Old"}')
    (own / "folder.json").mkdir()
    found, said = all_presets()
    assert [preset.name for preset in found if preset.own] == ["old"]
    assert len(said) == 4
    assert all(".json" in sentence for sentence in said)


def test_one_without_a_title_is_refused_and_one_of_a_dangerous_name_stays_in_the_folder(own):
    with pytest.raises(ValueError, match="needs a title"):
        keep(State(title=" ../ "))
    keep(State(title="../../etc/passwd"))
    assert [path.parent for path in own.iterdir()] == [own]


@pytest.mark.parametrize(
    ("platform", "variable", "end"),
    [("linux", "XDG_DATA_HOME", "attnsim/presets"), ("win32", "APPDATA", "attnsim/presets")],
)
def test_the_folder_is_where_the_system_keeps_such_things(monkeypatch, tmp_path, platform, variable, end):
    monkeypatch.setattr(presets.sys, "platform", platform)
    monkeypatch.setenv(variable, str(tmp_path))
    assert own_folder() == tmp_path / end


def test_a_folder_that_cannot_be_made_is_a_sentence(own):
    own.parent.parent.mkdir(exist_ok=True)
    own.parent.write_text("a file where the folder should be")
    with pytest.raises(ValueError, match=r"mine\.json cannot be written"):
        keep(State(title="Mine"))
