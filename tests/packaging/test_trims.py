"""What an installer leaves out: each entry has a reason, and nothing that is needed is among them."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# a process in which the trimmed modules cannot be imported: it draws, computes and writes as the program does
WITHOUT = """
import sys
sys.path.insert(0, {packaging!r})
import trims
class Without:
    def find_spec(self, name, path=None, target=None):
        if trims.trimmed_module(name):
            raise ModuleNotFoundError(f"{{name}} is trimmed", name=name)
sys.meta_path.insert(0, Without())
import tempfile
from pathlib import Path
from attnsim.cli import self_checks
from attnsim.cli.self_imports import missing
count, failed = missing()
assert count > 100 and not failed, failed
with tempfile.TemporaryDirectory() as folder:
    looks = self_checks._looks(Path(folder))
    for name, look in looks.items():
        if name.split()[0] in ("resources", "catalogues", "theory", "figures", "export", "vectors", "session"):
            check = self_checks._tried(name, look)
            assert check.ok, (name, check.detail)
"""


def test_every_entry_has_a_reason_and_says_what_it_takes_out(script):
    found = script("trims").entries()
    assert set(found) == {"modules", "files"}
    for kind, word in (("modules", "names"), ("files", "patterns")):
        for entry in found[kind]:
            assert set(entry) == {word, "reason"}
            assert len(entry["reason"].split()) > 3
            assert entry[word]


def test_no_module_is_named_twice(script):
    names = script("trims").modules()
    assert len(names) == len(set(names))


def test_every_pattern_is_one(script):
    for entry in script("trims").entries()["files"]:
        for pattern in entry["patterns"]:
            re.compile(pattern)


@pytest.mark.parametrize(
    "place",
    [
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqwayland.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6/Qt/plugins/imageformats/libqsvg.so",
        "PySide6/Qt/plugins/platforminputcontexts/libibusplatforminputcontextplugin.so",
        "PySide6/Qt/translations/qtbase_de.qm",
        "PySide6/Qt/lib/libQt6Core.so.6",
        "PySide6/Qt/lib/libicudata.so.73",
        "numpy.libs/libscipy_openblas64_-4b78795a.so",
        "numba/np/ufunc/omppool.cpython-313-x86_64-linux-gnu.so",
        "numba/np/ufunc/workqueue.cpython-313-x86_64-linux-gnu.so",
        "llvmlite/binding/libllvmlite.so",
        "libffi.so.8",
        "matplotlib/mpl-data/fonts/ttf/DejaVuSans.ttf",
        "attnsim/commit.txt",
        "attnsim/kernels/cache_folder.py",
        "attnsim/resources/fonts/Inter-Regular.otf",
        "attnsim/resources/locale/de/LC_MESSAGES/attnsim.mo",
        "attnsim/resources/icons/attnsim.svg",
        "attnsim/resources/licences/NOTICE.txt",
        "attnsim-0.1.0.dist-info/METADATA",
    ],
)
def test_what_the_program_needs_stays(script, place):
    assert not script("trims").file_pattern().fullmatch(place)


@pytest.mark.parametrize(
    "place",
    [
        "libX11.so.6",
        "libstdc++.so.6",
        "libxcb-cursor.so.0",
        "libgtk-3.so.0",
        "libwayland-client.so.0",
        "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
        "attnsim-0.1.0.dist-info/direct_url.json",
        "attnsim/resources/pictures/window-light.png",
    ],
)
def test_what_belongs_to_the_system_or_to_the_build_goes(script, place):
    assert script("trims").file_pattern().fullmatch(place)


def test_all_resources_but_the_pictures_of_the_readme_stay(script):
    pattern = script("trims").file_pattern()
    for path in (ROOT / "resources").rglob("*"):
        place = "attnsim/resources/" + path.relative_to(ROOT / "resources").as_posix()
        assert bool(pattern.fullmatch(place)) == place.startswith("attnsim/resources/pictures")


@pytest.mark.slow
def test_the_program_computes_draws_and_writes_without_the_trimmed_modules():
    program = WITHOUT.format(packaging=str(ROOT / "packaging"))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def test_what_is_left_out_is_never_the_program_itself(script):
    names = script("trims").modules()
    assert not [name for name in names if name.split(".")[0] == "attnsim"]
    assert importlib.util.find_spec("attnsim") is not None
