"""What the start scripts share: the right Python, an environment that heals, system libraries."""

import ast
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "packaging"


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """The shared module, at work in a folder whose name holds a space; it makes and installs nothing real."""
    spec = importlib.util.spec_from_file_location("environment", FOLDER / "environment.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    root = tmp_path / "my clone"
    root.mkdir()
    (root / "pyproject.toml").write_text("[project]\n")
    module.done = []

    def make(folder):
        module.done.append("make")
        python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        python.parent.mkdir(parents=True, exist_ok=True)
        python.touch()

    monkeypatch.setattr(module, "ROOT", root)
    monkeypatch.setattr(module, "make", make)
    monkeypatch.setattr(module, "install", lambda _python, extras: module.done.append(extras))
    return module


def test_the_first_start_makes_and_installs_and_the_second_does_nothing(environment):
    first, second = environment.prepare(), environment.prepare()
    assert first == second
    assert first.is_relative_to(environment.ROOT / ".venv-{}.{}".format(*sys.version_info[:2]))
    assert environment.done == ["make", "run"]


def test_an_environment_whose_making_was_interrupted_is_made_anew(environment, monkeypatch):
    def interrupt(_python, _extras):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(environment, "install", interrupt)
        with pytest.raises(KeyboardInterrupt):
            environment.prepare()
    environment.prepare()
    assert environment.done == ["make", "make", "run"]


def test_changed_dependencies_are_installed_into_the_same_environment(environment):
    environment.prepare()
    (environment.ROOT / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    environment.prepare()
    assert environment.done == ["make", "run", "run"]


def test_an_update_without_network_leaves_the_environment_as_it_was(environment, monkeypatch):
    environment.prepare()
    (environment.ROOT / "pyproject.toml").write_text("[project]\nname = 'other'\n")

    def fail(_python, _extras):
        raise environment.TroubleError("no network")

    with monkeypatch.context() as patch:
        patch.setattr(environment, "install", fail)
        with pytest.raises(environment.TroubleError):
            environment.prepare()
    environment.prepare()
    assert environment.done == ["make", "run", "run"]


def test_the_test_s_extras_are_added_once_and_kept(environment):
    environment.prepare()
    environment.prepare(dev=True)
    environment.prepare()
    environment.prepare(dev=True)
    assert environment.done == ["make", "run", "dev"]


def test_a_folder_that_moved_gets_a_new_environment(environment, monkeypatch):
    environment.prepare()
    moved = environment.ROOT.with_name("moved clone")
    environment.ROOT.rename(moved)
    monkeypatch.setattr(environment, "ROOT", moved)
    environment.prepare()
    assert environment.done == ["make", "run", "make", "run"]


@pytest.mark.skipif(os.name == "nt", reason="shims are shell scripts")
def test_a_shim_that_points_nowhere_is_no_python(environment, tmp_path):
    shim = tmp_path / "python3.13"
    shim.write_text("#!/bin/sh\nexit 127\n")
    shim.chmod(0o755)
    assert not environment.works(str(shim))
    assert not environment.works(str(tmp_path / "missing"))
    assert environment.works(sys.executable)


def test_without_a_newer_python_the_old_one_gets_one_sentence(environment, monkeypatch, capsys):
    monkeypatch.setattr(environment.sys, "version_info", (3, 8, 1))
    monkeypatch.setattr(environment, "python_candidates", list)
    assert environment.run_script(lambda _arguments: 0) == 2
    printed = capsys.readouterr().err
    assert printed == "attnsim: Python 3.11 or newer is needed; this one is 3.8, and no newer one was found.\n"


@pytest.mark.parametrize("name", ["environment.py", "start.py", "check.py"])
def test_an_old_python_can_read_the_scripts_far_enough_to_look_for_a_newer_one(name):
    ast.parse((FOLDER / name).read_text(encoding="utf-8"), feature_version=(3, 6))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux leaves libraries to the system")
def test_what_the_loader_does_not_find_is_named_by_its_package(environment, monkeypatch):
    monkeypatch.setattr(environment, "install_packages", lambda packages: bool(environment.done.append(packages)))
    libraries = (("libc.so.6", "libc6"), ("libnowhere.so.1", "libnowhere1"))
    assert environment.need_libraries(libraries) == ["libnowhere1"]
    assert environment.done == [["libnowhere1"]]
    assert environment.how_to_install(["a", "b"]) == "install it with: sudo apt-get install a b"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no such user here")
def test_only_root_installs_system_packages(environment, monkeypatch):
    monkeypatch.setattr(environment.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(environment.subprocess, "call", lambda *_a, **_k: pytest.fail("ran a program"))
    assert environment.install_packages(["anything"]) is False


def test_the_package_lists_are_renewed_only_after_a_first_failure(environment, monkeypatch):
    codes = iter([100, 0, 0])
    calls = []
    monkeypatch.setattr(environment.os, "geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(environment.shutil, "which", lambda _name: "/usr/bin/apt-get")
    monkeypatch.setattr(environment.subprocess, "call", lambda command, **_k: calls.append(command[1]) or next(codes))
    assert environment.install_packages(["anything"]) is True
    assert calls == ["install", "update", "install"]


@pytest.mark.skipif(os.name == "nt", reason="no such locks on Windows")
def test_a_second_start_waits_for_the_first(environment):
    program = (
        f"import sys; sys.path.insert(0, {str(FOLDER)!r}); import environment, fcntl\n"
        "with open(environment.__file__, 'rb') as lock:\n"
        "    try:\n"
        "        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "    except BlockingIOError:\n"
        "        print('waits')\n"
    )
    with environment.only_one_at_a_time():
        assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "waits\n"
