"""The environment that both start scripts share: the right Python, a virtual environment, system libraries.

Standard library only. This file is also read by Pythons older than the program supports (they only look
for a newer one), so it keeps to the syntax of Python 3.6.
"""

import contextlib
import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)
SUPPORTED = ("3.13", "3.12", "3.11")
STAMP = "attnsim-stamp.txt"

# Libraries that the window toolkit loads but does not bring along: (file, Debian package).
TOOLKIT = (
    ("libEGL.so.1", "libegl1"),
    ("libGL.so.1", "libgl1"),
    ("libxkbcommon.so.0", "libxkbcommon0"),
    ("libdbus-1.so.3", "libdbus-1-3"),
    ("libfontconfig.so.1", "libfontconfig1"),
    ("libglib-2.0.so.0", "libglib2.0-0"),
)
# Without one of these the toolkit ends the process when it opens a window under X.
X_WINDOW = (
    ("libX11-xcb.so.1", "libx11-xcb1"),
    ("libxcb-cursor.so.0", "libxcb-cursor0"),
    ("libxcb-icccm.so.4", "libxcb-icccm4"),
    ("libxcb-image.so.0", "libxcb-image0"),
    ("libxcb-keysyms.so.1", "libxcb-keysyms1"),
    ("libxcb-randr.so.0", "libxcb-randr0"),
    ("libxcb-render-util.so.0", "libxcb-render-util0"),
    ("libxcb-shape.so.0", "libxcb-shape0"),
    ("libxcb-shm.so.0", "libxcb-shm0"),
    ("libxcb-sync.so.1", "libxcb-sync1"),
    ("libxcb-xfixes.so.0", "libxcb-xfixes0"),
    ("libxcb-xinerama.so.0", "libxcb-xinerama0"),
    ("libxcb-xkb.so.1", "libxcb-xkb1"),
    ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
)
# Programs of the test that opens a real window on a virtual screen: (program, Debian package).
TEST_PROGRAMS = (("Xvfb", "xvfb"), ("openbox", "openbox"), ("xdotool", "xdotool"))


class TroubleError(Exception):
    """One sentence for the user."""


def say(sentence):
    """Tell the user what is going on, apart from what the program prints."""
    print("attnsim: " + sentence, file=sys.stderr, flush=True)


def run_script(work):
    """Run a script's work and return its exit code; troubles and Ctrl-C end without a traceback."""
    try:
        use_supported_python()
        return work(sys.argv[1:])
    except TroubleError as trouble:
        say(str(trouble))
        return 2
    except KeyboardInterrupt:
        return 130


# ------------------------------------------------------------------------------------------ Python


def use_supported_python():
    """Start this script again under a newer Python when the running one is too old."""
    if sys.version_info >= OLDEST:
        return
    for candidate in python_candidates():
        if works(candidate):
            say(f"Python {version()} is too old, so {candidate} is used.")
            raise SystemExit(subprocess.call([candidate, str(Path(sys.argv[0]).resolve()), *sys.argv[1:]]))
    raise TroubleError(f"Python 3.11 or newer is needed; this one is {version()}, and no newer one was found.")


def version():
    """Return the running Python's version, such as 3.11."""
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def python_candidates():
    """Return commands that may be a supported Python, best first."""
    found = []
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    for version in SUPPORTED:
        name = "python" + version
        on_path = shutil.which(name)
        found += [on_path] if on_path else []
        found += [str(path) for path in sorted(pyenv.glob(version + ".*/bin/" + name), reverse=True)]
    return found


