"""`attnsim open`, and what happens where no window can open."""

import os
import stat
from pathlib import Path

import numpy as np
import pytest

from attnsim.cli.headless import free_place
from attnsim.files.opening import state_in
from attnsim.files.state import State
from attnsim.scenario import Scenario
from attnsim.view import View

REASON = "A window needs a display, and there is none here."


def test_a_file_is_handed_to_the_window(attnsim, window, head):
    assert attnsim("open", head).code == 0
    assert window.opened == [head]


def test_without_a_display_the_default_picture_is_written_and_the_table_printed(attnsim, window, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    window.reason = REASON
    outcome = attnsim()
    assert (outcome.code, window.opened) == (0, [])
    assert (tmp_path / "attnsim.png").read_bytes().startswith(b"\x89PNG")
    assert outcome.out.startswith(REASON + "\n")
    assert str(tmp_path / "attnsim.png") in outcome.out
    assert "attnsim export --out figure.png" in outcome.out
    usual = Scenario()
    assert f"keys n = {usual.keys}, law {usual.law}, seed {usual.seed}, rows {usual.rows}" in outcome.out


def test_without_a_display_a_file_is_drawn_and_the_command_for_it_named(attnsim, window, head, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    window.reason = REASON
    outcome = attnsim("open", head)
    assert outcome.code == 0
    assert (tmp_path / "attnsim.png").exists()
    assert f"attnsim export --file {head} --out figure.png" in outcome.out
    assert "head 0, row 0; d = 8, keys n = 7" in outcome.out


def test_a_file_that_holds_no_vectors_is_refused_in_one_sentence(attnsim, window, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    window.reason = REASON
    (tmp_path / "bad.npz").write_bytes(b"nothing")
    outcome = attnsim("open", "bad.npz")
    assert (outcome.code, outcome.out) == (2, "")
    assert "bad.npz" in outcome.error
    assert outcome.error.count("\n") == 1


def test_an_existing_picture_is_never_overwritten(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("attnsim.png", "attnsim-2.png"):
        (tmp_path / name).touch()
    assert free_place("attnsim.png") == tmp_path / "attnsim-3.png"


def test_a_folder_without_write_permission_is_passed_over(tmp_path, monkeypatch):
    closed, home = tmp_path / "closed", tmp_path / "home"
    closed.mkdir()
    home.mkdir()
    monkeypatch.chdir(closed)
    monkeypatch.setattr("attnsim.cli.headless.Path.home", lambda: home)
    # root may write anywhere, so the question itself is answered
    monkeypatch.setattr(os, "access", lambda folder, _mode: str(folder) != str(closed))
    assert free_place("attnsim.png") == home / "attnsim.png"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert free_place("attnsim.png").parent != tmp_path


def test_a_link_is_handed_to_the_window_as_a_state(attnsim, window):
    assert attnsim("open", "attnsim:1?dim=64&keys=16&marked=2").code == 0
    assert window.opened == [None]
    assert window.states == [State(scenario=Scenario(dim=64, keys=16), view=View(marked=(2,)))]


def test_an_exported_picture_opens_as_what_it_shows(attnsim, window, tmp_path):
    picture = tmp_path / "figure.png"
    attnsim("export", "--out", picture, "--dim", 32, "--keys", 8, "--rows", 50, "--bits", "--dpi", 40)
    outcome = attnsim("open", picture)
    assert (outcome.code, outcome.error) == (0, "")
    assert window.states == [State(scenario=Scenario(dim=32, keys=8, rows=50), view=View(bits=True))]


def test_what_of_a_link_could_not_be_restored_is_said(attnsim, window):
    outcome = attnsim("open", "attnsim:1?dim=0&keys=16")
    assert outcome.code == 0
    assert outcome.error.startswith("dim stays 256")


def test_a_picture_of_vectors_too_many_to_be_in_it_asks_for_their_file(attnsim, window, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(5)
    q, k = random.normal(size=(2, 3, 64)), random.normal(size=(2, 600, 64))
    np.savez("head.npz", q=q, k=k)
    attnsim("export", "--file", "head.npz", "--head", 1, "--out", "figure.svg")
    attnsim("open", "figure.svg", "--file", "head.npz")
    assert window.opened == [Path("head.npz")]
    assert (window.states[0].vectors.head, window.states[0].vectors.kept) == (1, None)
    window.reason = REASON
    assert "say with --file where they are" in attnsim("open", "figure.svg").error
    assert attnsim("open", "figure.svg", "--file", "head.npz").code == 0
    np.savez("other.npz", q=q + 1, k=k)
    assert "other holds other numbers" in attnsim("open", "figure.svg", "--file", "other.npz").error


def test_without_a_display_a_link_is_drawn_and_the_command_for_it_named(attnsim, window, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    window.reason = REASON
    outcome = attnsim("open", "attnsim:1?dim=32&keys=8&rows=50")
    assert outcome.code == 0
    assert "attnsim export --out figure.png --dim 32 --keys 8 --rows 50" in outcome.out
    assert state_in(tmp_path / "attnsim.png")[0].scenario == Scenario(dim=32, keys=8, rows=50)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("attnsim:x",), "a link begins with"),
        (("none.png",), "none.png: there is no such file"),
        (("attnsim:1", "--preset", "x"), "name a file or link, or a preset, not both"),
        (("--preset", "no such"), "preset must be one of"),
        (("attnsim:1", "--file", "none.npz"), "none.npz: there is no such file"),
    ],
)
def test_what_cannot_be_opened_is_one_sentence(attnsim, window, words, sentence):
    outcome = attnsim("open", *words)
    assert (outcome.code, window.opened) == (2, [])
    assert outcome.error.startswith(f"attnsim: {sentence}")
    assert outcome.error.count("\n") == 1


def test_a_picture_that_says_nothing_is_not_taken_for_vectors(attnsim, window, tmp_path):
    picture = tmp_path / "holiday.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    outcome = attnsim("open", picture)
    assert (outcome.code, window.opened) == (2, [])
    assert outcome.error == "attnsim: holiday.png does not say where it comes from\n"
