"""What all commands share: help, version, exit codes, one sentence for what is wrong."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from attnsim import cli
from attnsim.scenario import Scenario
from attnsim.version import __version__


def test_the_version_is_the_program_s_name_and_number(attnsim):
    outcome = attnsim("--version")
    assert outcome.code == 0
    assert re.fullmatch(rf"attnsim {re.escape(__version__)}( \([0-9a-f]+\))?, Python .*\n", outcome.out)


def test_help_names_every_command(attnsim):
    outcome = attnsim("--help")
    assert outcome.code == 0
    assert all(key in outcome.out for key in cli.COMMANDS)


@pytest.mark.parametrize("key", cli.COMMANDS)
def test_every_command_explains_itself(attnsim, key):
    outcome = attnsim(key, "--help")
    assert outcome.code == 0
    assert outcome.out.startswith(f"usage: attnsim {key}")


def test_no_command_opens_the_window_without_a_file(attnsim, window):
    assert attnsim().code == 0
    assert window.opened == [None]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("simulate", "--dim", "0"), "dim must be a whole number in 1..65536, not 0"),
        (("simulate", "--dim", "2.5"), "dim must be a whole number in 1..65536, not 2.5"),
        (("simulate", "--dim", "many"), "dim must be a whole number in 1..65536, not 'many'"),
        (("simulate", "--dim", "nan"), "dim must be a whole number in 1..65536, not nan"),
        (("simulate", "--keys", "-3"), "keys must be a whole number in 1..65536, not -3"),
        (("simulate", "--sigma-q", "-1e-3"), "sigma_q must lie in 0.001..1000, not -0.001"),
        (("simulate", "--law", "cauchy"), "law must be one of"),
        (("simulate", "--scalings", "cube"), "scalings must be among"),
        (("simulate", "--scalings", ""), "scalings must name 1..6 rules, not 0"),
        (("simulate", "--rho", "2"), "rho must lie in -1..1, not 2"),
        (("simulate", "--seed", str(2**63)), "seed must be a whole number in 0..9223372036854775807"),
        (("simulate", "--head", "1"), "head says where to look in a file: name it with --file"),
        (("table", "--dims", "8,,16"), "dims must be a whole number in 1..65536, not ''"),
        (("table", "--dims", "8,0"), "dims must be a whole number in 1..65536, not '0'"),
        (("table", "--dim", "8"), "unrecognized arguments: --dim 8"),
        (("export",), "name a file: --out FILE for a page, numbers or a film"),
        (("fly",), "argument COMMAND: invalid choice: 'fly'"),
        (("open", "no such file.npz"), "no such file.npz: there is no such file"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(attnsim, words, sentence):
    outcome = attnsim(*words)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.error.startswith("attnsim: " + sentence)
    assert outcome.error.count("\n") == 1


def test_a_missing_file_is_named(attnsim, tmp_path):
    outcome = attnsim("simulate", "--file", tmp_path / "none.npz")
    assert outcome.code == 2
    assert "none.npz" in outcome.error
    assert outcome.error.count("\n") == 1


def test_negative_numbers_of_every_spelling_reach_their_option():
    words = ["simulate", "--mean-q", "-1e-3", "--mean-k=-2", "--rho", "-.5", "--json"]
    assert cli.glued(words) == ["simulate", "--mean-q=-1e-3", "--mean-k=-2", "--rho=-.5", "--json"]
    given = cli.parser().parse_args(cli.glued(words))
    assert (given.mean_q, given.mean_k, given.rho) == ("-1e-3", "-2", "-.5")


def test_every_field_of_the_scenario_is_an_option_with_a_sentence():
    from attnsim.cli.scenario_options import MEANINGS

    names = [name for name in Scenario.__dataclass_fields__ if name != "section"]  # which has options of its own
    assert list(MEANINGS) == names
    words = cli.parser().parse_args(["simulate"])
    assert all(hasattr(words, name) for name in names)


def run_process(folder, *words, **options):
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "attnsim", *words]
    return subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, **options)


@pytest.mark.skipif(os.name == "nt", reason="pipes close otherwise on Windows")
def test_a_reader_that_leaves_early_is_no_error(tmp_path):
    read, write = os.pipe()
    os.close(read)
    with run_process(tmp_path, "labs", stdout=write) as process:
        os.close(write)
        _out, error = process.communicate()
    assert (process.returncode, error) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a device that is always full")
def test_a_full_disk_is_one_sentence(tmp_path):
    with open("/dev/full", "wb") as full, run_process(tmp_path, "labs", stdout=full) as process:
        _out, error = process.communicate()
    assert process.returncode == 2
    assert error == b"attnsim: No space left on device\n"


def test_an_interrupted_command_is_quiet(attnsim, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("attnsim.api.run", interrupt)
    outcome = attnsim("simulate")
    assert (outcome.code, outcome.out, outcome.error) == (130, "", "")