def works(python):
    """Return whether a command is a Python of a supported version: shims may point nowhere."""
    question = "import sys; raise SystemExit(sys.version_info < (3, 11))"
    try:
        answer = subprocess.run(
            [python, "-c", question], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return answer.returncode == 0


# ------------------------------------------------------------------------------ virtual environment


def prepare(dev=False):
    """Make the virtual environment if needed, install the project in it, and return its Python.

    The stamp is written last: an environment whose making was interrupted is made anew, and one whose
    update failed (no network) stays as it is and is updated at the next start.
    """
    folder = ROOT / f".venv-{version()}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    with only_one_at_a_time():
        stamp = folder / STAMP
        place, project, extras = read_stamp(stamp)
        if place != base_mark() or not python.exists():
            make(folder)
            project, extras = "", ""
        wanted = "dev" if dev or extras == "dev" else "run"
        if (project, extras) != (project_mark(), wanted):
            install(python, wanted)
            stamp.write_text("\n".join((base_mark(), project_mark(), wanted)) + "\n", encoding="utf-8")
    return python


def read_stamp(stamp):
    """Return the three lines of a stamp; empty ones when there is none."""
    try:
        lines = stamp.read_text(encoding="utf-8").split("\n")
    except OSError:
        return "", "", ""
    return tuple([*lines, "", "", ""][:3])


def base_mark():
    """Return what an environment depends on: it breaks when the folder moves or its Python goes."""
    return f"{sys.version.split()[0]} {sys.base_prefix} {ROOT}"


def project_mark():
    """Return a mark that changes with the project's dependencies."""
    return hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()


@contextlib.contextmanager
def only_one_at_a_time():
    """Let a second start wait for the first one's installation (where the system has such locks)."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with open(__file__, "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make(folder):
    """Make an empty virtual environment in place of whatever is there."""
    need_venv_module()
    say(f"making a Python environment in {folder.name} (once).")
    try:
        if folder.is_symlink() or folder.is_file():
            folder.unlink()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    except OSError as error:
        raise TroubleError(f"{folder} cannot be made: {error.strerror}.") from None
    command = [sys.executable, "-m", "venv", str(folder)]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode:
        raise TroubleError(f"the environment {folder} cannot be made: {one_line(result.stdout)}")


def need_venv_module():
    """Make sure that Python can make environments with pip; Debian keeps that in a package of its own."""
    question = [sys.executable, "-c", "import venv, ensurepip"]
    if subprocess.run(question, stderr=subprocess.DEVNULL).returncode == 0:
        return
    package = f"python{version()}-venv"
    if not (install_packages([package]) and subprocess.run(question, stderr=subprocess.DEVNULL).returncode == 0):
        raise TroubleError(f"this Python lacks its venv module; {how_to_install([package])}.")


def install(python, extras):
    """Install the project, editable, with its dependencies."""
    say("installing the program and what it needs (once; some minutes on a slow network).")
    what = str(ROOT) + ("[dev]" if extras == "dev" else "")
    command = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--editable", what]
    # pip's words go to stderr: what the program prints may be piped into another one
    if subprocess.call(command, stdout=sys.stderr.fileno(), cwd=str(ROOT)):
        raise TroubleError("pip could not install the program; its message is above, and the next start tries again.")


def one_line(output):
    """Return a program's output as one line."""
    return " ".join(output.decode("utf-8", "replace").split())


# --------------------------------------------------------------------------------- system libraries


def need_libraries(libraries):
    """Install missing system libraries where that is possible; return the packages still missing."""
    if not sys.platform.startswith("linux"):
        return []
    missing = missing_libraries(libraries)
    if missing and install_packages(missing):
        missing = missing_libraries(libraries)
    return missing


def need_programs(programs):
    """Install missing programs where that is possible; return the packages still missing."""
    if not sys.platform.startswith("linux"):
        return []
    missing = missing_programs(programs)
    if missing and install_packages(missing):
        missing = missing_programs(programs)
    return missing


def missing_libraries(libraries):
    """Return the packages of the libraries that the loader does not find."""
    return [package for name, package in libraries if not loads(name)]


def missing_programs(programs):
    """Return the packages of the programs that are not on the path."""
    return [package for name, package in programs if shutil.which(name) is None]


def loads(name):
    """Return whether the system's loader finds a library."""
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def how_to_install(packages):
    """Return the command that installs packages, as half a sentence."""
    return "install it with: sudo apt-get install " + " ".join(packages)


def install_packages(packages):
    """Install packages as root on a system like Debian; return whether that was done."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return False
    say("installing system packages: " + " ".join(packages) + ".")
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
    # the lists of a fresh system are empty or old: ask for new ones only when the first try fails
    for command in (install, ["apt-get", "update", "-q"], install):
        code = subprocess.call(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        if code == 0 and command is install:
            return True
    return False
