"""MP4 film (H.264 where the encoder is there), with the scenario in its comment."""

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any

from attnsim.files.writers.video import encode

CODECS = ("libx264", "libopenh264", "mpeg4")


def write(shots: Iterator[Any], stream: BytesIO, provenance: Mapping[str, str], fps: float, hold: int) -> None:
    """Write pictures one behind the other."""
    stream.write(encode(shots, "mp4", CODECS, provenance, fps, hold))
