"""`attnsim export`."""

import pytest

SMALL = ("--dim", 64, "--keys", 8, "--rows", 100)
BEGINNINGS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("suffix", BEGINNINGS)
def test_the_suffix_decides_the_format(attnsim, tmp_path, suffix):
    path = tmp_path / f"figure.{suffix}"
    outcome = attnsim("export", "--out", path, "--width-mm", 90, "--dpi", 60, *SMALL)
    assert (outcome.code, outcome.out) == (0, f"Wrote {path}\n")
    assert path.read_bytes().startswith(BEGINNINGS[suffix])


def test_the_playhead_changes_the_picture(attnsim, tmp_path):
    paths = [tmp_path / f"{m}.svg" for m in (16, 64)]
    for path in paths:
        attnsim("export", "--out", path, "--playhead", path.stem, *SMALL)
    assert paths[0].read_bytes() != paths[1].read_bytes()


def test_equal_commands_write_equal_bytes(attnsim, tmp_path):
    paths = [tmp_path / name for name in ("a.svg", "b.svg")]
    for path in paths:
        attnsim("export", "--out", path, "--theme", "dark", "--marked", "1,3", *SMALL)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_real_vectors_are_drawn_with_their_place(attnsim, tmp_path, head):
    path = tmp_path / "real.svg"
    assert attnsim("export", "--out", path, "--file", head, "--head", 1, "--row", 3).code == 0
    text = path.read_text(encoding="utf-8")
    assert '"head": 1, "row": 3' in text.replace("&quot;", '"')


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--out", "figure.txt"), "the name must end in .png, .svg, .pdf, .csv, .npz, .json, not 'figure.txt'"),
        (("--out", "no folder/figure.png"), "figure.png cannot be written: its folder 'no folder' does not exist"),
        (("--out", "figure.png", "--playhead", 65), "playhead must lie in 0..64, not 65"),
        (("--out", "figure.png", "--playhead", "end"), "playhead must be a whole number from 0, not 'end'"),
        (("--out", "figure.png", "--marked", "1,2,3,4,5,6,7"), "marked must name at most 6 keys, not 7"),
        (("--out", "figure.png", "--rule", "power"), "rule must be one of none, inverse_sqrt"),
        (("--out", "figure.png", "--dpi", "fine"), "dpi must be a number, not 'fine'"),
        (("--out", "figure.png", "--dpi", "1e9"), "dpi must lie in 30..1200"),
        (("--out", "figure.png", "--theme", "pink"), "theme must be one of light, dark, print, not 'pink'"),
    ],
)
def test_bad_input_leaves_no_file(attnsim, tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    outcome = attnsim("export", *words, *SMALL)
    assert outcome.code == 2
    assert outcome.error.startswith("attnsim: " + sentence)
    assert list(tmp_path.iterdir()) == []


def test_each_figure_goes_to_a_file_of_its_own(attnsim, tmp_path):
    outcome = attnsim("export", "--out", tmp_path / "a.svg", "--each", "--bare", "--figures", "walk,weights", *SMALL)
    assert outcome.code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-walk.svg", "a-weights.svg"]


def test_a_film_is_written_beside_the_page(attnsim, tmp_path):
    words = ("--size", "160x90", "--fps", 5, "--seconds", 0.4, "--bare")
    outcome = attnsim("export", "--animate", tmp_path / "a.gif", "--out", tmp_path / "a.png", *words, *SMALL)
    assert (outcome.code, outcome.error) == (0, "")
    assert (tmp_path / "a.gif").read_bytes().startswith(b"GIF89a")
    assert (tmp_path / "a.png").exists()


def test_a_film_is_what_out_writes_when_the_file_is_named_like_one(attnsim, tmp_path):
    words = ("--size", "160x90", "--fps", 5, "--seconds", 0.4, "--bare")
    outcome = attnsim("export", "--out", tmp_path / "a.webp", *words, *SMALL)
    assert (outcome.code, outcome.error) == (0, "")
    assert (tmp_path / "a.webp").read_bytes()[8:12] == b"WEBP"
    assert attnsim("inspect", tmp_path / "a.webp").code == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "name a file"),
        (("--animate", "a.png"), "the name must end in .webp, .gif"),
        (("--out", "a.png", "--size", "napkin"), "size must be one of single, double"),
        (("--out", "a.png", "--height-mm", "41"), "height_mm must be at least"),
        (("--out", "a.png", "--figures", "smell"), "figures must be some of walk"),
        (("--out", "a.png", "--size", "poster", "--dpi", "600"), "dpi must be at most"),
        (("--out", "folder.png"), "folder.png cannot be written: it is a folder"),
    ],
)
def test_a_page_or_film_that_cannot_be_is_one_sentence(attnsim, tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.png").mkdir()
    outcome = attnsim("export", *words, *SMALL)
    assert outcome.code == 2
    assert outcome.error.startswith("attnsim: " + sentence)
    assert outcome.error.count("\n") == 1
