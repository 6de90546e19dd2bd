"""Where compiled loops are kept: in the user's own folder, or nowhere."""

import os
import tempfile
from pathlib import Path

import pytest

from attnsim.kernels import cache_folder as place
from attnsim.version import __version__

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the folders and their modes are those of POSIX")


@pytest.fixture
def find(monkeypatch, tmp_path):
    """Return what asks anew, in a home of its own."""
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()

    def ask(**environment: object):
        for name, value in environment.items():
            monkeypatch.setenv(name, str(value))
        return place.cache_folder.__wrapped__()

    return ask


def test_it_is_named_by_version_and_sources(find, tmp_path):
    folder = find()
    assert folder.parent == tmp_path / "home" / ".cache" / "attnsim"
    assert folder.name == f"kernels-{__version__}-{place.source_digest()[:12]}"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_the_system_s_place_for_caches_comes_first(find, tmp_path):
    assert find(XDG_CACHE_HOME=tmp_path / "cache").is_relative_to(tmp_path / "cache")


def test_a_relative_place_is_no_place(find, tmp_path):
    assert find(XDG_CACHE_HOME="cache").is_relative_to(tmp_path / "home")


def test_what_the_user_named_comes_before_all(find, tmp_path):
    assert find(NUMBA_CACHE_DIR=tmp_path / "mine", XDG_CACHE_HOME=tmp_path).is_relative_to(tmp_path / "mine")


def test_a_folder_others_can_write_to_is_not_used(find, tmp_path):
    shared = tmp_path / "shared" / "attnsim"
    shared.mkdir(parents=True)
    shared.chmod(0o777)
    assert find(XDG_CACHE_HOME=tmp_path / "shared").is_relative_to(tmp_path / "home")


def test_a_folder_of_somebody_else_is_not_used(find, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: os.geteuid() + 1)
    assert find() is None


def refuse(*_given: object, **_more: object):
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("step", ["mkdir", "probe"])
def test_a_home_that_takes_nothing_means_that_nothing_is_kept(find, monkeypatch, step):
    if step == "mkdir":
        monkeypatch.setattr(Path, "mkdir", refuse)
    else:
        monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert find() is None


def test_nothing_is_ever_kept_in_the_shared_folder_for_temporary_files(find, monkeypatch):
    made = []
    monkeypatch.setattr(Path, "mkdir", lambda self, *_given, **_more: made.append(self) or refuse())
    find()
    assert made
    assert not any(path.parent == Path(tempfile.gettempdir()) for path in made)
