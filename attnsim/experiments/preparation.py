"""Compiles the kernels of the walk once on a new machine, where that disturbs nobody."""

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from attnsim.choices.laws import LAWS
from attnsim.kernels.cache_folder import cache_folder, shipped_folder
from attnsim.scenario import Scenario

READY = "walk-2.ready"  # another number for other kernels
CHILD = "from attnsim.experiments.preparation import compile_all; compile_all()"
FROZEN_CHILD = ("self-test", "--compile")  # a frozen program has no interpreter that could run a line
LOOK_SECONDS = 0.05


def prepared() -> bool:
    """Whether the kernels of the walk lie compiled on disk, or nothing can be kept there."""
    folder = cache_folder()
    return folder is None or (folder / READY).exists()


def keeps_loops() -> bool:
    """Whether compiled loops can be kept on disk here."""
    return cache_folder() is not None


def kernel_counts() -> dict[str, int]:
    """Return how many loops of this process came from disk (`loaded`), from the installer's and from the compiler."""
    from attnsim.kernels.disk_cache import Counts

    return {"loaded": Counts.loaded, "bridged": Counts.bridged, "compiled": Counts.compiled}


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
    compiled here when they are called. Where an installer brought loops along that run on any processor,
    they serve this process and nobody waits for the child: this processor's own are there at the next
    start.
    """
    if prepared():
        return
    try:
        child = _start_child()
    except OSError:
        return
    if _bridge():
        threading.Thread(target=_attend, args=(child, stopped), name="compiler", daemon=True).start()
    else:
        _attend(child, stopped)


def _start_child() -> "subprocess.Popen[bytes]":
    package = Path(__file__).resolve().parents[2]
    paths = os.pathsep.join(filter(None, (str(package), os.environ.get("PYTHONPATH", ""))))
    frozen = bool(getattr(sys, "frozen", False))
    return subprocess.Popen(
        [sys.executable, *FROZEN_CHILD] if frozen else [sys.executable, "-c", CHILD],
        env=dict(os.environ) if frozen else {**os.environ, "PYTHONPATH": paths},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _bridge() -> bool:
    """Let the installer's loops stand in, if there are any; return whether."""
    if not shipped_folder().is_dir():
        return False
    from attnsim.kernels.disk_cache import Counts

    Counts.bridging = True
    return True


def _attend(child: "subprocess.Popen[bytes]", stopped: Callable[[], bool]) -> None:
    """Wait for the child's end, or end it when nobody needs it any more."""
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
