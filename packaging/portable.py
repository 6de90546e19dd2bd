"""An installer for any Linux, without root: makeself, gzip, into the user's own folder."""

import re
import shutil

import debian
import freeze
import linux_files
from tools import BUILD, DIST, Step, build_environment, clamp_times, epoch, fresh, need, run, version

SCRIPTS = {"install.sh": "install", "uninstall.sh": "uninstall", "missing.sh": "missing"}


def build():
    """Make the installer in `dist` from the frozen program.

    Returns
    -------
    Path
    """
    need(("makeself", "makeself"), *debian.PROGRAMS)
    with Step("run") as step:
        root = fresh(BUILD / "run")
        shutil.copytree(freeze.PROGRAM, root / "program", symlinks=True)
        linux_files.install(root / "files", prefix="")
        shutil.move(root / "files" / "share", root / "share")
        (root / "files").rmdir()
        for source, target in SCRIPTS.items():
            shutil.copyfile(linux_files.LINUX / source, root / target)
            (root / target).chmod(0o755)
        (root / "libraries.txt").write_text(library_table(), encoding="utf-8")
        clamp_times(root)
        DIST.mkdir(exist_ok=True)
        installer = DIST / f"attnsim-{version()}-x86_64.run"
        installer.unlink(missing_ok=True)
        options = (
            "--gzip",  # a minimal system has no other decompressor
            *("--nox11", "--nomd5", "--sha256", "--tar-quietly"),
            *("--packaging-date", f"@{epoch()}"),
            *("--tar-extra", "--owner=0 --group=0 --sort=name --numeric-owner"),
        )
        run(["makeself", *options, root, installer, "attnsim", "./install"], env=build_environment())
        step.done(installer)
    return installer


def library_table():
    """Return the system's libraries that the program asks for, each with the Debian package that holds it."""
    inside = freeze.PROGRAM / freeze.INSIDE
    brought = {path.name for path in inside.rglob("*.so*")}
    wanted = set()
    for path in inside.rglob("*.so*"):
        if not path.is_symlink() and debian.is_elf(path):
            wanted |= set(re.findall(r"NEEDED\s+(\S+)", run(["objdump", "-p", path])))
    lines = []
    for name in sorted(wanted - brought):
        lines.append(f"{name} {debian.package_of(name)}\n")
    return "".join(lines)
