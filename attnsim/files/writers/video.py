"""Video by a program or a library of the user's own: none is shipped, for their encoders have licences of their own."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from attnsim.words import _

OPTIONS = {  # by the encoder: a quality at which text and thin lines stay sharp
    "libx264": {"crf": "18", "preset": "veryfast"},
    "libvpx-vp9": {"crf": "24", "b:v": "0", "deadline": "realtime", "cpu-used": "6"},
    "libvpx": {"crf": "10", "b:v": "4M"},
    "mpeg4": {"q:v": "3"},
}
LONGEST = 100_000  # bytes of a comment: a program's argument has a limit


def missing() -> str:
    """Return why no video can be written here, in one sentence; empty if it can."""
    if shutil.which("ffmpeg") or find_spec("av"):
        return ""
    return _("that needs ffmpeg on the path, or pip install attnsim[video]; webp and gif need neither")


def encode(
    shots: Iterator[Any], container: str, codecs: Sequence[str], provenance: Mapping[str, str], fps: float, hold: int
) -> bytes:
    """Return a film.

    Parameters
    ----------
    shots : iterator of pictures
        The last picture first, and then all in order.
    container : {"mp4", "webm"}
    codecs : sequence of str
        The first that is there is taken.
    provenance : mapping
        Kept as the film's comment, a JSON object.
    fps : float
    hold : int
        How often the last picture is repeated.

    Raises
    ------
    ValueError
        If the encoder fails, with what it said.
    """
    last = next(shots)
    size = last.width - last.width % 2, last.height - last.height % 2  # encoders want even sides
    frames = (shot.crop((0, 0, *size)) for shot in chain(shots, repeat(last, max(0, hold - 1))))
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / f"film.{container}"
        by = _by_program if shutil.which("ffmpeg") else _by_library
        by(frames, size, target, codecs, _comment(provenance), Fraction(fps).limit_denominator(1000))
        return target.read_bytes()


def _comment(provenance: Mapping[str, str]) -> str:
    """Return what is kept, without vectors where they would be too long."""
    kept = dict(provenance)
    if len(json.dumps(kept)) > LONGEST:
        state = json.loads(kept["attnsim:state"])
        state["vectors"]["kept"] = None
        kept["attnsim:state"] = json.dumps(state)
    return json.dumps(kept)


def _by_program(
    frames: Iterator[Any], size: tuple[int, int], target: Path, codecs: Sequence[str], comment: str, fps: Fraction
) -> None:
    codec = next((name for name in codecs if name in _encoders()), codecs[-1])
    options = [word for name, value in OPTIONS.get(codec, {}).items() for word in (f"-{name}", value)]
    command = ["ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"]
    command += ["-s", f"{size[0]}x{size[1]}", "-r", str(fps), "-i", "pipe:0", "-an", "-c:v", codec, *options]
    command += ["-pix_fmt", "yuv420p", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1"]
    command += ["-threads", "2", "-metadata", f"comment={comment}", str(target)]
    with tempfile.TemporaryFile() as said:
        program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said)
        assert program.stdin is not None
        try:
            with suppress(BrokenPipeError):  # it ended by itself, and says why below
                for frame in frames:
                    program.stdin.write(frame.tobytes())
        except BaseException:
            program.kill()
            raise
        finally:
            with suppress(BrokenPipeError):
                program.stdin.close()
            code = program.wait()
        if code != 0 or not target.is_file():
            said.seek(0)
            words = said.read(300).decode(errors="replace")
            raise ValueError(_("ffmpeg failed: {reason}").format(reason=" ".join(words.split()) or code))


@lru_cache
def _encoders() -> frozenset[str]:
    listing = subprocess.run(["ffmpeg", "-hide_banner", "-encoders"], capture_output=True, text=True, errors="replace")
    return frozenset(line.split()[1] for line in listing.stdout.splitlines() if len(line.split()) > 1)


def _by_library(
    frames: Iterator[Any], size: tuple[int, int], target: Path, codecs: Sequence[str], comment: str, fps: Fraction
) -> None:
    av: Any = import_module("av")  # not there in every installation, and then never reached

    codec = next((name for name in codecs if name in av.codecs_available), codecs[-1])
    try:
        with av.open(str(target), "w", options={"fflags": "+bitexact"}) as film:
            film.metadata["comment"] = comment
            track = film.add_stream(codec, rate=fps, options=OPTIONS.get(codec, {}))
            track.width, track.height, track.pix_fmt = *size, "yuv420p"
            for frame in frames:
                film.mux(track.encode(av.VideoFrame.from_image(frame)))
            film.mux(track.encode(None))
    except av.error.FFmpegError as error:
        raise ValueError(_("av failed: {reason}").format(reason=error.strerror or str(error))) from error
