"""The program in one folder with everything it needs, for people without Python."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import notices
import wheels
from environment import ROOT, TroubleError
from tools import (
    BUILD,
    FREEZE_TOOLS,
    HERE,
    MEGABYTE,
    Step,
    build_environment,
    clamp_times,
    folder_bytes,
    freezing_python,
    fresh,
    need,
    run,
    tool_environment,
)

PROGRAM = BUILD / "frozen" / "attnsim"
INSIDE = "_internal"
# Only what no wheel's tool has patched: strip breaks numpy's OpenBLAS.
STRIPPED = (
    "llvmlite/binding/libllvmlite.so",
    "libpython3.*.so.1.0",
    "python3.*/lib-dynload/*.so",
    "kiwisolver/_cext.*.so",
    "fontTools/misc/bezierTools.*.so",
    "contourpy/_contourpy.*.so",
)
ASK_PREFIX = "import sys; print(sys.base_prefix)"
ASK_SYSCONFIG = (
    "import importlib.util, sysconfig; print(importlib.util.find_spec(sysconfig._get_sysconfigdata_name()).origin)"
)


def freeze():
    """Build the folder.

    Returns
    -------
    Path
        Holds the program `attnsim` and the folder `_internal`.
    """
    need(("patchelf", "patchelf"), ("strip", "binutils"))
    wheel, _sdist = wheels.build()
    with Step("frozen") as step:
        base = freezing_python()
        python = tool_environment("freeze", base, (*FREEZE_TOOLS, *_requirements(wheel, base)))
        run([python, "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", wheel])
        _collect(python)
        _strip(PROGRAM / INSIDE)
        _neutralise(PROGRAM / INSIDE, build_prefix(python))
        _write_notices(python)
        _ship_loops()
        clamp_times(PROGRAM)
        check_no_trace(python)
        step.done(PROGRAM)
    return PROGRAM


def _requirements(wheel, python):
    """Return what the wheel needs at run time, and nothing else."""
    code = (
        "import sys, zipfile, email; "
        "z = zipfile.ZipFile(sys.argv[1]); "
        "m = next(n for n in z.namelist() if n.endswith('/METADATA')); "
        "print('\\n'.join(email.message_from_bytes(z.read(m)).get_all('Requires-Dist')))"
    )
    lines = run([python, "-c", code, wheel]).splitlines()
    return tuple(line for line in lines if "extra ==" not in line)


def build_prefix(python):
    """Return the folder in which the build machine keeps its Python.

    Its parent rather: the name of the folder itself may be the version, and the linker lets "3.13.0" share
    the end of that path.
    """
    return str(Path(run([python, "-c", ASK_PREFIX]).strip()).parent)


def neutral(prefix):
    """Return a path of the same length that names nothing of the build machine."""
    return ("/usr" + "/." * len(prefix))[: len(prefix)]


def _collect(python):
    work = fresh(BUILD / "freeze-work")
    prefix = build_prefix(python)
    source = Path(run([python, "-c", ASK_SYSCONFIG]).strip())
    sysconfig = work / source.name
    text = source.read_text(encoding="utf-8").replace(prefix, neutral(prefix))
    sysconfig.write_text(re.sub(re.escape(str(Path.home())) + r"[^'\" :]*", "/usr", text), encoding="utf-8")
    fresh(PROGRAM.parent)
    options = ("--noconfirm", "--log-level", "WARN", "--distpath", PROGRAM.parent, "--workpath", work / "work")
    run(
        [python, "-m", "PyInstaller", *options, HERE / "linux" / "attnsim.spec"],
        env=build_environment(ATTNSIM_NEUTRAL_SYSCONFIG=sysconfig, PYINSTALLER_CONFIG_DIR=work / "config"),
        cwd=work,
    )


def _strip(inside):
    for pattern in STRIPPED:
        for path in inside.glob(pattern):
            run(["strip", "--strip-unneeded", path])


def _neutralise(inside, prefix):
    """Take the build machine's folder out of Python's library, and search paths that lead out of the program."""
    old, new = prefix.encode(), neutral(prefix).encode()
    for path in sorted(inside.rglob("*.so*")):
        if path.is_symlink() or path.read_bytes()[:4] != b"\x7fELF":
            continue
        search = run(["patchelf", "--print-rpath", path]).strip()
        kept = [one for one in search.split(":") if one.startswith("$ORIGIN")]
        if search and kept != search.split(":"):
            run(["patchelf", "--set-rpath", ":".join(kept), path] if kept else ["patchelf", "--remove-rpath", path])
        content = path.read_bytes()
        if old in content:  # a search path that was removed is still among the strings
            path.write_bytes(content.replace(old, new))
        path.chmod(0o644)


def _write_notices(python):
    """Put the licences of all parts where the window finds them."""
    folder = PROGRAM / INSIDE / "attnsim" / "resources" / "licences"
    (folder / "third-party.txt").write_text(notices.third_party(python), encoding="utf-8")
    (folder / "sbom.json").write_text(notices.sbom(python), encoding="utf-8")


def _ship_loops():
    """Compile the loops for any processor of this kind: they serve until the machine's own are compiled."""
    folder = fresh(BUILD / "loops")
    environment = build_environment(
        NUMBA_CACHE_DIR=folder, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="", HOME=folder
    )
    run([PROGRAM / "attnsim", "self-test", "--compile"], env=environment, cwd="/")  # numba notes where it runs
    target = PROGRAM / INSIDE / "attnsim" / "kernels" / "shipped"
    target.mkdir()
    for path in sorted(folder.glob("kernels-*/*.nbc")):
        shutil.copyfile(path, target / path.name)
        (target / path.name).chmod(0o644)
    if not list(target.iterdir()):
        raise TroubleError("no loop was compiled for the installer.")


