"""Kernels are compiled once, in a child, and the wait can be given up."""

import os
import subprocess
import sys
import time

import pytest

from attnsim.experiments import preparation
from attnsim.kernels.cache_folder import cache_folder


def test_a_prepared_machine_starts_no_child(monkeypatch):
    monkeypatch.setattr(preparation, "prepared", lambda: True)
    monkeypatch.setattr(subprocess, "Popen", lambda *_a, **_k: pytest.fail("a child was started"))
    preparation.prepare(lambda: False)


def test_the_wait_for_the_child_can_be_given_up(monkeypatch):
    monkeypatch.setattr(preparation, "prepared", lambda: False)
    monkeypatch.setattr(preparation, "CHILD", "import time; time.sleep(60)")
    begun = time.perf_counter()
    preparation.prepare(lambda: True)
    assert time.perf_counter() - begun < 30.0  # the child would have slept for 60


def test_a_child_that_cannot_start_changes_nothing(monkeypatch):
    monkeypatch.setattr(preparation, "prepared", lambda: False)
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    preparation.prepare(lambda: False)


@pytest.mark.slow
def test_on_a_new_machine_all_kernels_of_the_walk_come_from_the_child(tmp_path):
    code = (
        "from attnsim.experiments.preparation import prepare, prepared\n"
        "from attnsim.scenario import Scenario\n"
        "assert not prepared()\n"
        "prepare(lambda: False)\n"
        "assert prepared()\n"
        "from attnsim.kernels.cache_folder import cache_folder\n"
        "known = {p.name for p in cache_folder().rglob('*.nbc')}\n"
        "from attnsim.experiments.walk import last\n"
        "from attnsim.choices.laws import LAWS\n"
        "for law in LAWS:\n"
        "    rho = 0.0 if 'rho' in LAWS[law].refuses else 0.2\n"
        "    last(Scenario(law=law, dim=70, keys=5, rows=90, rho=rho, aligned='one', mean_k=0.1))\n"
        "assert {p.name for p in cache_folder().rglob('*.nbc')} == known\n"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert str(cache_folder()) != str(tmp_path)
