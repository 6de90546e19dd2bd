"""Which attnsim this is, and what it stands on; asked without loading any of it."""

import argparse
import contextlib
import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from attnsim.cli.printing import say
from attnsim.version import __version__

PACKAGE = Path(__file__).resolve().parents[1]
PARTS = {  # what users name -> the distribution it comes in
    "Qt": "PySide6-Essentials",
    "pyqtgraph": "pyqtgraph",
    "numpy": "numpy",
    "scipy": "scipy",
    "numba": "numba",
    "matplotlib": "matplotlib",
}
SHORT = ("Python", "Qt", "numba")


def commit() -> str:
    """Return the commit this was built from; empty if nobody knows.

    A build writes it into a file; a checkout is asked.
    """
    with contextlib.suppress(OSError):
        return (PACKAGE / "commit.txt").read_text(encoding="ascii").strip()
    if not (PACKAGE.parent / ".git").exists():
        return ""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        asked = ["git", "-C", str(PACKAGE.parent), "rev-parse", "--short=12", "HEAD"]
        return subprocess.run(asked, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
    return ""


def versions() -> dict[str, str]:
    """Return version by name: Python, then the libraries; "?" for one that is not there."""
    found = {"Python": platform.python_version()}
    for name, distribution in PARTS.items():
        try:
            found[name] = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            found[name] = "?"
    return found


def line() -> str:
    """Return one line: version, commit if known, and what matters most when something goes wrong."""
    known = commit()
    mark = f" ({known})" if known else ""
    found = versions()
    return f"attnsim {__version__}{mark}, " + ", ".join(f"{name} {found[name]}" for name in SHORT)


def frozen() -> bool:
    """Whether this runs from an installer, without an interpreter of its own to start."""
    return bool(getattr(sys, "frozen", False))


class ShowVersion(argparse.Action):
    """Prints the version and leaves the program; nothing is looked up unless somebody asks."""

    def __init__(self, option_strings: list[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, default=argparse.SUPPRESS, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_given: Any) -> None:
        """Print the line."""
        say(line())
        parser.exit()