def check_no_trace(python):
    """Fail if a path of this machine is left in any file, also inside the archive of Python's modules.

    Raises
    ------
    TroubleError
        Names the first such files.
    """
    # wheels were built by a root of their own
    marks = {str(ROOT), build_prefix(python), str(Path.home()) + "/"} - {"/root/", "//", "/usr"}
    traces = []
    for path in sorted(PROGRAM.rglob("*")):
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
            traces += [f"{path.relative_to(PROGRAM)}: {mark}" for mark in marks if mark.encode() in content]
    code = (
        "import sys, zlib\n"
        "from PyInstaller.archive.readers import CArchiveReader\n"
        "top = CArchiveReader(sys.argv[1])\n"
        "inner = top.open_embedded_archive('PYZ.pyz') if 'PYZ.pyz' in top.toc else None\n"
        "import marshal\n"
        "for archive in (top, inner):\n"
        "    for name in archive.toc:\n"
        "        try:\n"
        "            data = archive.extract(name, raw=True) if archive is inner else archive.extract(name)\n"
        "        except Exception:\n"
        "            continue\n"
        "        for mark in sys.argv[2:]:\n"
        "            if data and mark.encode() in data:\n"
        "                print(f'{name}: {mark}')\n"
    )
    traces += run([python, "-c", code, PROGRAM / "attnsim", *marks]).splitlines()
    if traces:
        raise TroubleError(f"{len(traces)} files name this machine's folders, such as {'; '.join(traces[:5])}.")


def missing_libraries():
    """Return the libraries that the program's own files ask for and that are neither inside nor on this machine."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(PROGRAM / INSIDE)}
    missing = set()
    for path in (PROGRAM / INSIDE).rglob("*.so*"):
        if not path.is_symlink():
            said = subprocess.run(["ldd", path], env=environment, capture_output=True, text=True, check=False).stdout
            missing |= {line.split()[0] for line in said.splitlines() if "not found" in line}
    return sorted(missing)


def size_table(least_mb=4.0):
    """Return (megabytes, part) of the largest parts, largest first."""
    inside = PROGRAM / INSIDE
    parts = {}
    for path in inside.rglob("*"):
        if path.is_file() and not path.is_symlink():
            place = path.relative_to(inside)
            name = str(place) if path.stat().st_size >= least_mb * MEGABYTE else place.parts[0]
            parts[name] = parts.get(name, 0) + path.stat().st_size
    total = folder_bytes(PROGRAM)
    lines = [(size / MEGABYTE, name) for name, size in parts.items() if size >= least_mb * MEGABYTE]
    return total / MEGABYTE, sorted(lines, reverse=True)
