"""What all builders share: where things are built, with which Python, from which commit, and how long it took."""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from environment import ROOT, TroubleError, base_mark, one_line, python_candidates, say, works

BUILD, DIST = ROOT / "build", ROOT / "dist"
HERE = Path(__file__).resolve().parent
SOURCES = ("attnsim", "resources", "tests", "packaging", "pyproject.toml", "README.md", "LICENSE")
# pinned, so that a build next year is the build of today: what builds, not what is shipped
WHEEL_TOOLS = ("hatchling==1.27.0",)
FREEZE_TOOLS = ("pyinstaller==6.22.3", "pyinstaller-hooks-contrib==2026.9")
MEGABYTE = 1e6


def run(command, **options):
    """Run a program; where it fails, the trouble names it and its last words."""
    done = subprocess.run(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options
    )
    if done.returncode:
        words = one_line(done.stdout[-1500:])
        raise TroubleError(f"{Path(str(command[0])).name} ended with {done.returncode}: {words}")
    return done.stdout.decode("utf-8", "replace")


def need(*programs):
    """Name the programs that are missing, with the command that installs them."""
    missing = [package for program, package in programs if shutil.which(program) is None]
    if missing:
        raise TroubleError(f"programs are missing; install them with: apt-get install {' '.join(missing)}.")


def version():
    """Return the version, from the one place it is written in."""
    names = {}
    exec((ROOT / "attnsim" / "version.py").read_text(encoding="utf-8"), names)
    return names["__version__"]


def commit():
    """Return the commit of this checkout, with a mark when files differ from it; empty outside of a repository."""
    if not (ROOT / ".git").exists():
        known = ROOT / "attnsim" / "commit.txt"
        return known.read_text(encoding="ascii").strip() if known.exists() else ""
    head = run(["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"]).strip()
    changed = run(["git", "-C", ROOT, "status", "--porcelain", "--", *SOURCES]).strip()
    return head + ("-changed" if changed else "")


def epoch():
    """Return the time that all files of a build carry: SOURCE_DATE_EPOCH, or that of the commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    if (ROOT / ".git").exists():
        return int(run(["git", "-C", ROOT, "log", "-1", "--format=%ct"]).strip())
    return 1_700_000_000


def build_environment(**more):
    """Return the environment of all build steps: equal sources give equal bytes."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ATTNSIM"))}
    fixed = {"SOURCE_DATE_EPOCH": str(epoch()), "PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    return {**kept, **fixed, **{name: str(value) for name, value in more.items()}}


def fresh(folder):
    """Return an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def freezing_python():
    """Return a Python 3.13 or 3.12: with 3.11 the newest Qt ends the program after some hundred frames."""
    for candidate in [sys.executable, *python_candidates()]:
        question = "import sys; raise SystemExit(sys.version_info[:2] not in ((3, 13), (3, 12)))"
        if works(candidate) and subprocess.run([candidate, "-c", question], check=False).returncode == 0:
            return candidate
    raise TroubleError("an installer is built with Python 3.13 or 3.12, and there is none here.")


def tool_environment(name, python, requirements):
    """Return the Python of a virtual environment of the build, made or renewed only when what it holds changes."""
    folder = ROOT / f".venv-{name}"
    stamp, inside = folder / "stamp.txt", folder / "bin" / "python"
    mark = hashlib.sha256(repr((str(python), base_mark(), requirements)).encode()).hexdigest()
    if not (inside.exists() and stamp.exists() and stamp.read_text() == mark):
        say(f"making the environment {folder.name}.")
        shutil.rmtree(folder, ignore_errors=True)
        run([python, "-m", "venv", folder])
        run([inside, "-m", "pip", "install", "-q", "--disable-pip-version-check", *requirements])
        stamp.write_text(mark)
    return inside


def folder_bytes(folder):
    """Return the bytes of all files under a folder."""
    return sum(path.lstat().st_size for path in Path(folder).rglob("*") if not path.is_dir())


def clamp_times(folder):
    """Give every file the time of the build."""
    when = epoch()
    for path in [Path(folder), *Path(folder).rglob("*")]:
        os.utime(path, (when, when), follow_symlinks=False)


class Step:
    """Says how long a step took, and how large what it made is."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.begun = time.monotonic()
        return self

    def done(self, path):
        """Print seconds and size of what was made."""
        size = folder_bytes(path) if path.is_dir() else path.stat().st_size
        seconds = time.monotonic() - self.begun
        print(f"{self.name}: {path.name}, {size / MEGABYTE:.1f} MB, {seconds:.1f} s", flush=True)

    def __exit__(self, *_error):
        return False
