"""What a Linux desktop reads, and the scripts that install and take away."""

import ast
import configparser
import gzip
import os
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from attnsim.cli import COMMANDS
from attnsim.version import __version__

ROOT = Path(__file__).parents[2]
LINUX = ROOT / "packaging" / "linux"
pytestmark = pytest.mark.skipif(os.name != "posix", reason="these files are for Linux")


@pytest.fixture
def share(script, tmp_path, monkeypatch):
    """The files as a package installs them; icons are drawn by a program that need not be here."""
    files = script("linux_files")
    monkeypatch.setattr(files, "run", lambda *_given: None)
    monkeypatch.setattr(files, "need", lambda *_given: None)
    files.install(tmp_path / "package")
    return tmp_path / "package" / "usr" / "share"


def checked(program, *arguments):
    """Let a checker of the system read a file, where it is installed."""
    if shutil.which(program):
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_starter_opens_the_clicked_file_and_is_found_by_its_window(share):
    path = share / "applications" / "attnsim.desktop"
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(path)
    entry = parser["Desktop Entry"]
    assert entry["Exec"] == "attnsim open %f"
    assert entry["StartupWMClass"] == "attnsim"
    assert entry["MimeType"] == "application/x-attnsim-session;"
    assert entry["Icon"] == "attnsim"
    checked("desktop-file-validate", path)


def test_the_description_names_this_version_and_the_starter(share):
    path = share / "metainfo" / "org.attnsim.attnsim.metainfo.xml"
    tree = ElementTree.parse(path)
    assert tree.find("releases/release").get("version") == __version__
    assert (share / "applications" / tree.findtext("launchable")).exists()
    assert tree.findtext("project_license") == "Apache-2.0"
    checked("appstreamcli", "validate", "--no-net", str(path))


def test_sessions_have_a_type_of_their_own(share):
    tree = ElementTree.parse(share / "mime" / "packages" / "attnsim.xml")
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    (kind,) = tree.findall(f"{space}mime-type")
    assert kind.get("type") == "application/x-attnsim-session"
    assert kind.find(f"{space}glob").get("pattern") == "*.attnsim"


def test_the_man_page_names_every_command(share):
    page = gzip.decompress((share / "man" / "man1" / "attnsim.1.gz").read_bytes()).decode()
    for command in COMMANDS.values():
        assert f".B {command.key}".replace("-", r"\-") in page
    assert "@" not in page
    assert __version__ in page


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff, which sets man pages, is not installed here")
def test_the_man_page_can_be_set(share, tmp_path):
    page = gzip.decompress((share / "man" / "man1" / "attnsim.1.gz").read_bytes())
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", "-K", "utf8"], input=page, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_changelog_begins_with_this_version(script):
    number, day, lines = script("linux_files").changes()[0]
    assert number == __version__
    assert len(day) == 10
    assert lines


def test_the_version_is_written_in_one_place():
    def says_it(path):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        return any(isinstance(node, ast.Constant) and node.value == __version__ for node in ast.walk(tree))

    assert [path.name for path in (ROOT / "attnsim").rglob("*.py") if says_it(path)] == ["version.py"]
    assert f'"{__version__}"' not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def listing(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture
def payload(share, tmp_path):
    """An installer's content with a program that does nothing."""
    folder = tmp_path / "payload"
    (folder / "program" / "_internal").mkdir(parents=True)
    program = folder / "program" / "attnsim"
    program.write_text("#!/bin/sh\necho started\n")
    program.chmod(0o755)
    shutil.copytree(share, folder / "share")
    for name in ("install", "uninstall", "missing"):
        shutil.copy(LINUX / f"{name}.sh", folder / name)
        (folder / name).chmod(0o755)
    (folder / "libraries.txt").write_text("libGL.so.1 libgl1\n")
    return folder


def shell(command, home, **more):
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), **more}
    return subprocess.run([str(command)], env=environment, capture_output=True, text=True, check=False)


def test_the_portable_installer_leaves_nothing_behind(payload, tmp_path):
    home = tmp_path / "a home"
    (home / ".local" / "share").mkdir(parents=True)
    (home / "figure.png").write_text("mine")
    before = listing(home)
    done = shell(payload / "install", home)
    assert done.returncode == 0, done.stderr
    starter = (home / ".local/share/applications/attnsim.desktop").read_text()
    assert f'Exec="{home}/.local/opt/attnsim/attnsim" open %f' in starter
    assert shell(home / ".local/bin/attnsim", home).stdout == "started\n"
    (home / ".cache" / "attnsim").mkdir(parents=True)
    (home / ".config" / "attnsim").mkdir(parents=True)
    kept = home / ".local" / "share" / "attnsim" / "attnsim"
    kept.mkdir(parents=True)
    (kept / "last.attnsim").write_text("what was on the screen")
    done = shell(home / ".local/opt/attnsim/uninstall", home)
    assert done.returncode == 0, done.stderr
    assert listing(home) == before


def test_presets_of_the_user_stay_when_the_program_goes(payload, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    shell(payload / "install", home)
    own = home / ".local" / "share" / "attnsim" / "presets"
    own.mkdir(parents=True)
    (own / "mine.json").write_text("{}")
    assert shell(home / ".local/opt/attnsim/uninstall", home).returncode == 0
    assert (own / "mine.json").exists()


def test_installing_over_an_older_one_keeps_the_settings(payload, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    before = listing(home)
    shell(payload / "install", home)
    (home / ".config" / "attnsim").mkdir(parents=True)
    (payload / "program" / "_internal" / "new").write_text("of the newer version")
    assert shell(payload / "install", home).returncode == 0
    assert (home / ".local/opt/attnsim/_internal/new").exists()
    assert (home / ".config/attnsim").is_dir()
    shell(home / ".local/opt/attnsim/uninstall", home)
    assert listing(home) == before


def test_a_folder_of_somebody_else_is_not_overwritten(payload, tmp_path):
    home = tmp_path / "home"
    (home / "other").mkdir(parents=True)
    done = shell(payload / "install", home, ATTNSIM_FOLDER=str(home / "other"))
    assert done.returncode == 2
    assert "was not made by this installer" in done.stderr
    assert listing(home) == ["other"]
