"""Compiles the kernels of the walk once on a new machine, where that disturbs nobody."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from attnsim.choices.laws import LAWS
from attnsim.kernels.cache_folder import cache_folder
from attnsim.scenario import Scenario

READY = "walk-2.ready"  # another number for other kernels
CHILD = "from attnsim.experiments.preparation import compile_all; compile_all()"
LOOK_SECONDS = 0.05


def prepared() -> bool:
    """Whether the kernels of the walk lie compiled on disk, or nothing can be kept there."""
    folder = cache_folder()
    return folder is None or (folder / READY).exists()


def prepare(stopped: Callable[[], bool]) -> None:
    """Compile the kernels in a child process, unless they are.

    Parameters
    ----------
    stopped : callable
        Says whether to give up; asked 20 times a second.

    Notes
    -----
    Compiling in a thread of this process holds the interpreter's lock for up to half a second at a
    time, which a window shows as a stutter. A child that fails changes nothing: the kernels are then
    compiled here when they are called. A frozen program has no interpreter to start.
    """
    if prepared() or getattr(sys, "frozen", False):
        return
    package = Path(__file__).resolve().parents[2]
    paths = os.pathsep.join(filter(None, (str(package), os.environ.get("PYTHONPATH", ""))))
    with contextlib.suppress(OSError):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD],
            env={**os.environ, "PYTHONPATH": paths},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while child.poll() is None:
            if stopped():
                child.kill()
                child.wait()
                return
            time.sleep(LOOK_SECONDS)


def compile_all() -> None:
    """Call each kernel of the walk once, on the smallest work, and note that all are on disk."""
    from attnsim.experiments.attention import row_attention
    from attnsim.experiments.walk import last

    for law in LAWS:
        last(Scenario(law=law, dim=3, keys=2, rows=2))
        last(Scenario(law=law, dim=3, keys=2, rows=2, mean_q=0.5, scalings=("inverse_sqrt",)))
        with contextlib.suppress(ValueError):  # not every law gives the lengths of its keys
            result = last(Scenario(law=law, dim=3, keys=2, rows=2, scalings=("layernorm_qk",), format="bf16"))
            row_attention(result, -1, 0)
    folder = cache_folder()
    if folder is not None:
        with contextlib.suppress(OSError):
            (folder / READY).touch()
