"""The start: which face, and what is set before anything is loaded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from attnsim import __main__ as start

ROOT = Path(__file__).parent.parent


def bare(**more: str) -> dict[str, str]:
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "OPENBLAS_NUM_THREADS")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    return kept | {"PYTHONPATH": str(ROOT)} | more


def run(program: str, folder: Path, **more: str) -> str:
    command = [sys.executable, "-W", "error", "-c", program]
    outcome = subprocess.run(command, cwd=folder, env=bare(**more), capture_output=True, text=True, encoding="utf-8")
    assert outcome.returncode == 0, outcome.stderr
    return outcome.stdout


ASK = "import os; from attnsim.__main__ import main; main(['labs']); print(os.environ.get('OPENBLAS_NUM_THREADS'))"


def test_the_program_keeps_blas_to_one_thread(tmp_path):
    assert run(ASK, tmp_path).endswith("\n1\n")


def test_whoever_set_the_threads_knows_better(tmp_path):
    assert run(ASK, tmp_path, OPENBLAS_NUM_THREADS="2").endswith("\n2\n")


def test_importing_the_package_leaves_the_environment_alone(tmp_path):
    program = "import os; before = dict(os.environ); import attnsim; attnsim.Scenario; print(before == os.environ)"
    assert run(program, tmp_path) == "True\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
def test_without_a_display_no_window_can_open(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    assert start._missing() == "A window needs a display, and there is none here."


def test_what_the_guard_of_the_window_says_is_the_reason(monkeypatch):
    from attnsim.gui import guard

    def refuse(_environment):
        raise guard.CannotStart("Qt is broken here")

    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr(guard, "check", refuse)
    assert start._missing() == "Qt is broken here"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
def test_the_program_alone_writes_its_picture_where_it_is_started(tmp_path):
    command = [sys.executable, "-m", "attnsim"]
    outcome = subprocess.run(command, cwd=tmp_path, env=bare(), capture_output=True, text=True, encoding="utf-8")
    assert (outcome.returncode, outcome.stderr) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == ["attnsim.png"]
