"""Packaged data are found wherever the package runs."""

import sys

import pytest

from attnsim.files import resources


def _pretend(monkeypatch, package):
    """Let the module believe that it lies in another package folder."""
    (package / "files").mkdir(parents=True)
    monkeypatch.setattr(resources, "__file__", str(package / "files" / "resources.py"))


def test_this_installation_has_its_resources():
    assert resources.folder().is_dir()
    assert resources.resource("fonts").is_dir()


def test_a_wheel_finds_them_inside_the_package_and_not_beside_it(monkeypatch, tmp_path):
    _pretend(monkeypatch, tmp_path / "attnsim")
    (tmp_path / "resources").mkdir()  # another package's
    with pytest.raises(ValueError, match="installed again"):
        resources.folder()
    (tmp_path / "attnsim" / "resources").mkdir()
    assert resources.folder() == tmp_path / "attnsim" / "resources"


def test_a_checkout_finds_them_at_its_top(monkeypatch, tmp_path):
    _pretend(monkeypatch, tmp_path / "attnsim")
    (tmp_path / "resources").mkdir()
    (tmp_path / "pyproject.toml").touch()
    assert resources.folder() == tmp_path / "resources"


@pytest.mark.parametrize("inside", ["attnsim/resources", "resources"])
def test_a_frozen_program_finds_them_where_it_was_unpacked(monkeypatch, tmp_path, inside):
    place = tmp_path / "frozen" / inside
    place.mkdir(parents=True)
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "frozen"), raising=False)
    assert resources.folder() == place


@pytest.mark.parametrize("name", ["nothing.txt", "../pyproject.toml", "/etc/passwd"])
def test_what_is_missing_or_outside_is_refused_by_name(name):
    with pytest.raises(ValueError, match="there is no resource"):
        resources.resource(name)
