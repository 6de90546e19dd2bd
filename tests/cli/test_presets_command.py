"""`attnsim presets` and `attnsim open --preset`."""

import pytest

from attnsim.files.link import from_link


@pytest.fixture(autouse=True)
def own(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_the_list_names_what_open_opens(attnsim, window):
    listed = attnsim("presets", "--json").json["presets"]
    assert len(listed) >= 14
    for preset in listed[:3]:
        assert attnsim("open", "--preset", preset["name"]).code == 0
        opened = window.states.pop()
        assert (opened.lab, opened.title) == (preset["lab"], preset["title"])
        assert from_link(preset["link"]) == (opened, ())


def test_people_read_title_and_sentences(attnsim):
    lines = attnsim("presets").out.splitlines()
    assert lines[0] == "why-root-d: Why divide by √d?"
    assert lines[1].startswith("    Press play")
