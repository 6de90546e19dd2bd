"""Pixels and words of single marks in files."""

import numpy as np
import pytest
from PIL import Image

from attnsim.figures.marks import Axis, Figure, Heat, Paragraph, Plot, Table, Whiskers
from attnsim.figures.palette import scale_color
from attnsim.files.writers import save
from attnsim.files.writers.compose import figure_rows

RULES = Table(("rule", "spread"), (("none", "11.31"), ("÷ √d", "1.002")), ("rule_none", "rule_inverse_sqrt"))


def figure(*marks, x=None, y=None, **parts):
    plots = (Plot("a", x or Axis(ticks=()), y or Axis(ticks=()), marks),) if marks else ()
    return Figure("a", "Title", "", "", plots, "One sentence.", **parts)


def pixels(path):
    with Image.open(path) as image:
        return np.array(image.convert("RGB"), dtype=int)


def where(image, value):
    """Rows and columns of the pixels of a colour."""
    wanted = [int(value[i : i + 2], 16) for i in (1, 3, 5)]
    return np.nonzero((np.abs(image - wanted) <= 1).all(axis=-1))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("scale", ["sequential", "diverging"])
def test_cells_of_a_matrix_have_their_colours_where_the_data_say(tmp_path, theme, scale):
    values = np.array([[-1.0, 0.0], [1.0, np.nan]])
    heat = Heat(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.5, 1.0]), values, -1.0, 1.0, scale, bar=False)
    save(tmp_path / "a.png", [figure(heat)], theme=theme, width_mm=80, dpi=100)
    image = pixels(tmp_path / "a.png")
    found = {share: where(image, scale_color(scale, share, theme)) for share in (0.0, 0.5, 1.0)}
    sizes = [len(rows) for rows, _columns in found.values()]
    assert min(sizes) > 5000
    assert max(sizes) <= 1.02 * min(sizes)
    (low, left), (same, right), (high, above) = ((r.mean(), c.mean()) for r, c in found.values())
    assert low == pytest.approx(same, abs=1.0)
    assert left == pytest.approx(above, abs=1.0)
    assert high < low - 50
    assert right > left + 50


def test_unequal_cells_on_a_logarithmic_axis_are_as_wide_as_their_logarithms(tmp_path):
    heat = Heat(np.array([1.0, 10.0, 1000.0]), np.array([0.0, 1.0]), np.array([[0.0, 1.0]]), 0.0, 1.0, bar=False)
    save(tmp_path / "a.png", [figure(heat, x=Axis("", 1.0, 1000.0, True, ()))], width_mm=100, dpi=100)
    first, second = (
        np.ptp(where(pixels(tmp_path / "a.png"), scale_color("sequential", s, "print"))[1]) + 1 for s in (0.0, 1.0)
    )
    assert second == pytest.approx(2 * first, abs=2)


def test_whiskers_end_where_the_data_say(tmp_path):
    x, width = np.array([0.25, 0.5, 0.75]), 6.0
    mark = Whiskers(x, np.array([0.0, 0.25, np.nan]), np.array([1.0, 0.75, 1.0]), "rule_none", width)
    save(tmp_path / "a.png", [figure(mark)], width_mm=80, dpi=100)
    rows, columns = where(pixels(tmp_path / "a.png"), "#d55e00")
    left = columns < columns.mean() - 20
    right = columns > columns.mean() + 20
    whole, half = rows[left], rows[right]
    assert np.ptp(columns) > 40
    assert np.ptp(half) == pytest.approx(0.5 * np.ptp(whole), abs=1.5)
    assert half.mean() == pytest.approx(whole.mean(), abs=1.0)


def test_a_large_matrix_stays_small_in_vector_files(tmp_path):
    values = np.random.default_rng(0).normal(size=(256, 256))
    heat = Heat(np.arange(257.0), np.arange(257.0), values, -3.0, 3.0, "diverging", "weight")
    for suffix in (".pdf", ".svg"):
        save(tmp_path / f"a{suffix}", [figure(heat, x=Axis(high=256.0), y=Axis(high=256.0))])
        assert (tmp_path / f"a{suffix}").stat().st_size < 500_000


def test_a_colour_bar_names_its_values_and_takes_no_room_where_none_is_wanted(tmp_path):
    pypdf = pytest.importorskip("pypdf", reason="pypdf reads the PDF back")
    for bar in (True, False):
        heat = Heat(np.arange(3.0), np.arange(3.0), np.zeros((2, 2)), 0.0, 0.4, title="weight", bar=bar)
        save(tmp_path / "a.pdf", [figure(heat, x=Axis(high=2.0), y=Axis(high=2.0, ticks=()))])
        text = pypdf.PdfReader(tmp_path / "a.pdf").pages[0].extract_text()
        assert ("weight" in text and "0.4" in text) is bar


@pytest.mark.parametrize("plotted", [True, False])
def test_cells_and_words_are_text_in_a_pdf(tmp_path, plotted):
    pypdf = pytest.importorskip("pypdf", reason="pypdf reads the PDF back")
    marks = [Whiskers(np.array([0.5]), np.array([0.1]), np.array([0.9]), "ink")] if plotted else []
    page = (Paragraph("Why √d?", "heading"), Paragraph("A sum of products " * 30), Paragraph("σ² = d", "formula"))
    save(tmp_path / "a.pdf", [figure(*marks, table=RULES, page=page)])
    text = pypdf.PdfReader(tmp_path / "a.pdf").pages[0].extract_text()
    for words in (*RULES.heads, *RULES.rows[0], *RULES.rows[1], "Why √d?", "σ² = d"):
        assert words in text
    assert text.count("products") == 30
    assert "more line" not in text


def test_rows_that_do_not_fit_are_counted(tmp_path):
    pypdf = pytest.importorskip("pypdf", reason="pypdf reads the PDF back")
    rows = tuple((f"rule {i}.", f"{i}.5") for i in range(400))
    save(tmp_path / "a.pdf", [figure(table=Table(("rule", "spread"), rows))])
    text = pypdf.PdfReader(tmp_path / "a.pdf").pages[0].extract_text()
    shown = sum(f"rule {i}." in text for i in range(400))
    assert 20 < shown < 400
    assert f"… {400 - shown} more lines" in text


def test_up_to_three_figures_share_a_row_and_four_stand_two_by_two():
    figures = [figure()] * 6
    assert [[len(row) for row in figure_rows(figures[:n])] for n in range(1, 7)] == [
        [1], [2], [3], [2, 2], [3, 2], [3, 3],
    ]  # fmt: skip
