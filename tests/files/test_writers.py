import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from attnsim.experiments.walk import last
from attnsim.figures import FIGURES
from attnsim.figures.headline import headline
from attnsim.figures.readouts import readouts
from attnsim.files import atomic, writers
from attnsim.files.writers import WRITERS, save
from attnsim.labs import LABS
from attnsim.scenario import Scenario
from attnsim.view import View

WALK = {key: FIGURES[key] for key in LABS["walk"].figures}
PROVENANCE = {"attnsim:scenario": json.dumps({"dim": 16, "note": "<&> √"}), "attnsim:version": "0.1.0"}


@pytest.fixture(scope="module")
def result():
    return last(Scenario(dim=16, keys=8, rows=20))


@pytest.fixture
def write(result):
    def write(path, **options):
        view = View(marked=(1, 2))
        title, detail = headline(result, view)
        figures = [build(result, view) for build in WALK.values()]
        kept = {"title": title, "detail": detail, "readouts": readouts(result, view), "provenance": PROVENANCE}
        save(path, figures, **{"dpi": 60, **kept, **options})
        return path.read_bytes()

    return write


@pytest.mark.parametrize("suffix", [suffix for suffix, each in WRITERS.items() if each.kind != "film"])
def test_equal_figures_give_equal_bytes(write, tmp_path, suffix):
    assert write(tmp_path / f"first{suffix}") == write(tmp_path / f"second{suffix}")


def test_png_holds_the_scenario_and_has_the_size_asked_for(write, tmp_path):
    from PIL import Image

    write(tmp_path / "page.png", width_mm=254.0, dpi=100)
    with Image.open(tmp_path / "page.png") as image:
        assert image.width == 1000
        assert {name: image.text[name] for name in PROVENANCE} == PROVENANCE


def test_svg_is_well_formed_holds_the_scenario_and_needs_no_font(write, tmp_path):
    root = ElementTree.fromstring(write(tmp_path / "page.svg"))
    assert root.find(".//{urn:attnsim}scenario").text == PROVENANCE["attnsim:scenario"]
    assert root.find(".//{urn:attnsim}version").text == "0.1.0"
    assert not root.findall(".//{http://www.w3.org/2000/svg}text")


def test_pdf_embeds_its_fonts_and_holds_the_scenario(write, tmp_path):
    content = write(tmp_path / "page.pdf")
    assert b"/FontFile2" in content
    assert b"/Type3" not in content
    assert b"/attnsim:version (0.1.0)" in content
    pypdf = pytest.importorskip("pypdf", reason="pypdf reads the PDF back")
    reader = pypdf.PdfReader(tmp_path / "page.pdf")
    assert reader.metadata["/attnsim:scenario"] == PROVENANCE["attnsim:scenario"]
    assert "Random walks" in reader.pages[0].extract_text()
    assert len(reader.pages) == 1


@pytest.mark.parametrize("theme", ["print", "light", "dark"])
def test_every_theme_and_every_single_figure_can_be_written(result, tmp_path, theme):
    for name, build in WALK.items():
        save(tmp_path / f"{name}.png", [build(result, View())], theme=theme, width_mm=85, dpi=50)
        assert (tmp_path / f"{name}.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("page.gif", {}, "must end in .png, .svg, .pdf, .csv, .npz, .json, not 'page.gif'"),
        ("page", {}, "must end in"),
        ("none/page.png", {}, "page.png cannot be written: its folder 'none' does not exist"),
        ("page.png", {"theme": "sepia"}, "theme must be one of"),
        ("page.png", {"width_mm": 1.0}, "width_mm must lie in 50..1200, not 1.0"),
        ("page.png", {"dpi": float("nan")}, "dpi must lie in"),
    ],
)
def test_what_cannot_be_written_is_refused_in_one_sentence(write, tmp_path, name, options, said):
    with pytest.raises(ValueError, match=said) as caught:
        write(tmp_path / name, **options)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_that_name_is_left_alone(write, tmp_path):
    (tmp_path / "page.png").mkdir()
    with pytest.raises(ValueError, match=r"page\.png cannot be written"):
        write(tmp_path / "page.png")
    assert [path.name for path in tmp_path.iterdir()] == ["page.png"]


def test_a_full_disk_leaves_the_old_file_and_nothing_else(write, tmp_path, monkeypatch):
    old = write(tmp_path / "page.png")

    def full(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic.os, "replace", full)
    with pytest.raises(ValueError, match=r"page\.png cannot be written: No space left on device"):
        write(tmp_path / "page.png", theme="dark")
    assert [path.name for path in tmp_path.iterdir()] == ["page.png"]
    assert (tmp_path / "page.png").read_bytes() == old


def test_the_users_own_style_changes_nothing(write, tmp_path):
    import matplotlib as mpl

    plain = write(tmp_path / "plain.png")
    with mpl.rc_context({"font.size": 30.0, "lines.linewidth": 9.0, "axes.grid": True}):
        assert write(tmp_path / "styled.png") == plain


def test_every_writer_of_the_folder_is_registered():
    helpers = {"__init__", "page", "panel", "marks", "cards", "compose", "provenance", "color_bar", "reading"}
    helpers |= {"format", "film_palette", "raster", "series", "video"}
    files = {path.stem for path in Path(writers.__file__).parent.glob("*.py")} - helpers
    assert files == {suffix[1:] for suffix in WRITERS}
