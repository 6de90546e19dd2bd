"""Streams that are closed, full or speak another alphabet end no command badly."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SMALL = "simulate --dim 4 --keys 2 --rows 5"


def shell(line, **environment):
    """Run a line of sh with `attnsim` standing for this program."""
    line = line.replace("attnsim", f"'{sys.executable}' -m attnsim")
    return subprocess.run(
        ["sh", "-c", line], cwd=ROOT, env={**os.environ, **environment}, capture_output=True, check=False
    )


@pytest.mark.skipif(os.name != "posix", reason="the redirections are those of sh")
@pytest.mark.parametrize("line", [f"attnsim {SMALL} >&-", f"attnsim {SMALL} --json >&-", "attnsim --version >&-"])
def test_a_closed_output_is_no_error(line):
    done = shell(line)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(os.name != "posix", reason="the redirections are those of sh")
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_bad_input_keeps_its_exit_code_where_nobody_can_be_told(redirection):
    assert shell(f"attnsim simulate --dim 0 {redirection}").returncode == 2


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")
@pytest.mark.parametrize(
    "line", ["attnsim --help >/dev/full", "attnsim --version >/dev/full", f"attnsim {SMALL} >/dev/full"]
)
def test_a_full_disk_is_told(line):
    done = shell(line)
    assert done.returncode == 2
    assert done.stderr == b"attnsim: No space left on device\n"


def test_signs_that_an_alphabet_lacks_become_question_marks():
    done = shell("attnsim simulate --dim 4 --keys 1 --rows 1", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"?" in done.stdout
