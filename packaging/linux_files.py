"""What a Linux desktop wants to know of a program: starter, icons, description, type of its files, man page."""

import datetime
import gzip
import json
import re
import shutil
import subprocess
import sys

from environment import ROOT, TroubleError
from tools import HERE, epoch, need, run, version

LINUX = HERE / "linux"
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
ICON_COLOUR = "#0072b2"  # the accent of the light theme; the drawing itself is black, to be coloured by the window


def install(root, prefix="usr"):
    """Put all files below a folder.

    Parameters
    ----------
    root : Path
        Of the package.
    prefix : str
        Place of `bin` and `share` in it.
    """
    share = root / prefix / "share"
    copies = {
        "attnsim.desktop": share / "applications" / "attnsim.desktop",
        "attnsim.mime.xml": share / "mime" / "packages" / "attnsim.xml",
    }
    for name, target in copies.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(LINUX / name, target)
    metainfo = share / "metainfo" / "org.attnsim.attnsim.metainfo.xml"
    metainfo.parent.mkdir(parents=True, exist_ok=True)
    metainfo.write_text(filled("attnsim.metainfo.xml"), encoding="utf-8")
    page = share / "man" / "man1" / "attnsim.1.gz"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_bytes(gzip.compress(man_page().encode(), 9, mtime=0))
    icons(share / "icons" / "hicolor")


def filled(name):
    """Return one of our files with version and date filled in."""
    text = (LINUX / name).read_text(encoding="utf-8")
    return text.replace("@VERSION@", version()).replace("@DATE@", date())


def date():
    """Return the day of the build."""
    return datetime.datetime.fromtimestamp(epoch(), datetime.UTC).strftime("%Y-%m-%d")


def man_page():
    """Return the man page, with a paragraph for each command of the program."""
    lines = []
    for key, sentence in commands():
        lines += [".TP", ".B " + key.replace("-", r"\-"), sentence.replace("-", r"\-")]
    return filled("attnsim.1").replace("@COMMANDS@", "\n".join(lines))


def commands():
    """Return (word, sentence) of each command, asked of a Python that has what the program needs."""
    ask = (
        "import json; from attnsim.cli import COMMANDS; "
        "print(json.dumps([(each.key, each.sentence) for each in COMMANDS.values()]))"
    )
    pythons = [sys.executable, *map(str, sorted(ROOT.glob(".venv-*/bin/python")))]
    for python in pythons:
        asked = subprocess.run([python, "-c", ask], cwd=str(ROOT), capture_output=True, text=True, check=False)
        if asked.returncode == 0:
            return json.loads(asked.stdout)
    raise TroubleError("no Python here has what the program needs: run packaging/start.py first.")


def icons(folder):
    """Draw the icon in all sizes."""
    need(("rsvg-convert", "librsvg2-bin"))
    drawing = (ROOT / "resources" / "icons" / "attnsim.svg").read_text(encoding="utf-8")
    coloured = drawing.replace("#000000", ICON_COLOUR)
    scalable = folder / "scalable" / "apps" / "attnsim.svg"
    scalable.parent.mkdir(parents=True)
    scalable.write_text(coloured, encoding="utf-8")
    for size in ICON_SIZES:
        target = folder / f"{size}x{size}" / "apps" / "attnsim.png"
        target.parent.mkdir(parents=True)
        run(["rsvg-convert", "-w", size, "-h", size, "-o", target, scalable])


def changes():
    """Return the changelog as (version, day, lines), newest first.

    Raises
    ------
    TroubleError
        If its newest entry is not this version.
    """
    text = (ROOT / "resources" / "CHANGELOG.md").read_text(encoding="utf-8")
    found = []
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n")
        number, _, day = head.partition(" (")
        lines = re.findall(r"^\* (.+(?:\n  .+)*)", body, flags=re.MULTILINE)
        found.append((number.strip(), day.strip(" )"), [" ".join(line.split()) for line in lines]))
    if not found or found[0][0] != version():
        raise TroubleError(f"resources/CHANGELOG.md must begin with version {version()}.")
    return found
