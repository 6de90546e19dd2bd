import shlex
from dataclasses import replace

import pytest
from hypothesis import given, settings
from states import states

import attnsim
from attnsim import cli
from attnsim.choices.sections import section_of
from attnsim.cli import export, run, scenario_options
from attnsim.files.script import to_command, to_python
from attnsim.files.state import State
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.view import View


class Recorder:
    """Stands for the package in a script and notes what it is asked to do."""

    Scenario, View, section = attnsim.Scenario, attnsim.View, staticmethod(attnsim.section)

    def __init__(self):
        self.asked = {"view": View(), "lab": "walk"}

    def run(self, scenario, *vectors, lab="walk"):
        self.asked |= {"scenario": scenario, "vectors": vectors, "lab": lab}
        return "result"

    def load_vectors(self, _path):
        return self

    def at(self, **place):
        self.asked["place"] = place
        return self

    def figure(self, _result, name, view=None):
        self.asked |= {"name": name} | ({} if view is None else {"view": view})
        return self

    def save(self, *given, lab="walk"):
        if len(given) == 3:
            self.asked["view"] = given[2]


def executed(script):
    recorder = Recorder()
    exec(script.removeprefix("import attnsim\n"), {"attnsim": recorder})
    return recorder.asked


@settings(max_examples=20, deadline=None)
@given(states())
def test_the_script_asks_for_exactly_the_state(state):
    for figure in (None, LABS[state.lab].figures[0]):
        asked = executed(to_python(state, figure))
        restored = State(lab=asked["lab"], scenario=asked["scenario"], view=asked["view"])
        assert (restored.lab, restored.scenario, restored.view) == (state.lab, state.scenario, state.view)
        assert bool(asked["vectors"]) == (state.vectors is not None)
        if state.vectors is not None:
            reference = state.vectors
            assert asked["place"] == {"layer": reference.layer, "head": reference.head, "row": reference.row}


@settings(max_examples=20, deadline=None)
@given(states(vectors=False))
def test_the_command_asks_for_exactly_the_scenario_and_the_view(state):
    words = shlex.split(to_command(state))
    given = cli.parse(words[1:])
    lab = LABS[state.lab]
    if state.lab == "walk":
        scenario, view = scenario_options.read(given), export.showing(export.view_of(given), given.figures, lab)
    else:
        scenario = scenario_options.read(given, usual=dict(lab.usual), section=section_of(lab.key))
        view = run._view(given, lab)
    assert scenario == state.scenario
    wanted = replace(state.view, hovered=None, rule=view.rule, figures=view.figures)  # not said, or in another order
    assert replace(view, picks=wanted.picks) == wanted
    assert dict(view.picks) == dict(wanted.picks)


def test_the_script_makes_the_same_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scenario, view = Scenario(dim=16, keys=4, rows=20, rho=0.5), View(marked=(1,), playhead=9)
    exec(to_python(State(scenario=scenario, view=view), "weights", "again.svg"), {})
    attnsim.figure(attnsim.run(scenario), "weights", view).save("first.svg")
    assert (tmp_path / "again.svg").read_bytes() == (tmp_path / "first.svg").read_bytes()


def test_a_script_is_short_and_says_only_what_is_not_usual():
    assert to_python(State(scenario=Scenario(dim=64)), "walk").splitlines() == [
        "import attnsim",
        "",
        "scenario = attnsim.Scenario(dim=64)",
        "result = attnsim.run(scenario)",
        "attnsim.figure(result, 'walk').save('figure.png')",
    ]
    assert to_command(State(scenario=Scenario(rho=-0.5))) == "attnsim export --out figure.png --rho=-0.5"


@pytest.mark.parametrize("path", ["a b.png", "it's.png", "图.png"])
def test_names_are_quoted(path):
    assert shlex.split(to_command(State(), path=path))[3] == path
    compile(to_python(State(), path=path), "script", "exec")
