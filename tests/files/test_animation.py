"""Films, read back by Pillow and by ffprobe."""

import json
import shutil
import subprocess

import numpy as np
import pytest
from PIL import Image

from attnsim.experiments.walk import last
from attnsim.figures.palette import color
from attnsim.files import animation
from attnsim.files.animation import animate, moments
from attnsim.files.opening import state_in
from attnsim.files.state import State
from attnsim.files.writers import WRITERS, video
from attnsim.scenario import Scenario
from attnsim.view import View

SMALL = {"size": "320x180", "fps": 10.0, "seconds": 0.6, "bare": True, "figures": ("weights",)}
PICTURES = (".webp", ".gif")
VIDEOS = (".mp4", ".webm")
NEEDS_FFMPEG = pytest.mark.skipif(not shutil.which("ffprobe"), reason="ffmpeg and ffprobe are not on the path")


@pytest.fixture(scope="module")
def result():
    return last(Scenario(dim=16, keys=8, rows=20))


def frames(path):
    with Image.open(path) as film:
        for number in range(film.n_frames):
            film.seek(number)
            yield np.asarray(film.convert("RGB")).astype(int)


@pytest.mark.parametrize("suffix", PICTURES)
def test_a_film_has_the_pictures_size_and_colours_that_were_asked_for(result, tmp_path, suffix):
    path = animate(result, tmp_path / f"film{suffix}", **SMALL | {"figures": ("scores",)})
    shots = list(frames(path))
    assert [shot.shape for shot in shots] == [(180, 320, 3)] * 6
    assert all((shot[0, 0] == 255).all() for shot in shots)
    blue = np.array([int(color("rule_inverse_sqrt", "light")[i : i + 2], 16) for i in (1, 3, 5)]) * 0.75 + 63.75
    assert all((np.abs(shot - blue).max(axis=-1) <= 2).sum() > 20 for shot in shots[1:])
    assert (shots[1] != shots[-1]).any()


@pytest.mark.parametrize("suffix", PICTURES)
def test_a_film_knows_where_it_comes_from_and_equal_ones_are_equal_bytes(result, tmp_path, suffix):
    view = View(marked=(1,), bits=True)
    paths = [animate(result, tmp_path / f"{name}{suffix}", view, **SMALL) for name in ("one", "two")]
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert state_in(paths[0]) == (State(scenario=result.scenario, view=view), ())
    assert str(tmp_path).encode() not in paths[0].read_bytes()


def probed(path):
    command = ["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-of", "json", str(path)]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["streams"][0]


@NEEDS_FFMPEG
@pytest.mark.parametrize("suffix", VIDEOS)
def test_ffprobe_finds_size_rate_and_pictures_of_a_video(result, tmp_path, suffix):
    path = animate(result, tmp_path / f"film{suffix}", **SMALL | {"size": "321x181"})
    stream = probed(path)
    assert (stream["width"], stream["height"]) == (320, 180)
    assert stream["r_frame_rate"] == "10/1"
    assert int(stream["nb_read_frames"]) == 6 + 9  # the last one stays for a second
    assert state_in(path) == (State(scenario=result.scenario), ())
    assert str(tmp_path).encode() not in path.read_bytes()


@NEEDS_FFMPEG
@pytest.mark.parametrize("suffix", VIDEOS)
def test_the_library_stands_in_for_the_program(result, tmp_path, monkeypatch, suffix):
    pytest.importorskip("av", reason="the extra `video` is not installed")
    monkeypatch.setattr(video.shutil, "which", lambda _name: None)
    path = animate(result, tmp_path / f"film{suffix}", **SMALL)
    assert int(probed(path)["nb_read_frames"]) == 6 + 9
    assert state_in(path) == (State(scenario=result.scenario), ())


def test_without_an_encoder_a_sentence_says_what_to_do(result, tmp_path, monkeypatch):
    monkeypatch.setattr(video.shutil, "which", lambda _name: None)
    monkeypatch.setattr(video, "find_spec", lambda _name: None)
    with pytest.raises(ValueError, match=r"film\.mp4 cannot be written: that needs ffmpeg on the path, or pip install"):
        animate(result, tmp_path / "film.mp4", **SMALL)


@NEEDS_FFMPEG
def test_what_the_encoder_says_reaches_the_user(result, tmp_path, monkeypatch):
    monkeypatch.setattr(video, "OPTIONS", {"libx264": {"crf": "-9000"}, "mpeg4": {"q:v": "no"}})
    with pytest.raises(ValueError, match=r"^ffmpeg failed: .+"):
        animate(result, tmp_path / "film.mp4", **SMALL)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [*PICTURES, pytest.param(".mp4", marks=NEEDS_FFMPEG)])
def test_a_film_that_is_cancelled_leaves_the_old_file(result, tmp_path, suffix):
    path = tmp_path / f"film{suffix}"
    path.write_bytes(b"old")
    asked = []

    def cancel():
        asked.append(1)
        return len(asked) == 3

    assert animate(result, path, cancel=cancel, **SMALL) is None
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_progress_rises_to_one(result, tmp_path):
    shares = []
    animate(result, tmp_path / "film.gif", progress=shares.append, **SMALL)
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_the_playhead_goes_from_the_first_moment_to_the_last(result):
    times = moments(result, 25.0, 8.0)
    assert (times[0], times[-1], times.size) == (0, 16, 200)
    assert np.all(np.diff(times) >= 0)


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("film.png", {}, r"must end in \.webp, \.gif, \.mp4, \.webm, not 'film.png'"),
        ("film.gif", {"fps": 0.0}, r"fps must lie in 1\.\.60"),
        ("film.gif", {"seconds": float("nan")}, r"seconds must lie in"),
        ("film.gif", {"size": "huge"}, "size must be one of single"),
        ("film.gif", {"size": "8000x8000"}, "pictures of this size are too many: at most 7 fit"),
        ("film.gif", {"theme": "sepia"}, "theme must be one of"),
        ("none/film.gif", {}, "its folder 'none' does not exist"),
    ],
)
def test_what_cannot_be_filmed_is_refused_before_the_work(result, tmp_path, name, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        animate(result, tmp_path / name, **SMALL | {"seconds": 0.8} | options)


def test_a_lab_in_which_nothing_moves_says_so(result, tmp_path, monkeypatch):
    still = type("Still", (), {"moments": np.zeros(0, dtype=np.int64), "row": result.row, "scenario": result.scenario})
    with pytest.raises(ValueError, match="nothing moves"):
        animation.moments(still, 25.0, 8.0)


def test_figures_in_which_nothing_moves_are_refused_and_others_named(result, tmp_path, monkeypatch):
    still = animation.build(result, "scores", View())
    moving = animation.build
    monkeypatch.setattr(animation, "build", lambda r, name, view: still if name == "scores" else moving(r, name, view))
    with pytest.raises(ValueError, match="nothing moves in scores: these figures move: walk, weights"):
        animate(result, tmp_path / "film.gif", **SMALL | {"figures": ("scores",)})


def test_every_film_format_is_tested_here():
    assert {suffix for suffix, each in WRITERS.items() if each.kind == "film"} == {*PICTURES, *VIDEOS}
