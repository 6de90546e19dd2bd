"""The Debian package."""

import datetime
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import freeze
import linux_files
from environment import TroubleError
from tools import BUILD, DIST, Step, clamp_times, commit, epoch, folder_bytes, fresh, need, run, version

PROGRAMS = (
    ("dpkg-deb", "dpkg"),
    ("dpkg-shlibdeps", "dpkg-dev"),
    ("lintian", "lintian"),
    ("desktop-file-validate", "desktop-file-utils"),
    ("appstreamcli", "appstream"),
)
MAINTAINER = "The attnsim authors <attnsim@localhost.invalid>"
HOME = "opt/attnsim"
# loaded while the program runs, so that no file names them: the screens of Qt, and numba's threads
LOADED = ("libgomp1", "libxcb-cursor0")
MOST_MB, MOST_INSTALLED_MB = 140, 450
CONTROL = """Package: attnsim
Version: {version}
Architecture: amd64
Maintainer: {maintainer}
Installed-Size: {kilobytes}
Depends: {depends}
Section: education
Priority: optional
Description: see why attention divides by the square root of d
 The running sums of the products of a query and its keys are random walks,
 their end points are the scores, and the softmax of the scores are the weights.
 .
 attnsim shows this as one draw through linked panels, under many scale rules
 side by side, with exact theory beside each measured number.
"""
SOURCE = f"Source: attnsim\nMaintainer: {MAINTAINER}\n\nPackage: attnsim\nArchitecture: amd64\n"
COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: attnsim
Comment:
 The folder /opt/attnsim/_internal holds libraries of others; NOTICE.txt beside
 this file lists them, third-party.txt holds the texts of their licences, and
 sbom.json lists them for programs.

Files: *
Copyright: 2026 The attnsim authors
License: Apache-2.0
 On Debian systems the text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0.

