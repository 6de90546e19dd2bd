"""Wheel and sdist: the same bytes from the same commit."""

import shutil
import sys
from pathlib import Path

from environment import ROOT, TroubleError
from tools import (
    BUILD,
    DIST,
    SOURCES,
    WHEEL_TOOLS,
    Step,
    build_environment,
    commit,
    fresh,
    run,
    tool_environment,
    version,
)

IGNORED = shutil.ignore_patterns("__pycache__", "*.py[cod]", ".*_cache", ".hypothesis", "commit.txt")


def build(again=False):
    """Make both in `dist`; with `again` make them twice and compare.

    Returns
    -------
    tuple of Path
        Wheel and sdist.
    """
    with Step("wheel") as step:
        made = [_make("first")] + ([_make("second")] if again else [])
        for one, other in zip(*made, strict=True) if again else ():
            if one.read_bytes() != other.read_bytes():
                raise TroubleError(f"{one.name} is not reproducible: two builds differ.")
        DIST.mkdir(exist_ok=True)
        wheel, sdist = (Path(shutil.copy(path, DIST)) for path in made[0])
        step.done(wheel)
        step.done(sdist)
    return wheel, sdist


def _make(name):
    """Build from a copy of the sources that also says which commit it is."""
    stage = fresh(BUILD / f"wheel-{name}")
    source = stage / "source"
    source.mkdir()
    for part in SOURCES:
        path = ROOT / part
        if path.is_dir():
            shutil.copytree(path, source / part, ignore=IGNORED)
        else:
            shutil.copy(path, source)
    if known := commit():
        (source / "attnsim" / "commit.txt").write_text(known + "\n", encoding="ascii")
    python = tool_environment(f"wheel-{sys.version_info[0]}.{sys.version_info[1]}", sys.executable, WHEEL_TOOLS)
    run([python, "-m", "hatchling", "build", "-d", stage], cwd=source, env=build_environment())
    return stage / f"attnsim-{version()}-py3-none-any.whl", stage / f"attnsim-{version()}.tar.gz"
