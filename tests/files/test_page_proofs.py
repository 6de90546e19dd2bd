"""Pages read back by programs of other authors: where curves lie, which words and fonts there are, how large it is."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from PIL import Image

from attnsim.figures.marks import Axis, Cursor, Dots, Figure, Line, Plot
from attnsim.figures.palette import color
from attnsim.files.pictures import save as save_result
from attnsim.files.writers import save
from attnsim.files.writers.page import _other_scripts, settings

DPI = 200
FRAME = (0.02, 0.98)  # shares of the axes at which straight lines stand
HOR, VER, CURVE = "marked_0", "marked_1", "marked_2"
POPPLER = pytest.mark.skipif(
    not all(shutil.which(name) for name in ("pdftoppm", "pdftotext", "pdffonts", "pdfinfo")),
    reason="poppler's programs are not on the path",
)


def ran(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, check=True, text=True).stdout


def value(axis, share):
    """Return what stands at a share of an axis, 0..1."""
    if axis.log:
        return axis.low * (axis.high / axis.low) ** share
    return axis.low + share * (axis.high - axis.low)


def curve(axis_x, axis_y, x, y):
    """A curve between four straight lines near the ends of its axes, each kind in a colour of its own."""
    frame = [Cursor(value(axis_x, at), VER) for at in FRAME]
    frame += [Cursor(value(axis_y, at), HOR, across=True) for at in FRAME]
    marks = (*frame, Line(x, y, CURVE, width=2.0))
    return Figure("a", "A curve", "under it", "", (Plot("a", axis_x, axis_y, marks),), "")


def pixels(path):
    with Image.open(path) as image:
        return np.array(image.convert("RGB"), dtype=float)


def weights(image, role):
    """Return how much of a colour each pixel has, by its distance from white along that colour."""
    white, full = 255.0, np.array([int(color(role, "print")[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)
    away = white - full
    share = (white - image) @ away / (away @ away)
    rest = np.abs(white - image - share[..., None] * away).max(axis=-1)
    return np.where(rest < 24.0, share, 0.0)


def ends(image, role, axis):
    """Return the places of the two straight lines of a colour, in pixels."""
    profile = weights(image, role).sum(axis=axis)
    strong = np.flatnonzero(profile > 0.3 * profile.max())
    first, second = strong[strong < strong.mean()], strong[strong > strong.mean()]
    return [float(np.average(part, weights=profile[part])) for part in (first, second)]


def png(path, figure):
    save(path / "a.png", [figure], dpi=DPI, width_mm=100)
    return pixels(path / "a.png")


def pdf(path, figure):
    save(path / "a.pdf", [figure], width_mm=100)
    ran("pdftoppm", "-r", DPI, "-png", "-singlefile", path / "a.pdf", path / "page")
    return pixels(path / "page.png")


def svg(path, figure):
    cairosvg = pytest.importorskip("cairosvg", reason="cairosvg draws the SVG")
    save(path / "a.svg", [figure], width_mm=100)
    cairosvg.svg2png(url=str(path / "a.svg"), write_to=str(path / "page.png"), scale=DPI / 96, background_color="white")
    return pixels(path / "page.png")


AXES = {
    "linear": (Axis(low=0.0, high=2.0, ticks=()), Axis(low=-1.0, high=1.0, ticks=())),
    "logarithmic": (Axis(low=1.0, high=1000.0, log=True, ticks=()), Axis(low=0.01, high=10.0, log=True, ticks=())),
}


@pytest.mark.parametrize("draw", [png, pytest.param(pdf, marks=POPPLER), svg])
@pytest.mark.parametrize("kind", AXES)
def test_a_curve_lies_within_a_pixel_of_where_its_numbers_say(tmp_path, draw, kind):
    x_axis, y_axis = AXES[kind]
    places = np.linspace(0.05, 0.95, 400)
    heights = 0.5 + 0.4 * np.sin(5.0 * places)
    image = draw(tmp_path, curve(x_axis, y_axis, value(x_axis, places), value(y_axis, heights)))
    left, right = ends(image, VER, 0)
    top, bottom = ends(image, HOR, 1)
    width, height = (right - left) / (FRAME[1] - FRAME[0]), (bottom - top) / (FRAME[1] - FRAME[0])
    left, bottom = left - FRAME[0] * width, bottom + FRAME[0] * height
    right = left + width
    drawn = weights(image, CURVE)
    for column in range(int(left + 0.1 * (right - left)), int(left + 0.9 * (right - left)), 7):
        found = np.flatnonzero(drawn[:, column] > 0.5)
        middle = 0.5 * (found[0] + found[-1])
        wanted = bottom - np.interp((column - left) / width, places, heights) * height
        assert middle == pytest.approx(wanted, abs=1.0)


@pytest.fixture(scope="module")
def result():
    from attnsim.experiments.walk import last
    from attnsim.scenario import Scenario

    return last(Scenario(dim=16, keys=8, rows=20))


@POPPLER
@pytest.mark.parametrize("size", ["single", "double", "slide", "poster"])
def test_words_of_a_pdf_are_words_its_fonts_are_within_and_it_has_its_size(result, tmp_path, size):
    path = save_result(result, tmp_path / "page.pdf", size=size)
    words = ran("pdftotext", path, "-")
    assert "Random walks" in words
    assert "√d" in words
    fonts = [line.split() for line in ran("pdffonts", path).splitlines()[2:]]
    assert len(fonts) >= 2
    for font in fonts:
        assert font[1:3] == ["CID", "TrueType"]
        assert font[4] == "yes"
    wide, high = map(float, re.search(r"Page size: +([\d.]+) x ([\d.]+)", ran("pdfinfo", path)).groups())
    wanted = {"single": 85.0, "double": 180.0, "slide": 338.67, "poster": 841.0}[size]
    assert wide * 25.4 / 72 == pytest.approx(wanted, abs=0.1)
    if size in ("slide", "poster"):
        assert wide / high == pytest.approx({"slide": 16 / 9, "poster": 2**0.5}[size], rel=1e-2)


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_an_enlarged_page_is_the_same_page(result, tmp_path, kind):
    if kind == "pdf" and not shutil.which("pdftoppm"):
        pytest.skip("poppler's programs are not on the path")
    images = []
    for name, scale in (("small", 1.0), ("large", 2.0)):
        save(tmp_path / f"{name}.{kind}", [curve(*AXES["linear"], np.array([0.2, 1.8]), np.array([-0.5, 0.5]))],
             scale=scale, dpi=100 / scale, width_mm=100)  # fmt: skip
        if kind == "pdf":
            ran("pdftoppm", "-r", 100 / scale, "-png", "-singlefile", tmp_path / f"{name}.pdf", tmp_path / name)
        if kind == "svg":
            cairosvg = pytest.importorskip("cairosvg", reason="cairosvg draws the SVG")
            source, target = tmp_path / f"{name}.svg", tmp_path / f"{name}.png"
            cairosvg.svg2png(url=str(source), write_to=str(target), scale=100 / 96 / scale, background_color="white")
        images.append(pixels(tmp_path / f"{name}.png"))
    assert images[0].shape == images[1].shape
    assert np.abs(images[0] - images[1]).mean() < 1.0


@pytest.mark.parametrize("size", ["1280x720", "641x359", "300x500"])
def test_a_size_in_pixels_is_exact(result, tmp_path, size):
    path = save_result(result, tmp_path / "page.png", size=size, bare=True, figures=("walk",))
    with Image.open(path) as image:
        assert image.size == tuple(map(int, size.split("x")))


def test_letters_that_no_font_has_are_told_and_others_are_not(tmp_path):
    plain = Figure("a", "√d ≈ σ", "", "", (Plot("a", Axis(), Axis(), (Dots(np.zeros(1), np.zeros(1), "walk"),)),), "")
    said = []
    save(tmp_path / "a.png", [plain], dpi=50, say=said.append)
    assert said == []
    save(tmp_path / "a.png", [plain], title="a \ue123 b", dpi=50, say=said.append)
    assert said == ["No font here has the letters \ue123: boxes stand for them."]


@POPPLER
def test_chinese_is_drawn_and_embedded_where_a_font_for_it_is_found(tmp_path):
    with settings():
        found = _other_scripts()
    said = []
    figure = curve(*AXES["linear"], np.array([0.2, 1.8]), np.array([-0.5, 0.5]))
    save(tmp_path / "a.pdf", [figure], title="为什么除以 √d", say=said.append)
    if not found:
        pytest.skip("no font here has Chinese letters: " + said[0])
    assert said == []
    assert "为什么除以" in ran("pdftotext", tmp_path / "a.pdf", "-")
    assert " no " not in " ".join(line.split()[-5] for line in ran("pdffonts", tmp_path / "a.pdf").splitlines()[2:])
