import getpass
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from states import WORDS, states

from attnsim.experiments.walk import last
from attnsim.files.opening import state_in
from attnsim.files.pictures import save
from attnsim.files.provenance_reader import entries
from attnsim.files.session import write
from attnsim.files.state import State, to_json
from attnsim.files.writers import pdf, png, svg
from attnsim.files.writers.page import settings as page_settings
from attnsim.scenario import Scenario
from attnsim.vectors import Layer, Vectors
from attnsim.view import View

PICTURES = {"png": png, "svg": svg, "pdf": pdf}
NASTY = ")(\\ \\( <&> √ 三 𝄞 \"'"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("provenance")


def written(folder, kind, kept):
    """Return the path of a small picture that keeps some entries."""
    from matplotlib.figure import Figure

    stream = io.BytesIO()
    with page_settings():
        PICTURES[kind].write(Figure(figsize=(0.2, 0.2)), stream, kept, 50.0)
    path = folder / f"small.{kind}"
    path.write_bytes(stream.getvalue())
    return path


@pytest.mark.parametrize("kind", PICTURES)
@settings(max_examples=15, deadline=None)
@given(state=states(), caption=WORDS)
def test_every_state_comes_back_from_every_picture(folder, kind, state, caption):
    path = written(folder, kind, {"attnsim:state": to_json(state), "attnsim:caption": caption})
    assert state_in(path) == (state, ())


@pytest.mark.parametrize("kind", PICTURES)
def test_words_with_signs_that_formats_use_themselves_come_back(folder, kind):
    assert entries(written(folder, kind, {"attnsim:caption": NASTY})) == {"attnsim:caption": NASTY}


@pytest.fixture(scope="module")
def result():
    return last(Scenario(dim=16, keys=8, rows=20, rho=0.25))


VIEW = View(marked=(1, 2), playhead=9, bits=True)


@pytest.mark.parametrize("kind", PICTURES)
def test_an_exported_page_brings_back_scenario_view_and_lab_whatever_its_name(result, tmp_path, kind):
    path = save(result, tmp_path / f"page.{kind}", VIEW, dpi=50)
    renamed = path.rename(tmp_path / "downloaded")
    assert state_in(renamed) == (State(scenario=result.scenario, view=VIEW), ())


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_of_real_vectors_brings_the_vectors_back(tmp_path, kind):
    random = np.random.default_rng(3)
    layer = Layer("layer 0", random.normal(size=(1, 4, 8)), random.normal(size=(1, 6, 8)))
    real = Vectors("a model", (layer,), row=2)
    path = save(last(Scenario(), real), tmp_path / f"page.{kind}", dpi=50)
    state, said = state_in(path)
    assert said == ()
    np.testing.assert_array_equal(state.vectors.vectors().query, real.query)


@pytest.mark.parametrize("kind", PICTURES)
def test_nothing_personal_is_written(result, tmp_path, monkeypatch, kind):
    monkeypatch.setenv("USER", "somebody-by-name")
    monkeypatch.setenv("LOGNAME", "somebody-by-name")
    place = tmp_path / "home of somebody"
    place.mkdir()
    content = save(result, place / f"page.{kind}", dpi=50).read_bytes()
    for word in (getpass.getuser(), str(place), "home of somebody"):
        assert word.encode() not in content
        assert word.encode("utf-16-be") not in content


def test_a_file_of_an_older_attnsim_is_restored_and_said_to_be_old(folder):
    kept = {
        "attnsim:lab": "walk",
        "attnsim:scenario": json.dumps({"dim": 32, "section": None}),
        "attnsim:view": json.dumps({"marked": [3], "picks": []}),
    }
    state, said = state_in(written(folder, "png", kept))
    assert state == State(scenario=Scenario(dim=32), view=View(marked=(3,)))
    assert "older attnsim" in said[0]


def test_a_session_is_known_by_its_content_too(tmp_path):
    state = State(scenario=Scenario(dim=32), title="a")
    write(tmp_path / "lesson.attnsim", state).rename(tmp_path / "lesson.json")
    assert state_in(tmp_path / "lesson.json") == (state, ())


@pytest.mark.parametrize("kind", [*PICTURES, "npz", "csv", "json"])
def test_a_damaged_picture_says_what_it_can_or_nothing_and_never_fails(result, tmp_path, kind):
    content = save(result, tmp_path / f"page.{kind}", **({"dpi": 30} if kind in PICTURES else {})).read_bytes()
    random = np.random.default_rng(1)
    for end in (0, 1, 9, 20, 200, len(content) // 2):
        (tmp_path / "cut").write_bytes(content[:end])
        entries(tmp_path / "cut")
    for _try in range(20):
        harmed = bytearray(content)
        for place in random.integers(0, min(2000, len(content)), 20):
            harmed[place] = random.integers(256)
        (tmp_path / "harmed").write_bytes(harmed)
        entries(tmp_path / "harmed")


def test_a_file_of_vectors_holds_no_state(tmp_path):
    np.savez(tmp_path / "head.npz", q=np.zeros((2, 3)), k=np.zeros((2, 3)))
    assert state_in(tmp_path / "head.npz") is None
    with pytest.raises(ValueError, match=r"none\.png cannot be opened"):
        state_in(tmp_path / "none.png")


def test_an_entry_written_twice_is_read_as_the_later_revision(folder):
    path = written(folder, "pdf", {"attnsim:state": to_json(State())})
    later = to_json(replace(State(), scenario=Scenario(dim=8))).encode()
    path.write_bytes(path.read_bytes() + b"\n9 0 obj << /attnsim:state <" + later.hex().encode() + b"> >>")
    assert state_in(path)[0].scenario.dim == 8
