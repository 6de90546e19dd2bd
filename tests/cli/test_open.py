"""`attnsim open`, and what happens where no window can open."""

import os
import stat

import pytest

from attnsim.cli.headless import free_place
from attnsim.scenario import Scenario

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