Files: opt/attnsim/_internal/PySide6/*
Copyright: 2026 The Qt Company Ltd. and other contributors
License: LGPL-3
 On Debian systems the text of the GNU Lesser General Public License, version 3,
 is in /usr/share/common-licenses/LGPL-3.
"""


def build():
    """Make the package in `dist` from the frozen program.

    Returns
    -------
    Path
    """
    need(*PROGRAMS)
    with Step("deb") as step:
        root = fresh(BUILD / "deb" / "root")
        shutil.copytree(freeze.PROGRAM, root / HOME, symlinks=True)
        (root / "usr" / "bin").mkdir(parents=True)
        (root / "usr" / "bin" / "attnsim").symlink_to("/opt/attnsim/attnsim")
        linux_files.install(root)
        _documents(root / "usr" / "share" / "doc" / "attnsim")
        _overrides(root / "usr" / "share" / "lintian" / "overrides")
        set_modes(root)
        _check_desktop_files(root)
        size = folder_bytes(root)
        depends = dependencies(root)
        control = root / "DEBIAN" / "control"
        control.parent.mkdir()
        text = CONTROL.format(
            version=version(), maintainer=MAINTAINER, kilobytes=size // 1024, depends=", ".join(depends)
        )
        control.write_text(text, encoding="utf-8")
        _sums(root)
        clamp_times(root)
        DIST.mkdir(exist_ok=True)
        package = DIST / f"attnsim_{version()}_amd64.deb"
        run(["dpkg-deb", "--root-owner-group", "-Zxz", "-z2", "--build", root, package], env=_environment())
        step.done(package)
        print(f"deb: installed {size / 1e6:.1f} MB, {len(depends)} dependencies")
        if package.stat().st_size > MOST_MB * 1e6 or size > MOST_INSTALLED_MB * 1e6:
            raise TroubleError(f"the package must stay below {MOST_MB} MB, and {MOST_INSTALLED_MB} MB installed.")
    with Step("lintian") as step:
        lint(package)
        step.done(package)
    return package


def _environment():
    return {**os.environ, "SOURCE_DATE_EPOCH": str(epoch())}


def _documents(folder):
    folder.mkdir(parents=True)
    (folder / "copyright").write_text(COPYRIGHT, encoding="utf-8")
    licences = freeze.PROGRAM / freeze.INSIDE / "attnsim" / "resources" / "licences"
    for name in ("NOTICE.txt", "third-party.txt", "sbom.json"):
        # one copy each; a reader looks here, and the window shows the other
        (folder / name).symlink_to(f"/{HOME}/{freeze.INSIDE}/attnsim/resources/licences/{name}")
        if not (licences / name).exists():
            raise TroubleError(f"{name} is missing in the frozen program.")
    entries = []
    for number, day, lines in linux_files.changes():
        when = datetime.datetime.fromisoformat(day).strftime("%a, %d %b %Y 12:00:00 +0000")
        body = "\n".join(f"  * {line}" for line in _wrapped(lines))
        entries.append(f"attnsim ({number}) unstable; urgency=medium\n\n{body}\n\n -- {MAINTAINER}  {when}\n")
    built = f"  * Built from commit {commit() or 'unknown'}.\n"
    text = "\n".join(entries).replace("\n\n -- ", f"\n{built}\n -- ", 1)
    (folder / "changelog.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def _wrapped(lines):
    return ["\n    ".join(textwrap.wrap(line, 74)) for line in lines]


def _overrides(folder):
    folder.mkdir(parents=True)
    shutil.copyfile(linux_files.LINUX / "lintian-overrides", folder / "attnsim")


def set_modes(root):
    """Give every file the mode of its kind: a build under another umask makes the same package."""
    for path in root.rglob("*"):
        if not path.is_symlink():
            started = path == root / HOME / "attnsim"
            path.chmod(0o755 if path.is_dir() or started else 0o644)


def _check_desktop_files(root):
    share = root / "usr" / "share"
    run(["desktop-file-validate", share / "applications" / "attnsim.desktop"])
    run(["appstreamcli", "validate", "--no-net", share / "metainfo" / "org.attnsim.attnsim.metainfo.xml"])


def dependencies(root):
    """Return the packages that hold every library which a file of the program asks for and does not bring along.

    Raises
    ------
    TroubleError
        If a library is in no package of this system.
    """
    inside = root / HOME / freeze.INSIDE
    files = [path for path in sorted(inside.rglob("*.so*")) if not path.is_symlink() and is_elf(path)]
    work = fresh(BUILD / "deb" / "shlibdeps")
    (work / "debian").mkdir()
    (work / "debian" / "control").write_text(
        f"Source: attnsim\nMaintainer: {MAINTAINER}\n\nPackage: attnsim\nArchitecture: amd64\n"
    )
    folders = sorted({path.parent for path in files} | {inside})
    own = [f"-l{folder}" for folder in folders]
    command = ["dpkg-shlibdeps", "-O", "--ignore-missing-info", "--warnings=0", *own, root / HOME / "attnsim", *files]
    done = subprocess.run([str(part) for part in command], cwd=work, capture_output=True, text=True, check=False)
    if done.returncode:
        raise TroubleError(f"dpkg-shlibdeps: {done.stderr.strip()[-600:]}")
    found = done.stdout.partition("shlibs:Depends=")[2].strip().split(", ")
    named = {one.split()[0] for one in found}
    own_packages = set()  # what the program brings along itself has no business here
    brought = {path.name for path in inside.rglob("*.so*")}
    for name, package in (("libffi.so.8", "libffi8"), ("libbz2.so.1.0", "libbz2-1.0")):
        if name in brought:
            own_packages.add(package)
    kept = [one for one in found if one and one.split()[0] not in own_packages]
    return sorted(kept + [package for package in LOADED if package not in named])


def is_elf(path):
    """Return whether a file is a program or a library."""
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def package_of(library):
    """Return the package that holds a library on this system; "?" if none does."""
    found = [line.split()[-1] for line in run(["ldconfig", "-p"]).splitlines() if line.split()[:1] == [library]]
    # the loader lists a library by its soname; a wheel may ask for the full name of the file
    places = {name for one in found for name in (one, one.removeprefix("/usr"), str(Path(one).resolve()))}
    for path in [*sorted(places), f"*/{library}"]:
        done = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.partition(":")[0]
    return "?"


def _sums(root):
    """Write what `dpkg -V` compares with."""
    lines = []
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.is_symlink() and "DEBIAN" not in path.parts:
            lines.append(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}")
    (root / "DEBIAN" / "md5sums").write_text("\n".join(lines) + "\n", encoding="utf-8")


def lint(package):
    """Run lintian; an error or a warning that no override explains fails the build."""
    done = subprocess.run(["lintian", "--no-tag-display-limit", package], capture_output=True, text=True, check=False)
    findings = sorted(set(re.findall(r"^[EW]: .*", done.stdout, flags=re.MULTILINE)))
    if findings:
        raise TroubleError(f"lintian has {len(findings)} findings:\n" + "\n".join(findings[:40]))
